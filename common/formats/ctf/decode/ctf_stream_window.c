/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_stream_window.h"

#include "formats/ctf/decode/ctf_event_bits.h"

#define LEAST 4096 /* bytes */

static void set_place(struct ctf_stream *s, uint64_t start, uint64_t bit, uint64_t limit, size_t got)
{
    s->shift = start * 8;
    s->d.at = bit - s->shift;
    s->d.limit = limit;
    s->d.end = (uint64_t)got * 8 < limit ? (uint64_t)got * 8 : limit;
}

int ctf_stream_place(struct ctf_stream *s, uint64_t bit, size_t count)
{
    const uint64_t unit = CTF_ALIGN_MAX / 8;
    uint64_t start = bit / 8 / unit * unit;
    size_t before = (size_t)(bit / 8 - start), got;
    uint64_t limit = s->content_bits - start * 8;
    ctf_event_bits_leave(s);
    if (count > limit / 8 + 1)
        count = (size_t)(limit / 8 + 1);
    if (s->expanded.len > 0) {
        s->d.data = s->expanded.data + start;
        got = s->expanded.len - (size_t)start;
        set_place(s, start, bit, limit, got);
        return 0;
    }
    int rc = ctf_window_get(&s->window, s->packet_at + start, before + count, &s->d.data, &got);
    if (rc == 0)
        set_place(s, start, bit, limit, got);
    return rc;
}

/* At least twice as much as there is. The file may have become shorter since it was opened. */
static int load_more(struct ctf_stream *s)
{
    uint64_t end = s->shift + s->d.end;
    size_t count = s->d.end > s->d.at ? (size_t)((s->d.end - s->d.at) / 8) * 2 : 0;
    int rc = ctf_stream_place(s, s->shift + s->d.at, count > LEAST ? count : LEAST);
    if (rc == 0 && s->shift + s->d.end <= end)
        return trace_error_set(TRACE_ERR_DAMAGED, "the file ends within a field");
    return rc;
}

int ctf_stream_decode(struct ctf_stream *s, const struct ctf_program *program, struct trace_value *out)
{
    const uint64_t bit = s->shift + s->d.at, clock = s->d.clock;
    if (program->count > 0 && program->ops[0].is_hidden)
        out = NULL;
    int rc = ctf_decode(&s->d, program, out);
    while (rc == CTF_MORE) {
        s->d.at = bit - s->shift;
        s->d.clock = clock;
        rc = load_more(s);
        if (rc == 0)
            rc = ctf_decode(&s->d, program, out);
    }
    return rc;
}
