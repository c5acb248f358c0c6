/* SPDX-License-Identifier: MIT
 * Finds the parts of a call's text that differ from another call of the same function.
 */
#ifndef CLI_DIFF_CHANGES_H
#define CLI_DIFF_CHANGES_H

#include <stddef.h>

#define DIFF_MAX_CHANGES 32

/* Parts of a text, as offsets, in ascending order. */
struct diff_changes {
    size_t count;
    struct diff_part {
        size_t at;
        size_t end;
    } parts[DIFF_MAX_CHANGES];
};

/* Finds the arguments, and the return value, that differ; each counts as a whole. If more differ than fit, or
 * if the calls do not have the same arguments, the result is one part: from the first that differs to the
 * last. The texts are those of call_text.h, on one line each, without line end. */
void diff_find_changes(struct diff_changes *out, const char *text, size_t size, const char *other,
                       size_t other_size);

#endif
