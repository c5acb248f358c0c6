/* SPDX-License-Identifier: MIT
 * A growable byte buffer.
 * Append functions return 0 or TRACE_ERR_MEMORY; a failed append leaves the contents as they were.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
    uint8_t *data; /* owned; may be NULL while cap is 0 */
    size_t len;    /* bytes in use */
    size_t cap;    /* bytes allocated */
};

#define BUF_INIT                                                                                             \
    (struct buf)                                                                                             \
    {                                                                                                        \
        NULL, 0, 0                                                                                           \
    }

void buf_init(struct buf *b);
void buf_fini(struct buf *b);

/* The slow path of buf_reserve(). */
int buf_grow(struct buf *b, size_t extra);

/* Makes room for extra bytes after len. The caller may then write them at data + len itself. */
static inline int buf_reserve(struct buf *b, size_t extra)
{
    return extra <= b->cap - b->len ? 0 : buf_grow(b, extra);
}

static inline int buf_append(struct buf *b, const void *bytes, size_t count)
{
    if (buf_reserve(b, count) != 0)
        return -1;
    if (count > 0)
        memcpy(b->data + b->len, bytes, count);
    b->len += count;
    return 0;
}

static inline int buf_append_byte(struct buf *b, uint8_t byte)
{
    if (buf_reserve(b, 1) != 0)
        return -1;
    b->data[b->len++] = byte;
    return 0;
}

int buf_append_string(struct buf *b, const char *string); /* without the NUL */
int buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Removes the contents and keeps the memory. */
static inline void buf_clear(struct buf *b)
{
    b->len = 0;
}

/* Removes the first count bytes. */
void buf_consume(struct buf *b, size_t count);

#endif
