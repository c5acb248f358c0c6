/* SPDX-License-Identifier: MIT
 * What the preloaded library has to say to the user.
 */
#ifndef PROCESS_CAPTURE_LOG_H
#define PROCESS_CAPTURE_LOG_H

/* Writes one line to the standard error: "trace-cli: PROGRAM: " and the message. */
void capture_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
