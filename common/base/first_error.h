/* SPDX-License-Identifier: MIT
 * The result of several steps that are all taken, even if one fails. Error codes must not be joined with |:
 * two different codes would make a third. Results that can only be 0 or TRACE_ERR_MEMORY (-1), such as those
 * of base/buf.h, are the exception.
 */
#ifndef BASE_FIRST_ERROR_H
#define BASE_FIRST_ERROR_H

/* Returns rc, or next if rc is 0. The message is that of the last step that failed. */
static inline int first_error(int rc, int next)
{
    return rc != 0 ? rc : next;
}

#endif
