/* SPDX-License-Identifier: MIT
 * Error codes and the thread-local message that goes with them.
 * A function that can fail returns 0 or one of these codes after it set the message; each caller may
 * prefix context ("app.trace: chunk 17: …"). Only main() prints and exits.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "base/api.h"

TRACE_API_BEGIN

enum error_code {
    ERR_NONE = 0,
    ERR_MEMORY = -1,      /* allocation failed */
    ERR_IO = -2,          /* a system call failed: missing file, no space, … */
    ERR_FORMAT = -3,      /* malformed input */
    ERR_TRUNCATED = -4,   /* input ends too early */
    ERR_UNSUPPORTED = -5, /* well-formed, but not something this build handles */
    ERR_USAGE = -6,       /* wrong arguments */
    ERR_DAMAGED = -7,     /* a part of the input is lost; what follows it can still be read */
};

/* Sets the message (cut at 511 bytes) and returns code, so that `return error_set(ERR_IO, …)` reads well. */
int error_set(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like error_set(), with ": " and strerror(errno_value) appended. */
int error_set_errno(int code, int errno_value, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Puts "<formatted>: " before the present message; returns code. */
int error_prefix(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The calling thread's message; "" if none was set. Lent until the thread's next error_*() call. */
const char *error_message(void);

TRACE_API_END

#endif
