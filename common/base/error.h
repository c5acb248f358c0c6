/* SPDX-License-Identifier: MIT
 * Error codes and the thread-local message that belongs to them. A function that can fail returns 0, or sets
 * the message and returns one of these codes. Its callers may add context before the message ("app.trace:
 * chunk 17: …"). Only main() prints and exits.
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
    TRACE_ERR_UNSUPPORTED = -5, /* valid, but not supported by this build */
    TRACE_ERR_USAGE = -6,       /* wrong arguments */
    TRACE_ERR_DAMAGED = -7,     /* part of the input is lost; what follows it can still be read */
};

/* Sets the message, which is cut at 511 bytes. Returns code, so that callers can write
 * `return trace_error_set(TRACE_ERR_IO, …)`. */
int trace_error_set(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Does the same as trace_error_set(), with ": " and strerror(errno_value) appended. */
int trace_error_set_errno(int code, int errno_value, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "<formatted>: " before the current message. Returns code. */
int trace_error_prefix(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define TRACE_ERROR_MESSAGE_SIZE 512 /* in bytes, with the NUL */

/* An error that is kept while other functions are called. All zero: no error. */
struct trace_kept_error {
    int code;
    char message[TRACE_ERROR_MESSAGE_SIZE];
};

/* trace_error_keep() copies code and the calling thread's message to *out, and returns code.
 * trace_error_restore() makes the kept message that of the calling thread, which may be a different thread,
 * and returns the kept code. */
int trace_error_keep(struct trace_kept_error *out, int code);
int trace_error_restore(const struct trace_kept_error *kept);

/* Returns the calling thread's message, or "" if none was set. Lent until the thread's next trace_error_*()
 * call. */
const char *trace_error_message(void);

TRACE_API_END

#endif
