/* SPDX-License-Identifier: MIT
 * Finds the separate debug information of a module, by build-id, and by the file name and checksum in
 * .gnu_debuglink.
 */
#ifndef SYMBOLS_DEBUG_FILES_H
#define SYMBOLS_DEBUG_FILES_H

#include "symbols/elf_file.h"

/* Directories with debug information, in addition to /usr/lib/debug. Zero-initialise it before use. */
struct debug_directories {
    char **paths;
    size_t count;
    size_t room;
};

/* Adds a directory, which is searched after those added before. Errors: TRACE_ERR_MEMORY. */
int debug_directories_add(struct debug_directories *d, const char *path);
void debug_directories_fini(struct debug_directories *d);

/* The module whose debug information is wanted. All members are borrowed. */
struct debug_wanted {
    const char *path;
    struct elf_file *file; /* NULL: the file is missing */
    const uint8_t *build_id;
    size_t build_id_size; /* in bytes; 0: the module has none */
};

/* Finds the file. *out is NULL if there is none; the caller owns it and closes it with elf_file_close().
 * Errors: TRACE_ERR_FORMAT (a file was found, but belongs to another module or is damaged), TRACE_ERR_MEMORY.
 */
int debug_files_find(const struct debug_directories *d, const struct debug_wanted *wanted,
                     struct elf_file **out);

/* Finds the file with the debug information that several files share, which f names in .gnu_debugaltlink
 * (written by dwz). *out and errors are as for debug_files_find(), but it is an error if f names a file that
 * is missing. */
int debug_files_find_alternate(const struct debug_directories *d, struct elf_file *f, struct elf_file **out);

#endif
