/* SPDX-License-Identifier: MIT
 * The result of several steps that are all done, whatever became of those before. Error codes are negative
 * numbers: joined with |, two of them make a third. Only results that are 0 or TRACE_ERR_MEMORY (-1), as
 * those of buffers (base/buf.h), may be joined so.
 */
#ifndef BASE_FIRST_ERROR_H
#define BASE_FIRST_ERROR_H

/* rc, or if that is 0, next. The message is that of the last step that has failed. */
static inline int first_error(int rc, int next)
{
    return rc != 0 ? rc : next;
}

#endif
