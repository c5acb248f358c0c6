/* SPDX-License-Identifier: MIT
 * What a library that a test makes up was called with.
 */
#ifndef TESTS_CALL_LOG_H
#define TESTS_CALL_LOG_H

/* May be cleared: log_text[0] = '\0'. */
extern char log_text[4096];

/* Adds to the log. */
__attribute__((format(printf, 1, 2))) void note(const char *format, ...);

/* Fails the test unless this is the whole log, and clears it. */
void expect_log(const char *expected);

#endif
