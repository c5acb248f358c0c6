/* SPDX-License-Identifier: MIT
 * Binaries of programs that the traced program got from its driver. Only that driver can load them, so each
 * is kept with the binary of the same program that the driver of the replay gives.
 */
#ifndef RETRACE_PROGRAM_BINARIES_H
#define RETRACE_PROGRAM_BINARIES_H

#include <stddef.h>
#include <stdint.h>

struct program_binary {
    uint8_t *traced, *real; /* owned */
    uint64_t traced_size;
    uint32_t real_size, real_format;
};

/* Zero-initialise it before use. */
struct program_binaries {
    struct program_binary *items;
    size_t count, cap;
};

/* Adds a copy of a traced binary, in place of the same one, and takes `real`, which was allocated with
 * malloc(), even after an error. Errors: TRACE_ERR_MEMORY. */
int program_binaries_add(struct program_binaries *b, const void *traced, uint64_t traced_size, void *real,
                         uint32_t real_size, uint32_t real_format);

/* Returns the one with these traced bytes, or NULL. It is lent until the next one is added. */
const struct program_binary *program_binaries_find(const struct program_binaries *b, const void *traced,
                                                   uint64_t traced_size);

void program_binaries_fini(struct program_binaries *b);

#endif
