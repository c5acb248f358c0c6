/* SPDX-License-Identifier: MIT
 * Errors of a source: which of them end it, and which it says again.
 */
#ifndef FORMATS_SOURCE_ERRORS_H
#define FORMATS_SOURCE_ERRORS_H

#include "base/error.h"

#include <stdbool.h>

/* Zero-initialise it before use. */
struct source_errors {
    bool resumes; /* after damage; otherwise it ends the reading */
    int rc;       /* a permanent error; 0: none */
    char message[TRACE_ERROR_MESSAGE_SIZE];
};

/* Puts the file's name before the message of an error, and keeps the error if it is permanent. Damage is a
 * TRACE_ERR_FORMAT if nobody wants to read on. Returns the error. */
int source_errors_pass(struct source_errors *e, const char *name, int rc);

/* Sets the message again, and returns the permanent error, or 0. */
int source_errors_again(const struct source_errors *e);

#endif
