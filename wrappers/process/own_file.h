/* SPDX-License-Identifier: MIT
 * A file of the recorder's in a traced program. The program may close descriptors that it does not know, and
 * reuse their numbers; it may change its directory, its user or its root, and may have limits.
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

/* Takes over fd, a descriptor of the file called name. */
void own_file_init(struct own_file *f, int fd, const char *name);

/* Closes it, if it is still ours. */
void own_file_close(struct own_file *f);

/* Appends size bytes. TRACE_ERR_IO with the message set. */
int own_file_write(struct own_file *f, const uint8_t *bytes, size_t size);

#endif
