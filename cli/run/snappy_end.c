/* SPDX-License-Identifier: MIT */
#include "run/snappy_end.h"

#include <unistd.h>

#define PROLOGUE 2 /* the file begins with "at" */

static void take_head(struct snappy_end *s)
{
    if (s->size == PROLOGUE) {
        s->is_other = s->head[0] != 'a' || s->head[1] != 't';
        s->whole = PROLOGUE;
        s->head_size = 0;
    } else if (s->head_size == sizeof s->head) {
        s->left =
            s->head[0] | (uint64_t)s->head[1] << 8 | (uint64_t)s->head[2] << 16 | (uint64_t)s->head[3] << 24;
        s->head_size = 0;
    }
}

void snappy_end_follow(struct snappy_end *s, const uint8_t *bytes, size_t size)
{
    while (size > 0 && !s->is_other) {
        uint64_t n = 1;
        if (s->left > 0) {
            n = size < s->left ? size : s->left;
            s->left -= n;
            s->size += n;
            s->whole = s->left == 0 ? s->size : s->whole;
        } else {
            s->head[s->head_size++] = *bytes;
            s->size++;
            take_head(s);
        }
        bytes += n;
        size -= (size_t)n;
    }
}

void snappy_end_cut(const struct snappy_end *s, int file)
{
    if (!s->is_other && s->whole > 0 && ftruncate(file, (off_t)s->whole) != 0)
        return; /* it has some bytes too many, which most readers skip */
}
