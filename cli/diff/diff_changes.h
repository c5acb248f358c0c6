/* SPDX-License-Identifier: MIT
 * Which parts of a call's text differ from that of another call of the same function.
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

/* Arguments and the return value as a whole; all of them from the first to the last that differ, if there are
 * more of them than fit or the calls have different ones. Texts as of call_text.h, each on one line, without
 * its end. */
void diff_find_changes(struct diff_changes *out, const char *text, size_t size, const char *other,
                       size_t other_size);

#endif
