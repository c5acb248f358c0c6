/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[TRACE_ERROR_MESSAGE_SIZE];

int trace_error_set(int code, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vsnprintf(message, sizeof message, format, ap);
    va_end(ap);
    return code;
}

/* Behind the message's first n bytes, as much of text as there is room for. */
static void append(int n, const char *text)
{
    int room = TRACE_ERROR_MESSAGE_SIZE - (int)sizeof ": " - n;
    if (n >= 0 && room >= 0)
        snprintf(message + n, sizeof message - (size_t)n, ": %.*s", room, text);
}

int trace_error_set_errno(int code, int errno_value, const char *format, ...)
{
    char reason[128];
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(message, sizeof message, format, ap);
    va_end(ap);
    append(n, strerror_r(errno_value, reason, sizeof reason));
    return code;
}

int trace_error_prefix(int code, const char *format, ...)
{
    char old[TRACE_ERROR_MESSAGE_SIZE];
    memcpy(old, message, sizeof old);
    va_list ap;
    va_start(ap, format);
    int n = vsnprintf(message, sizeof message, format, ap);
    va_end(ap);
    append(n, old);
    return code;
}

const char *trace_error_message(void)
{
    return message;
}

int trace_error_keep(struct trace_kept_error *out, int code)
{
    out->code = code;
    memcpy(out->message, message, sizeof out->message);
    return code;
}

int trace_error_restore(const struct trace_kept_error *kept)
{
    memcpy(message, kept->message, sizeof message);
    return kept->code;
}
