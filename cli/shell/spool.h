/* SPDX-License-Identifier: MIT
 * A trace that is read more than once: what comes through a pipe is copied to a temporary file without a
 * name.
 */
#ifndef CLI_SPOOL_H
#define CLI_SPOOL_H

/* Zero-initialise. */
struct spool {
    const char *name; /* for messages; lent */
    const char *path; /* to open, any number of times; in here, or lent */
    char proc_path[32];
    int fd;
};

/* Copies the standard input ("-"), a named pipe or a socket; of any other file, only notes the path. After an
 * error there is nothing to close. */
int spool_open(struct spool *s, const char *path);
void spool_close(struct spool *s);

/* Errors of a reader of s->path name the temporary file: makes them name the original. Returns rc. */
int spool_name_in_message(const struct spool *s, int rc);

#endif
