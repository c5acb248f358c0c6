/* SPDX-License-Identifier: MIT */
#include "call_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

char log_text[4096];

void note(const char *format, ...)
{
    size_t n = strlen(log_text);
    va_list args;
    va_start(args, format);
    vsnprintf(log_text + n, sizeof log_text - n, format, args);
    va_end(args);
}

void expect_log(const char *expected)
{
    assert_string_equal(log_text, expected);
    log_text[0] = '\0';
}
