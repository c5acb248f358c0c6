/* SPDX-License-Identifier: MIT
 * Prints the differences of two state dumps, in the form of apitrace's diff-state.
 */
#ifndef CLI_STATE_PRINT_H
#define CLI_STATE_PRINT_H

#include "base/buf.h"
#include "base/json_value.h"

struct state_print {
    struct buf *out; /* borrowed */
    bool color, ignore_added;
    int level;   /* of indentation */
    bool failed; /* out of memory */
};

/* Prints what differs between two prepared values (state_tree.h), which are not equal. */
void state_print_difference(struct state_print *p, const struct json_value *a, const struct json_value *b);

#endif
