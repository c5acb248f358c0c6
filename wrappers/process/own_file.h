/* SPDX-License-Identifier: MIT
 * A file that the recorder writes in a traced program. The program may close descriptors that it does not
 * know, and reuse their numbers. It may change its directory, its user or its root, and may have limits.
 */
#ifndef PROCESS_OWN_FILE_H
#define PROCESS_OWN_FILE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct own_file {
    int fd; /* -1: none */
    dev_t device;
    ino_t inode;
    char name[PATH_MAX];
};

/* Takes over fd, a descriptor of the file `name`. */
void own_file_init(struct own_file *f, int fd, const char *name);

/* Closes the descriptor, if it is still the recorder's. */
void own_file_close(struct own_file *f);

/* Appends size bytes. Errors: TRACE_ERR_IO, with the message set. */
int own_file_write(struct own_file *f, const uint8_t *bytes, size_t size);

#endif
