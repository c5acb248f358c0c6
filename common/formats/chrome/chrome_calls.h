/* SPDX-License-Identifier: MIT
 * The calls of a thread that have been begun in the output. Viewers match an end with the latest beginning,
 * so calls within one that ends must be ended before.
 */
#ifndef CHROME_CALLS_H
#define CHROME_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise it before use. */
struct chrome_calls {
    uint64_t *numbers;
    size_t count;
    size_t room;
};

void chrome_calls_fini(struct chrome_calls *c);

/* Errors: TRACE_ERR_MEMORY. */
int chrome_calls_begin(struct chrome_calls *c, uint64_t number);

/* Returns how many calls end with this one, itself included, and forgets them; 0 if it is not open. */
size_t chrome_calls_end(struct chrome_calls *c, uint64_t number);

#endif
