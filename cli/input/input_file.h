/* SPDX-License-Identifier: MIT
 * A trace file that can be opened more than once: what comes through a pipe is copied to a temporary file
 * without a name.
 */
#ifndef CLI_INPUT_FILE_H
#define CLI_INPUT_FILE_H

#include "trace/probe.h"

/* Zero-initialise. */
struct input_file {
    const char *name; /* for messages; lent */
    const char *path; /* to open, any number of times; in here, or lent */
    char proc_path[32];
    int fd;
};

/* Copies the standard input ("-"), a named pipe or a socket. Of any other file it only notes the path. After
 * an error there is nothing to close. */
int input_file_open(struct input_file *f, const char *path);
/* The same of a file at path that was probed, and is read by nobody else. */
int input_file_open_probed(struct input_file *f, struct trace_probe *probe, const char *path);
void input_file_close(struct input_file *f);

/* The errors of a reader of f->path name the temporary file: makes the present message name the original.
 * Returns rc. */
int input_file_mend_message(const struct input_file *f, int rc);

#endif
