/* SPDX-License-Identifier: MIT */
#include "objects/list_bases.h"

void list_bases_push(struct list_bases *b, bool is_saved)
{
    if (b->depth < MAX_SAVED_BASES)
        b->saved[b->depth++] = (struct saved_base){b->now, is_saved};
}

void list_bases_pop(struct list_bases *b)
{
    if (b->depth == 0)
        return;
    b->depth--;
    if (b->saved[b->depth].is_saved)
        b->now = b->saved[b->depth].base;
}
