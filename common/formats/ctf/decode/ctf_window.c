/* SPDX-License-Identifier: MIT */
#include "formats/ctf/decode/ctf_window.h"

#include "base/error.h"

void ctf_window_fini(struct ctf_window *w)
{
    buf_fini(&w->bytes);
}

static void move_to(struct ctf_window *w, uint64_t offset)
{
    uint64_t at = offset - w->start;
    if (at == 0 && offset == w->start)
        return;
    if (offset >= w->start && at <= w->bytes.len)
        buf_consume(&w->bytes, (size_t)at);
    else
        buf_clear(&w->bytes);
    w->start = offset;
}

/* A false count does not allocate memory: the window grows with the bytes that there are. */
static int add_step(struct ctf_window *w, size_t *got)
{
    if (buf_reserve(&w->bytes, w->step) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    int rc = ctf_file_read_at(w->file, w->start + w->bytes.len, w->bytes.data + w->bytes.len, w->step, got);
    if (rc == 0)
        w->bytes.len += *got;
    return rc;
}

int ctf_window_get(struct ctf_window *w, uint64_t offset, size_t count, const uint8_t **out, size_t *got)
{
    uint64_t at = offset - w->start;
    size_t step = w->step;
    int rc = 0;
    if (offset < w->start || at > w->bytes.len || w->bytes.len - at < count) {
        move_to(w, offset);
        at = 0;
        while (rc == 0 && w->bytes.len < count && step == w->step)
            rc = add_step(w, &step);
    }
    *out = w->bytes.data + at;
    *got = w->bytes.len - (size_t)at;
    return rc;
}
