/* SPDX-License-Identifier: MIT */
#include "formats/xray/xray_scan.h"

#include "formats/shared/file_window.h"
#include "formats/xray/xray_basic.h"
#include "formats/xray/xray_cursor.h"

#include "base/error.h"

/* The longest beginning of a buffer: extents, buffer, time, process, processor. */
#define PREAMBLE_MAX (5 * (size_t)XRAY_METADATA_SIZE)
#define VIEW         (XRAY_HEADER_SIZE + PREAMBLE_MAX)
#define HERTZ_MAX    UINT64_C(1000000000000)
#define WALK_STEP    ((size_t)64 << 10)

struct scan {
    struct xray_log *log;
    struct file_window window;
    uint64_t offset; /* of what comes next */
};

/* What may begin at an offset. */
enum found {
    FOUND_NOTHING,
    FOUND_END, /* of the file */
    FOUND_BUFFER,
    FOUND_HEADER,
    FOUND_REST, /* the beginning of something, which the end of the file cuts off */
};

static const struct xray_header *header_of(const struct scan *s)
{
    return s->log->headers[s->log->header_count - 1];
}

static int view(struct scan *s, uint64_t offset, const uint8_t **bytes, size_t *count)
{
    int rc = file_window_get(&s->window, offset, VIEW, bytes, count);
    if (*count > VIEW)
        *count = VIEW;
    return rc;
}

/* --- what begins where ----------------------------------------------------------------------------- */

/* Basic records are too simple to be told from others by one of them. */
static bool is_basic_header(const struct xray_header *h, const uint8_t *bytes, size_t count)
{
    static const uint8_t zeros[16];
    struct xray_basic_record record = {.kind = XRAY_BASIC_FUNCTION, .function = 1};
    if (memcmp(bytes + 16, zeros, 16) != 0)
        return false;
    for (size_t at = XRAY_HEADER_SIZE; at + XRAY_BASIC_SIZE <= count; at += XRAY_BASIC_SIZE)
        if (record.kind != XRAY_BASIC_NOTHING && record.function != 0)
            xray_basic_decode(h, bytes + at, &record);
    return record.kind != XRAY_BASIC_NOTHING && record.function != 0;
}

/* A header in the middle of a file is only believed if it makes sense as a whole, like what follows it. */
static bool is_header(const uint8_t *bytes, size_t count, struct xray_header *h)
{
    static const uint8_t zeros[8];
    bool complete = false;
    if (!xray_header_parse(h, bytes, count) || h->frequency > HERTZ_MAX)
        return false;
    if (h->type == XRAY_BASIC)
        return is_basic_header(h, bytes, count);
    if (count == XRAY_HEADER_SIZE)
        return memcmp(bytes + 24, zeros, 8) == 0;
    return xray_buffer_begins(h, bytes + XRAY_HEADER_SIZE, count - XRAY_HEADER_SIZE, &complete) && complete;
}

/* Rules out most places in the middle of something. */
static bool may_be_header(const uint8_t *bytes, size_t count)
{
    return count >= XRAY_HEADER_SIZE && bytes[0] < 8 && bytes[1] < 8 && bytes[2] < 2 && bytes[3] < 2;
}

static enum found look_at(const struct xray_header *h, const uint8_t *bytes, size_t count)
{
    struct xray_header other;
    bool complete = false;
    if (count == 0)
        return FOUND_END;
    if (may_be_header(bytes, count) && is_header(bytes, count, &other))
        return FOUND_HEADER;
    if (h->type == XRAY_FDR && xray_buffer_begins(h, bytes, count, &complete))
        return complete ? FOUND_BUFFER : FOUND_REST;
    return FOUND_NOTHING;
}

static int look(struct scan *s, uint64_t offset, enum found *out)
{
    const uint8_t *bytes;
    size_t count;
    *out = FOUND_END;
    if (offset > s->log->file.size)
        return 0;
    int rc = view(s, offset, &bytes, &count);
    if (rc == 0)
        *out = look_at(header_of(s), bytes, count);
    return rc;
}

/* Among an FDR log's records, much looks like the header of a basic log. */
static bool is_sure(const struct scan *s, const uint8_t *header)
{
    return header_of(s)->type == XRAY_BASIC || (header[2] | header[3]) == XRAY_FDR;
}

/* Finds the next buffer or header from an offset on, or the end of the file. */
static int search(struct scan *s, uint64_t from, uint64_t *out)
{
    const uint8_t *bytes;
    size_t count;
    for (uint64_t at = from;;) {
        int rc = file_window_get(&s->window, at, VIEW, &bytes, &count);
        *out = at + count;
        if (rc != 0 || count == 0)
            return rc;
        size_t places = count > VIEW ? count - VIEW : count;
        for (size_t i = 0; i < places; ++i) {
            size_t left = count - i < VIEW ? count - i : VIEW;
            enum found found = look_at(header_of(s), bytes + i, left);
            if (found == FOUND_BUFFER || (found == FOUND_HEADER && is_sure(s, bytes + i))) {
                *out = at + i;
                return 0;
            }
        }
        at += places;
    }
}

static int skip_to_next(struct scan *s, uint64_t from)
{
    uint64_t next;
    int rc = search(s, from, &next);
    if (rc == 0 && next > s->offset)
        xray_log_add_gap(s->log, s->offset, next);
    s->offset = next;
    return rc;
}

/* --- segments -------------------------------------------------------------------------------------- */

static int add_segment(struct scan *s, const struct xray_cursor *c, uint64_t offset, uint64_t end,
                       bool is_cut)
{
    struct xray_log *log = s->log;
    struct xray_segment segment = {.offset = offset,
                                   .end = end,
                                   .key = c->ticks,
                                   .header = (uint32_t)(log->header_count - 1),
                                   .next = XRAY_NO_SEGMENT,
                                   .is_cut = is_cut};
    int rc = xray_log_find_thread(log, c->process, c->thread, &segment.thread);
    return rc == 0 ? xray_log_add_segment(log, &segment) : rc;
}

/* Adds the buffer whose records lie between two offsets; *extents: there are none before the first. */
static int add_buffer(struct scan *s, uint64_t offset, uint64_t end, bool is_cut)
{
    struct xray_cursor c;
    struct xray_item item;
    xray_cursor_init(&c, &s->log->file, header_of(s), offset, end, XRAY_CURSOR_STEP);
    int rc = xray_cursor_begin(&c, &item);
    if (rc == 0 && item.kind == XRAY_ITEM_CLOCK)
        rc = add_segment(s, &c, offset, end, is_cut);
    else if (rc == 0 && item.kind == XRAY_ITEM_BAD)
        xray_log_add_gap(s->log, offset, end);
    s->log->is_cut |= item.kind == XRAY_ITEM_CUT && is_cut;
    xray_cursor_fini(&c);
    return rc;
}

/* A buffer ends where its extents say, if that is where the next one begins. */
static int scan_extents(struct scan *s)
{
    const struct xray_header *h = header_of(s);
    const uint8_t *bytes;
    struct xray_record record;
    size_t count;
    enum found found;
    uint64_t start = s->offset + XRAY_METADATA_SIZE, size = s->log->file.size, end, next;
    int rc = view(s, s->offset, &bytes, &count);
    if (rc != 0)
        return rc;
    xray_record_decode(h, bytes, &record);
    end = record.value <= size - start ? start + record.value : UINT64_MAX;
    found = FOUND_NOTHING;
    if (end != UINT64_MAX)
        rc = look(s, end, &found);
    next = end;
    if (rc == 0 && found == FOUND_NOTHING)
        rc = search(s, start + xray_preamble_size(h) - XRAY_METADATA_SIZE, &next);
    if (rc != 0)
        return rc;
    s->offset = next < end ? next : end;
    s->log->is_cut |= end == UINT64_MAX && next == size;
    return add_buffer(s, start, s->offset, end == UINT64_MAX && next == size);
}

/* Reads the buffer of version 1 that begins here, up to the record that ends it. *end: behind it, or the end
 * of the file. */
static int walk_buffer(struct scan *s, uint64_t limit, uint64_t *end, bool *ended)
{
    struct xray_cursor c;
    struct xray_item item;
    xray_cursor_init(&c, &s->log->file, header_of(s), s->offset, limit, WALK_STEP);
    int rc = xray_cursor_begin(&c, &item);
    while (rc == 0 && item.kind != XRAY_ITEM_END && item.kind != XRAY_ITEM_CUT && item.kind != XRAY_ITEM_BAD)
        rc = xray_cursor_next(&c, &item);
    *end = xray_cursor_place(&c);
    *ended = c.ended;
    xray_cursor_fini(&c);
    return rc;
}

/* In version 1, a buffer has a fixed size, and its last record is followed by padding. Some writers leave
 * that out: the next buffer follows at once. */
static int scan_padded(struct scan *s)
{
    const struct xray_header *h = header_of(s);
    uint64_t start = s->offset, size = s->log->file.size, next = UINT64_MAX, end;
    enum found found = FOUND_NOTHING;
    bool ended, is_cut = false;
    if (h->buffer_size >= 3 * XRAY_METADATA_SIZE && h->buffer_size <= size - start)
        next = start + h->buffer_size;
    int rc = walk_buffer(s, next != UINT64_MAX ? next : size, &end, &ended);
    if (rc == 0 && ended)
        rc = look(s, end, &found);
    if (rc == 0 && found == FOUND_NOTHING) {
        end = next;
        rc = next != UINT64_MAX ? look(s, next, &found) : 0;
    }
    if (rc == 0 && found == FOUND_NOTHING) {
        rc = search(s, start + xray_preamble_size(h), &end);
        is_cut = next == UINT64_MAX && !ended && end == size;
        end = end > next ? next : end;
    }
    if (rc != 0)
        return rc;
    s->offset = end;
    s->log->is_cut |= is_cut;
    return add_buffer(s, start, end, is_cut);
}

/* --- basic logs ------------------------------------------------------------------------------------ */

/* Records of one thread in chronological order. */
struct run {
    bool is_open;
    uint64_t offset;
    uint64_t ticks; /* of the last record */
    struct xray_basic_record last;
    struct xray_cursor first; /* what a segment needs of the first record */
};

static int end_run(struct scan *s, struct run *run)
{
    bool was_open = run->is_open;
    run->is_open = false;
    return was_open ? add_segment(s, &run->first, run->offset, s->offset, false) : 0;
}

static int add_basic(struct scan *s, struct run *run, const struct xray_basic_record *record)
{
    bool same = run->is_open && record->thread == run->last.thread && record->process == run->last.process;
    int rc = same && record->ticks >= run->ticks ? 0 : end_run(s, run);
    if (!run->is_open) {
        run->is_open = true;
        run->offset = s->offset;
        run->first = (struct xray_cursor){
            .ticks = record->ticks, .process = record->process, .thread = record->thread};
    }
    run->ticks = record->ticks;
    run->last = *record;
    s->offset += XRAY_BASIC_SIZE;
    return rc;
}

static bool is_argument(const struct run *run, const struct xray_basic_record *record)
{
    return record->kind == XRAY_BASIC_ARGUMENT && run->is_open && record->function == run->last.function &&
           record->thread == run->last.thread && record->process == run->last.process;
}

/* Reads records up to the next header or the end of the file. */
static int scan_basic(struct scan *s)
{
    struct run run = {.is_open = false};
    struct xray_basic_record record;
    struct xray_header other;
    const uint8_t *bytes;
    size_t count;
    int rc;
    while ((rc = view(s, s->offset, &bytes, &count)) == 0 && count >= XRAY_BASIC_SIZE) {
        xray_basic_decode(header_of(s), bytes, &record);
        if (record.kind == XRAY_BASIC_FUNCTION) {
            rc = add_basic(s, &run, &record);
        } else if (is_argument(&run, &record)) {
            s->offset += XRAY_BASIC_SIZE;
        } else {
            rc = end_run(s, &run);
            if (rc != 0 || is_header(bytes, count, &other))
                return rc;
            xray_log_add_gap(s->log, s->offset, s->offset + XRAY_BASIC_SIZE);
            s->offset += XRAY_BASIC_SIZE;
        }
        if (rc != 0)
            return rc;
    }
    if (rc == 0)
        rc = end_run(s, &run);
    s->log->is_cut |= count > 0;
    s->offset += count;
    return rc;
}

/* --- the file -------------------------------------------------------------------------------------- */

static int scan_header(struct scan *s)
{
    struct xray_header h;
    const uint8_t *bytes;
    size_t count;
    int rc = view(s, s->offset, &bytes, &count);
    if (rc != 0)
        return rc;
    if (!xray_header_parse(&h, bytes, count))
        return trace_error_set(TRACE_ERR_FORMAT, "no header of an XRay log");
    s->offset += XRAY_HEADER_SIZE;
    return xray_log_add_header(s->log, &h);
}

static int scan_next(struct scan *s, enum found found)
{
    switch (found) {
    case FOUND_HEADER:
        return scan_header(s);
    case FOUND_BUFFER:
        return header_of(s)->version == 1 ? scan_padded(s) : scan_extents(s);
    case FOUND_REST:
        s->log->is_cut = true;
        s->offset = s->log->file.size;
        return 0;
    default:
        return skip_to_next(s, s->offset + 1);
    }
}

static int scan_all(struct scan *s)
{
    enum found found = FOUND_NOTHING;
    int rc = scan_header(s);
    while (rc == 0 && found != FOUND_END) {
        if (header_of(s)->type == XRAY_BASIC)
            rc = scan_basic(s);
        if (rc == 0)
            rc = look(s, s->offset, &found);
        if (rc == 0 && found != FOUND_END)
            rc = scan_next(s, found);
    }
    return rc;
}

/* Segments of headers with different counters are compared by time. */
static void set_keys(struct xray_log *log)
{
    for (size_t i = 0; log->keys_are_times && i < log->segment_count; ++i) {
        struct xray_segment *segment = &log->segments[i];
        segment->key = (uint64_t)xray_header_time(log->headers[segment->header], segment->key);
    }
}

int xray_scan(struct xray_log *log)
{
    struct scan s = {.log = log};
    file_window_init(&s.window, &log->file);
    int rc = scan_all(&s);
    file_window_fini(&s.window);
    if (rc == 0)
        set_keys(log);
    return rc;
}
