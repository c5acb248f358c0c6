/* SPDX-License-Identifier: MIT
 * A trace file that can be opened several times. The contents of a pipe are copied to an unlinked temporary
 * file.
 */
#ifndef CLI_INPUT_FILE_H
#define CLI_INPUT_FILE_H

#include "trace/probe.h"

/* Zero-initialise it before use. */
struct input_file {
    const char *name; /* for messages; lent */
    const char *path; /* can be opened any number of times; stored here, or lent */
    char proc_path[32];
    int fd;
};

/* Copies the standard input ("-"), a named pipe or a socket. For any other file, it only notes the path.
 * After an error there is nothing to close. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int input_file_open(struct input_file *f, const char *path);
/* Does the same for a probed file at path that nothing else reads. */
int input_file_open_probed(struct input_file *f, struct trace_probe *probe, const char *path);
void input_file_close(struct input_file *f);

/* Replaces the name of the temporary file in the current error message by that of the original. Returns rc.
 */
int input_file_mend_message(const struct input_file *f, int rc);

#endif
