/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/packet_walk.h"

#include "formats/sp_rtrace/packet_search.h"

#include "base/error.h"

#define NOWHERE    UINT64_MAX
#define USUAL_SIZE 1024 /* bytes of data */

void packet_walk_init(struct packet_walk *w, struct trace_file *file, const struct packet_style *style,
                      uint64_t offset)
{
    *w =
        (struct packet_walk){.style = *style, .offset = offset, .corrected = NOWHERE, .no_log_until = offset};
    file_window_init(&w->window, file);
}

void packet_walk_fini(struct packet_walk *w)
{
    file_window_fini(&w->window);
}

static int end(struct packet_walk *w, struct packet *out)
{
    w->ended = true;
    *out = (struct packet){.type = PACKET_NONE, .known = true, .offset = w->offset};
    return 0;
}

static int cut_off(struct packet_walk *w)
{
    w->ended = true;
    return trace_error_set(TRACE_ERR_TRUNCATED, "the file ends inside the packet at offset %llu",
                           (unsigned long long)w->offset);
}

/* The fast path for valid calls and backtraces of moderate size, which are most packets. */
static bool take_usual(struct packet_walk *w, struct packet *out)
{
    uint64_t at = w->offset - w->window.start;
    const struct packet_style *style = &w->style;
    if (at > w->window.len || w->window.len - at < PACKET_HEAD + USUAL_SIZE)
        return false;
    const uint8_t *head = w->window.data + at, *data = head + PACKET_HEAD;
    size_t fields;
    if (!packet_read_head(style, head, &out->type, &out->size) || out->size > USUAL_SIZE)
        return false;
    if (out->type == PACKET_CALL)
        fields = 16 + packet_string_size(packet_u16(style, data + 16)) + 4 + style->pointer_size;
    else if (out->type == PACKET_BTRC)
        fields = 4 + (size_t)packet_u32(style, data) * style->pointer_size;
    else
        return false;
    uint64_t behind = w->offset + PACKET_HEAD + (uint64_t)fields;
    if (fields != out->size || w->offset == w->corrected || behind > w->no_log_until)
        return false;
    out->known = true;
    out->offset = w->offset;
    out->data = data;
    w->offset = behind;
    return true;
}

/* Continues at the next place that looks like a packet. is_cut: the packet here is longer than the file. */
static int search(struct packet_walk *w, bool is_cut)
{
    uint64_t found, from = w->offset;
    int rc = packet_search(&w->window, &w->style, w->offset + 1, &found);
    if (rc != 0)
        return rc;
    if (found == PACKET_NOT_FOUND && is_cut)
        return cut_off(w);
    w->lost = true;
    w->ended = found == PACKET_NOT_FOUND;
    w->offset = found;
    if (w->ended)
        return trace_error_set(TRACE_ERR_DAMAGED, "no packet begins at offset %llu, and none follows",
                               (unsigned long long)from);
    return trace_error_set(TRACE_ERR_DAMAGED,
                           "no packet begins at offset %llu: the next one is at offset %llu",
                           (unsigned long long)from, (unsigned long long)found);
}

/* Two logs were concatenated. The handshake of the second one says how its packets are written. */
static int begin_log(struct packet_walk *w, const struct handshake *handshake)
{
    uint64_t at = w->offset;
    const uint8_t *head;
    size_t got;
    w->offset += handshake->size;
    if (w->no_log_until < w->offset)
        w->no_log_until = w->offset;
    w->style = handshake->style;
    w->met_log = true;
    w->lost = true;
    int rc = file_window_get(&w->window, w->offset, PACKET_HEAD, &head, &got);
    if (rc != 0)
        return rc;
    packet_style_see_first(&w->style, head, got);
    return trace_error_set(TRACE_ERR_DAMAGED, "another log begins at offset %llu", (unsigned long long)at);
}

/* The packet here would extend beyond the handshake of another log, so it was cut off there. */
static int meet_log(struct packet_walk *w, uint64_t log)
{
    struct handshake handshake;
    const uint8_t *bytes;
    size_t got;
    uint64_t at = w->offset;
    w->offset = log;
    int rc = file_window_get(&w->window, log, HANDSHAKE_MAX, &bytes, &got);
    if (rc != 0)
        return rc;
    if (!handshake_parse(&handshake, bytes, got)) /* the file has been changed meanwhile */
        return trace_error_set(TRACE_ERR_DAMAGED, "no packet begins at offset %llu", (unsigned long long)log);
    rc = begin_log(w, &handshake);
    return rc != TRACE_ERR_DAMAGED
               ? rc
               : trace_error_set(rc,
                                 "the packet at offset %llu is cut off: another log begins at offset %llu",
                                 (unsigned long long)at, (unsigned long long)log);
}

/* Continues at an offset, unless another log begins before it. *out is the packet that ends there. */
static int go_to(struct packet_walk *w, uint64_t behind, bool *met)
{
    uint64_t until;
    *met = false;
    if (behind > w->no_log_until) {
        uint64_t from = w->no_log_until > w->offset ? w->no_log_until : w->offset + 1;
        int rc = packet_search_log(&w->window, from, behind, &until, met);
        if (rc != 0)
            return rc;
        w->no_log_until = until;
        *met = *met && until < behind;
        if (*met)
            return meet_log(w, until);
    }
    w->offset = behind;
    return 0;
}

static int take(struct packet_walk *w, struct packet *out)
{
    bool met;
    return go_to(w, w->offset + PACKET_HEAD + (uint64_t)out->size, &met);
}

/* A head with an unknown type: a packet of a later version, another log, or damage. */
static int pass_unknown(struct packet_walk *w, struct packet *out, bool has_head)
{
    struct handshake handshake;
    const uint8_t *bytes;
    size_t got;
    uint64_t behind = w->offset + PACKET_HEAD + out->size;
    bool likely = has_head && packet_type_is_likely(out->type);
    if (likely && packet_may_begin(&w->window, &w->style, behind, true)) {
        out->data = NULL;
        return take(w, out);
    }
    int rc = file_window_get(&w->window, w->offset, HANDSHAKE_MAX, &bytes, &got);
    if (rc != 0)
        return rc;
    if (handshake_parse(&handshake, bytes, got))
        return begin_log(w, &handshake);
    return search(w, likely && behind > w->window.file->size);
}

/* Ends the packet after its fields, so that it can be read. */
static int correct_size(struct packet_walk *w, size_t fields)
{
    w->corrected = w->offset;
    w->corrected_size = (uint32_t)fields;
    w->lost = false;
    return trace_error_set(TRACE_ERR_DAMAGED, "the size of the packet at offset %llu is wrong",
                           (unsigned long long)w->offset);
}

static int leave_out(struct packet_walk *w, uint64_t behind)
{
    uint64_t at = w->offset;
    bool met;
    int rc = go_to(w, behind, &met);
    if (rc != 0)
        return rc;
    w->lost = false;
    return trace_error_set(TRACE_ERR_DAMAGED, "a count or length in the packet at offset %llu is wrong",
                           (unsigned long long)at);
}

/* The fields of a packet of a known type do not end where its size says. The packet ends at the first of the
 * two ends that a packet of a known type follows. If none follows, the packet may have fields of a later
 * version. */
static int weigh(struct packet_walk *w, struct packet *out)
{
    const uint8_t *bytes;
    size_t got;
    int rc = file_window_get(&w->window, w->offset, PACKET_HEAD + PACKET_LOOKAHEAD, &bytes, &got);
    if (rc != 0)
        return rc;
    got = got < PACKET_HEAD + PACKET_LOOKAHEAD ? got : PACKET_HEAD + PACKET_LOOKAHEAD;
    uint64_t data = w->offset + PACKET_HEAD, behind = data + out->size;
    size_t fields =
        packet_fields_size(&w->style, out->type, out->size, bytes + PACKET_HEAD, got - PACKET_HEAD);
    bool size_ends = packet_may_begin(&w->window, &w->style, behind, false);
    bool fields_end = fields != SIZE_MAX && packet_may_begin(&w->window, &w->style, data + fields, false);
    if (fields_end && (fields < out->size || !size_ends))
        return correct_size(w, fields);
    if (size_ends && fields > out->size)
        return leave_out(w, behind);
    if (fields > out->size || behind > w->window.file->size)
        return search(w, behind > w->window.file->size);
    rc = file_window_get(&w->window, w->offset, PACKET_HEAD + (size_t)out->size, &bytes, &got);
    out->data = bytes + PACKET_HEAD;
    return rc == 0 ? take(w, out) : rc;
}

/* A packet of this size is only accepted, and read, if something follows it. */
static bool is_absurd(struct packet_walk *w, uint32_t size)
{
    uint64_t behind = w->offset + PACKET_HEAD + size;
    return size > PACKET_LOOKAHEAD && !packet_may_begin(&w->window, &w->style, behind, true);
}

int packet_walk_next(struct packet_walk *w, struct packet *out)
{
    const uint8_t *bytes;
    size_t got;
    if (w->ended)
        return end(w, out);
    if (take_usual(w, out))
        return 0;
    int rc = file_window_get(&w->window, w->offset, PACKET_HEAD, &bytes, &got);
    if (rc != 0)
        return rc;
    if (got < PACKET_HEAD)
        return got == 0 ? end(w, out) : cut_off(w);
    out->offset = w->offset;
    bool has_head = packet_read_head(&w->style, bytes, &out->type, &out->size);
    if (w->offset == w->corrected)
        out->size = w->corrected_size;
    out->known = packet_type_is_known(out->type);
    if (!has_head || !out->known)
        return w->offset == w->corrected ? search(w, false) : pass_unknown(w, out, has_head);
    if (is_absurd(w, out->size))
        return weigh(w, out);
    rc = file_window_get(&w->window, w->offset, PACKET_HEAD + (size_t)out->size, &bytes, &got);
    if (rc != 0)
        return rc;
    out->data = bytes + PACKET_HEAD;
    size_t count = got - PACKET_HEAD < out->size ? got - PACKET_HEAD : out->size;
    if (packet_fields_size(&w->style, out->type, out->size, out->data, count) != out->size)
        return weigh(w, out);
    return take(w, out);
}
