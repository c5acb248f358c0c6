/* SPDX-License-Identifier: MIT
 * Finds a module's separate debug information: by build-id, and by the file name and checksum in
 * .gnu_debuglink.
 */
#ifndef SYMBOLS_DEBUG_FILES_H
#define SYMBOLS_DEBUG_FILES_H

#include "symbols/elf_file.h"

/* Directories with debug information, besides /usr/lib/debug. Zero-initialise before use. */
struct debug_directories {
    char **paths;
    size_t count;
    size_t room;
};

/* The directory is searched after those that were added before. TRACE_ERR_MEMORY. */
int debug_directories_add(struct debug_directories *d, const char *path);
void debug_directories_fini(struct debug_directories *d);

/* Whose debug information is wanted; all borrowed. */
struct debug_wanted {
    const char *path;
    struct elf_file *file; /* NULL: not there */
    const uint8_t *build_id;
    size_t build_id_size; /* 0: it has none */
};

/* *out, which the caller owns (elf_file_close): NULL if there is none. TRACE_ERR_FORMAT: a file was found,
 * but it belongs to another module or is damaged; TRACE_ERR_MEMORY. */
int debug_files_find(const struct debug_directories *d, const struct debug_wanted *wanted,
                     struct elf_file **out);

#endif
