/* SPDX-License-Identifier: MIT
 * What the addresses of programs and libraries are called: functions, inlined ones among them, files and
 * lines, from debug information (DWARF 2 to 5) and symbol tables, offline. It is for trace-cli; the preloaded
 * library must not link it.
 */
#ifndef SYMBOLS_SYMBOLIZER_H
#define SYMBOLS_SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keeps files open, and what was read of them. To be used by one thread at a time; each thread may have its
 * own. */
struct symbolizer;

/* A program or library, as it was when it ran. */
struct symbol_module {
    const char *path;        /* absolute */
    const uint8_t *build_id; /* NULL: unknown; a file with another one is not used */
    size_t build_id_size;    /* bytes */
};

struct symbol_frame {
    const char *function;     /* as people read it: demangled; NULL: unknown, likewise below */
    const char *linkage_name; /* as linkers see it: mangled. NULL also where it is not known to differ from
                                 function */
    const char *file;         /* path, absolute where the compiler knew */
    int64_t line;             /* -1: unknown */
    int64_t offset; /* bytes from where the function begins that holds the code; -1: unknown. Inlined
                       functions have that of the one that they are inlined into. */
    bool inlined;   /* into the next frame's function */
};

/* The caller owns *out (symbolizer_free). TRACE_ERR_MEMORY. */
int symbolizer_new(struct symbolizer **out);
void symbolizer_free(struct symbolizer *s); /* NULL is fine */

/* Debug information is looked for in this directory, too, by build-id (DIRECTORY/.build-id/xx/yyyy.debug) and
 * below it by the module's path, as in /usr/lib/debug, which comes last. For modules that are first seen
 * later. TRACE_ERR_MEMORY. */
int symbolizer_add_debug_directory(struct symbolizer *s, const char *path);

/* Has tell() called with what is wrong with a module: it is missing, another one, damaged. Once for each
 * thing, from within symbolizer_find(). The texts are lent for the call. */
void symbolizer_set_warning(struct symbolizer *s,
                            void (*tell)(void *context, const char *module, const char *message),
                            void *context);

/* The most bytes for what has been read of debug information; it may be exceeded by what a single compilation
 * unit needs. Default: 256 MiB. */
void symbolizer_set_memory_limit(struct symbolizer *s, size_t bytes);

/* What the code at `address` is called, an ELF virtual address of the module's own: the one in memory less
 * the load bias. Of a return address, look up the byte before it, which is in the call. *frames: *count
 * frames, innermost first, each inlined into the next one; lent, as all they point to, until the next call of
 * symbolizer_find() or symbolizer_free(). 0 frames: nothing is known. What is wrong with a module is a
 * warning. TRACE_ERR_MEMORY. */
int symbolizer_find(struct symbolizer *s, const struct symbol_module *module, uint64_t address,
                    const struct symbol_frame **frames, size_t *count);

/* The address in the module that is mapped from this place in its file, as /proc/PID/maps tells places.
 * False: the file is not there, another one, or has nothing loaded from there. */
bool symbolizer_address_of_offset(struct symbolizer *s, const struct symbol_module *module, uint64_t offset,
                                  uint64_t *address);

/* The address in the module of its first page, to which dladdr()'s dli_fbase belongs: 0 but for programs that
 * are linked to fixed addresses. False: the file is not there, or another one. */
bool symbolizer_module_base(struct symbolizer *s, const struct symbol_module *module, uint64_t *address);

#endif
