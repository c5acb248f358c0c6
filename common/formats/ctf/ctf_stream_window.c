/* SPDX-License-Identifier: MIT */
#include "formats/ctf/ctf_stream_window.h"

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
    if (count > limit / 8 + 1)
        count = (size_t)(limit / 8 + 1);
    if (s->expanded.len > 0) {
        s->d.data = s->expanded.data + start;
        got = s->expanded.len - (size_t)start;
        set_place(s, start, bit, limit, got);
        return 0;
    }
    int rc = ctf_window_get(&s->window, s->packet_at + start, before + count, &s->d.data, &got);
    if (rc != 0)
        return trace_error_prefix(rc, "%s", s->path);
    set_place(s, start, bit, limit, got);
    return 0;
}

/* The file may have become shorter since it was opened. */
static int load_more(struct ctf_stream *s, size_t *count)
{
    uint64_t end = s->shift + s->d.end;
    *count = *count * 2 > LEAST ? *count * 2 : LEAST;
    int rc = ctf_stream_place(s, s->shift + s->d.at, *count);
    if (rc == 0 && s->shift + s->d.end <= end)
        return trace_error_set(TRACE_ERR_DAMAGED, "the file ends within a field");
    return rc;
}

int ctf_stream_decode(struct ctf_stream *s, const struct ctf_program *program, struct trace_value *out)
{
    uint64_t clock = s->d.clock, bit = s->shift + s->d.at;
    size_t count = s->d.end > s->d.at ? (size_t)((s->d.end - s->d.at) / 8) : 0;
    int rc;
    while ((rc = ctf_decode(&s->d, program, out)) == CTF_MORE) {
        s->d.at = bit - s->shift;
        s->d.clock = clock;
        rc = load_more(s, &count);
        if (rc != 0)
            return rc;
    }
    return rc;
}
