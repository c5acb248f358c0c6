/* SPDX-License-Identifier: MIT */
#include "formats/chrome/chrome_calls.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>

void chrome_calls_fini(struct chrome_calls *c)
{
    free(c->numbers);
}

int chrome_calls_begin(struct chrome_calls *c, uint64_t number)
{
    if (ARRAY_RESERVE(c->numbers, c->count, c->room) != 0)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    c->numbers[c->count++] = number;
    return 0;
}

/* Numbers ascend, since calls are numbered in the order of entry. */
size_t chrome_calls_end(struct chrome_calls *c, uint64_t number)
{
    size_t i = c->count;
    while (i > 0 && c->numbers[i - 1] > number)
        --i;
    if (i == 0 || c->numbers[i - 1] != number)
        return 0;
    size_t ended = c->count - (i - 1);
    c->count = i - 1;
    return ended;
}
