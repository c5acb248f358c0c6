/* SPDX-License-Identifier: MIT */
#include "base/buf.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

void buf_init(struct buf *b)
{
    *b = BUF_INIT;
}

void buf_fini(struct buf *b)
{
    free(b->data);
    *b = BUF_INIT;
}

int buf_grow(struct buf *b, size_t extra)
{
    if (extra > SIZE_MAX / 2 - b->len)
        return trace_error_set(TRACE_ERR_MEMORY, "buffer of %zu + %zu bytes is too large", b->len, extra);
    size_t cap = b->cap < 64 ? 64 : b->cap;
    while (cap < b->len + extra)
        cap *= 2;
    uint8_t *data = realloc(b->data, cap);
    if (data == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: buffer of %zu bytes", cap);
    b->data = data;
    b->cap = cap;
    return 0;
}

int buf_append_string(struct buf *b, const char *string)
{
    return buf_append(b, string, strlen(string));
}

int buf_printf(struct buf *b, const char *format, ...)
{
    va_list ap, again;
    va_start(ap, format);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, format, ap);
    va_end(ap);
    int rc = n < 0 ? TRACE_ERR_MEMORY : buf_reserve(b, (size_t)n + 1);
    if (rc == 0) {
        vsnprintf((char *)b->data + b->len, (size_t)n + 1, format, again);
        b->len += (size_t)n;
    }
    va_end(again);
    return rc;
}

void buf_consume(struct buf *b, size_t count)
{
    memmove(b->data, b->data + count, b->len - count);
    b->len -= count;
}
