/* SPDX-License-Identifier: MIT
 * Error codes and the thread-local message that goes with them.
 * A function that can fail returns 0 or one of these codes after it set the message; each caller may
 * prefix context ("app.trace: chunk 17: …"). Only main() prints and exits.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/api.h"

TRACE_API_BEGIN

enum trace_error_code {
    TRACE_ERR_NONE = 0,
    TRACE_ERR_MEMORY = -1,      /* allocation failed */
    TRACE_ERR_IO = -2,          /* a system call failed: missing file, no space, … */
    TRACE_ERR_FORMAT = -3,      /* malformed input */
    TRACE_ERR_TRUNCATED = -4,   /* input ends too early */
    TRACE_ERR_UNSUPPORTED = -5, /* well-formed, but not something this build handles */
    TRACE_ERR_USAGE = -6,       /* wrong arguments */
    TRACE_ERR_DAMAGED = -7,     /* a part of the input is lost; what follows it can still be read */
};

/* Sets the message (cut at 511 bytes) and returns code, so that `return trace_error_set(TRACE_ERR_IO, …)`
 * reads well. */
int trace_error_set(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like trace_error_set(), with ": " and strerror(errno_value) appended. */
int trace_error_set_errno(int code, int errno_value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "<formatted>: " before the present message; returns code. */
int trace_error_prefix(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define TRACE_ERROR_MESSAGE_SIZE 512 /* bytes, with the NUL */

/* An error that is kept while other things are done. All zero: none. */
struct trace_kept_error {
    int code;
    char message[TRACE_ERROR_MESSAGE_SIZE];
};

/* Keeps the calling thread's message, all of it, with code; returns code. Any thread may restore it, which
 * makes it that thread's message and returns the code. */
int trace_error_keep(struct trace_kept_error *out, int code);
int trace_error_restore(const struct trace_kept_error *kept);

/* The calling thread's message; "" if none was set. Lent until the thread's next trace_error_*() call. */
const char *trace_error_message(void);

TRACE_API_END

#endif
