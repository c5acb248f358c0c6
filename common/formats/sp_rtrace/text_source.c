/* SPDX-License-Identifier: MIT
 * Yields the events of a text: first its declarations, from the list of the first pass, then calls and
 * comments in file order. Temporary comments (`# `) are included: only a tool that writes new ones knows
 * which are out of date.
 */
#include "formats/sp_rtrace/call_group.h"
#include "formats/sp_rtrace/log_clock.h"
#include "formats/sp_rtrace/sp_rtrace.h"
#include "formats/sp_rtrace/text_declared.h"
#include "formats/sp_rtrace/text_header.h"

#include "base/error.h"
#include "trace/source_ops.h"

#include <stdlib.h>

/* Highest number of events that wait for their backtrace; then the backtrace is searched for first. */
#define GROUP_MAX 1024

struct text_source {
    struct trace_source base;
    char *name; /* name of the file, for messages */
    struct trace_file file;
    struct text_header header;
    struct declared declared;
    struct log_names names;
    struct event_pool pool;

    bool has_declared;       /* all declarations have been yielded */
    enum declared_kind kind; /* kind of the next declaration */
    size_t at;               /* its index in the list */
    bool in_rest;            /* it is not in the list, but in the rest of the text */
    uint32_t next_id;        /* see text_declared_event() */
    struct line_reader places;

    struct line_reader lines;
    struct call_group group;
    uint64_t known_until; /* lines before this offset belong to the group, and its backtrace is known */
    bool complete;        /* the group is complete, and its events are being yielded */
    bool ended;
    int rc;
};

static struct text_source *cast(struct trace_source *s)
{
    return (struct text_source *)s;
}

static int fail(struct text_source *s, int rc)
{
    s->rc = rc;
    return trace_error_prefix(rc, "%s", s->name);
}

/* --- declarations ---------------------------------------------------------------------------------- */

/* Finds the next line that declares something of the current kind. *found is false if there is none. */
static int next_place(struct text_source *s, struct text_line *line, bool *found)
{
    struct text_slice text;
    enum declared_kind kind;
    int rc;
    if (!s->in_rest) {
        const struct declared_place *place = declared_next(&s->declared, s->kind, &s->at);
        *found = place != NULL || (s->declared.has_rest && s->kind != DECLARED_HEAP);
        if (!*found)
            return 0;
        s->in_rest = place == NULL;
        s->places.offset = place != NULL ? place->offset : s->declared.rest.offset;
    }
    do {
        rc = line_reader_next(&s->places, &text, found);
        if (rc != 0 || !*found)
            return rc;
        text_line_parse(line, text);
    } while (!text_line_declares(line->kind, &kind) || kind != s->kind);
    return 0;
}

static int make_declared(struct text_source *s, const struct text_line *line, struct trace_event *out)
{
    struct event_block *block = event_pool_take(&s->pool);
    bool found;
    int rc;
    if (block == NULL)
        return TRACE_ERR_MEMORY;
    if (line->kind == TEXT_LINE_HEAP) {
        block->event =
            (struct trace_event){.kind = TRACE_EVENT_HEAP, .time = TRACE_NO_TIME, .u.heap = &block->heap};
        rc = text_take_heap(&s->places, &block->heap, &found);
    } else {
        rc = text_declared_event(block, &s->names, &s->next_id, line);
    }
    if (rc == 0)
        event_block_hand_out(block, out);
    else
        event_pool_give_back(&s->pool, block);
    return rc;
}

static int next_declared(struct text_source *s, struct trace_event *out, bool *found)
{
    struct text_line line;
    for (; s->kind < DECLARED_KINDS; ++s->kind, s->at = 0, s->in_rest = false) {
        int rc = next_place(s, &line, found);
        if (rc != 0 || *found)
            return rc == 0 ? make_declared(s, &line, out) : rc;
    }
    line_reader_fini(&s->places);
    memset(&s->places, 0, sizeof s->places);
    return 0;
}

/* --- groups ---------------------------------------------------------------------------------------- */

/* Returns true if the group ends before this line: it has its backtrace, and another call begins. */
static bool ends_group(const struct call_group *g, enum text_line_kind kind)
{
    return kind == TEXT_LINE_EMPTY || (kind == TEXT_LINE_CALL && call_group_has_frames(g));
}

/* Reads ahead to the backtrace of a long group. Its calls are read after that. */
static int look_for_backtrace(struct text_source *s)
{
    uint64_t start = s->lines.offset;
    struct text_slice text;
    struct text_line line;
    bool found = true;
    int rc;
    for (;;) {
        s->known_until = s->lines.offset;
        rc = line_reader_next(&s->lines, &text, &found);
        if (rc != 0 || !found)
            break;
        text_line_parse(&line, text);
        if (ends_group(&s->group, line.kind))
            break;
        if (line.kind == TEXT_LINE_FRAME && (rc = call_group_add_frame(&s->group, &line.u.frame)) != 0)
            break;
    }
    s->lines.offset = start;
    return rc;
}

/* Skips the heap statistics that the first pass has read. Others are comments. */
static int skip_heap(struct text_source *s, uint64_t offset, bool *is_heap)
{
    struct trace_heap heap;
    *is_heap = s->declared.has_heap && s->declared.heap.offset == offset;
    return *is_heap ? text_take_heap(&s->lines, &heap, is_heap) : 0;
}

static int add_comment(struct text_source *s, struct text_slice text)
{
    return call_group_add_comment(&s->group, &s->pool, text);
}

/* Outside a group, the parts of a call are comments. */
static int add_part(struct text_source *s, const struct text_line *line, struct text_slice text,
                    uint64_t offset)
{
    struct call_group *g = &s->group;
    bool in_group = g->last_call != NULL || offset < s->known_until;
    if (line->kind == TEXT_LINE_FRAME && in_group)
        return offset < s->known_until ? 0 : call_group_add_frame(g, &line->u.frame);
    if (line->kind == TEXT_LINE_ARG && g->last_call != NULL)
        return call_group_add_arg(g, &line->u.arg);
    return add_comment(s, text);
}

static int add_line(struct text_source *s, struct text_slice text, uint64_t offset)
{
    enum declared_kind kind;
    struct text_line line;
    bool is_heap;
    int rc;
    text_line_parse(&line, text);
    switch (line.kind) {
    case TEXT_LINE_EMPTY:
        s->complete = true;
        return 0;
    case TEXT_LINE_CALL:
        return call_group_add_call(&s->group, &s->pool, &s->names, &line.u.call);
    case TEXT_LINE_ARG:
    case TEXT_LINE_FRAME:
        return add_part(s, &line, text, offset);
    case TEXT_LINE_HEAP:
        rc = skip_heap(s, offset, &is_heap);
        return rc != 0 || is_heap ? rc : add_comment(s, text);
    default:
        return text_line_declares(line.kind, &kind) ? 0 : add_comment(s, text);
    }
}

/* Adds a line to the group, or notices that the group is complete before it. */
static int read_line(struct text_source *s)
{
    uint64_t offset = s->lines.offset;
    struct text_slice text;
    bool found;
    int rc = line_reader_next(&s->lines, &text, &found);
    if (rc != 0)
        return rc;
    bool known = offset < s->known_until;
    s->ended = !found;
    if (!found || (s->known_until != 0 && !known)) {
        s->complete = true;
        s->known_until = 0;
        s->lines.offset = offset;
        return 0;
    }
    if (!known && call_group_has_frames(&s->group) && text.length > 0 && text.text[0] >= '0' &&
        text.text[0] <= '9') {
        struct text_line line;
        text_line_parse(&line, text);
        if (line.kind == TEXT_LINE_CALL) { /* the next group begins without an empty line in between */
            s->complete = true;
            s->lines.offset = offset;
            return 0;
        }
    }
    return add_line(s, text, offset);
}

/* Returns true if the first event of the group can be yielded. */
static bool is_ready(const struct text_source *s)
{
    const struct call_group *g = &s->group;
    if (g->count == 0)
        return false;
    if (s->complete || g->first->event.kind == TRACE_EVENT_COMMENT)
        return true;
    /* The arguments are complete when another call follows, or when waiting would take too long. */
    return s->known_until != 0 && (g->first != g->last_call || g->count >= GROUP_MAX);
}

static int next_event(struct text_source *s, struct trace_event *out, bool *found)
{
    struct event_block *block;
    int rc = 0;
    *found = true;
    while (rc == 0 && !is_ready(s)) {
        if (s->complete)
            call_group_end(&s->group);
        s->complete = false;
        if (s->ended) {
            *found = false;
            return 0;
        }
        rc = read_line(s);
        if (rc == 0 && s->group.count >= GROUP_MAX && s->known_until == 0)
            rc = look_for_backtrace(s);
    }
    if (rc != 0)
        return rc;
    rc = call_group_take(&s->group, &s->names, &block);
    if (rc == 0)
        event_block_hand_out(block, out);
    else
        event_pool_give_back(&s->pool, block);
    return rc;
}

/* --- the source ------------------------------------------------------------------------------------ */

static int source_next(struct trace_source *source, struct trace_event *out)
{
    struct text_source *s = cast(source);
    bool found = false;
    int rc = 0;
    if (s->rc != 0)
        return trace_error_set(s->rc, "%s: reading it failed earlier", s->name);
    if (!s->has_declared) {
        rc = next_declared(s, out, &found);
        s->has_declared = !found;
    }
    if (rc == 0 && !found)
        rc = next_event(s, out, &found);
    if (rc == 0 && !found)
        *out = (struct trace_event){.kind = TRACE_EVENT_END};
    return rc == 0 ? 0 : fail(s, rc);
}

static void source_release(struct trace_source *source, const struct trace_event *event)
{
    event_pool_release(&cast(source)->pool, event);
}

static void source_set_progress(struct trace_source *source, struct trace_progress_callback progress)
{
    struct text_source *s = cast(source);
    s->lines.window.progress = progress;
    if (progress.report != NULL)
        progress.report(progress.context, 0, s->file.size);
}

static const struct trace_clock *source_clock(struct trace_source *source)
{
    (void)source;
    return &sp_rtrace_clock;
}

static void source_resume_after_damage(struct trace_source *source)
{
    (void)source; /* any line is valid */
}

static void source_close(struct trace_source *source)
{
    struct text_source *s = cast(source);
    call_group_fini(&s->group, &s->pool);
    event_pool_fini(&s->pool);
    line_reader_fini(&s->places);
    line_reader_fini(&s->lines);
    log_names_fini(&s->names);
    declared_fini(&s->declared);
    text_header_fini(&s->header);
    trace_file_close(&s->file);
    free(s->name);
    free(s);
}

static const struct trace_source_ops ops = {
    .next = source_next,
    .release = source_release,
    .close = source_close,
    .resume_after_damage = source_resume_after_damage,
    .set_progress = source_set_progress,
    .clock = source_clock,
};

/* --- opening --------------------------------------------------------------------------------------- */

/* If the first line is not a header, it is parsed like any other. */
static int read_header(struct text_source *s)
{
    struct text_slice line;
    bool found;
    int rc = line_reader_next(&s->lines, &line, &found);
    s->header.process = -1;
    if (rc != 0)
        return rc;
    if (!found || !text_is_header(line)) {
        s->lines.offset = 0;
        return 0;
    }
    rc = text_header_parse(&s->header, line);
    if (rc == TRACE_ERR_FORMAT) { /* it is then a comment */
        text_header_fini(&s->header);
        s->header = (struct text_header){.process = -1};
        s->lines.offset = 0;
        return 0;
    }
    s->names.process = s->header.process;
    s->base.properties = s->header.properties;
    s->base.property_count = s->header.count;
    return rc;
}

static int read_text(struct text_source *s)
{
    int rc = file_window_make_seekable(&s->file);
    if (rc != 0)
        return rc;
    line_reader_init(&s->lines, &s->file);
    line_reader_init(&s->places, &s->file);
    rc = read_header(s);
    return rc == 0 ? text_scan(&s->declared, &s->names, &s->file, s->lines.offset) : rc;
}

int sp_rtrace_text_open(struct trace_source **out, struct trace_probe *probe)
{
    struct text_source *s = calloc(1, sizeof *s);
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "%s: out of memory", probe->name);
    log_names_init(&s->names);
    s->base.ops = &ops;
    s->base.format_name = SP_RTRACE_TEXT;
    s->base.order = TRACE_ORDER_TIME;
    s->next_id = TEXT_IDS_WITHOUT_BIT;
    s->name = strdup(probe->name);
    trace_probe_take_file(probe, &s->file);
    int rc = s->name != NULL ? read_text(s) : trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    if (rc != 0) {
        trace_error_prefix(rc, "%s", probe->name);
        source_close(&s->base);
        return rc;
    }
    *out = &s->base;
    return 0;
}

/* --- bid ------------------------------------------------------------------------------------------- */

/* Arguments and frames also occur in other texts, so they are not sufficient. */
static bool is_record(struct text_slice line)
{
    struct text_line parsed;
    enum declared_kind kind;
    text_line_parse(&parsed, line);
    return parsed.kind == TEXT_LINE_CALL || text_line_declares(parsed.kind, &kind);
}

int sp_rtrace_text_bid(const struct trace_probe *probe)
{
    const char *at = (const char *)probe->head, *end = at + probe->head_count;
    if (probe->is_directory || memchr(at, '\0', probe->head_count) != NULL)
        return TRACE_BID_NONE;
    at += line_reader_skip_mark(at, probe->head_count);
    if (text_is_header((struct text_slice){at, (size_t)(end - at)}))
        return TRACE_BID_LIKELY;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        bool is_cut = line_end == NULL && probe->head_count == sizeof probe->head;
        size_t length = (size_t)((line_end != NULL ? line_end : end) - at);
        bool is_foreign = length > 0 && at[length - 1] == '\r';
        if (!is_cut && is_record((struct text_slice){at, length - is_foreign}))
            return TRACE_BID_LIKELY;
        at += length + 1;
    }
    return TRACE_BID_NONE;
}
