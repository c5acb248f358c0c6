/* SPDX-License-Identifier: MIT
 * The program that wrote one of XRay's logs, by the names that the runtime and trace-cli give to logs.
 */
#ifndef CLI_LOG_PROGRAM_H
#define CLI_LOG_PROGRAM_H

/* Looks for the program beside the log, in the current directory and in PATH. *out is NULL if the log's name
 * tells none, or if none was found that has an instrumentation map and is not newer than the log; it is said
 * on the standard error if one was newer. The caller frees *out. Errors: TRACE_ERR_MEMORY. */
int log_program_find(const char *log, char **out);

#endif
