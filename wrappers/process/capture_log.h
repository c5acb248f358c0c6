/* SPDX-License-Identifier: MIT
 * Messages of the preloaded library for the user.
 */
#ifndef PROCESS_CAPTURE_LOG_H
#define PROCESS_CAPTURE_LOG_H

/* Writes one line to the standard error: "trace-cli: PROGRAM: ", followed by the message. */
void capture_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
