/* SPDX-License-Identifier: MIT
 * Resolves addresses of programs and libraries to functions (including inlined ones), files and lines. Works
 * offline, with debug information (DWARF 2 to 5) and symbol tables. Intended for trace-cli; the preloaded
 * library must not link it.
 */
#ifndef SYMBOLS_SYMBOLIZER_H
#define SYMBOLS_SYMBOLIZER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keeps files and the data that was read from them. Not thread-safe; each thread may have its own. */
struct symbolizer;

/* A program or library as it was at run time. */
struct symbol_module {
    const char *path;        /* absolute */
    const uint8_t *build_id; /* NULL: unknown; a file with another build-id is not used */
    size_t build_id_size;    /* bytes */
};

struct symbol_frame {
    const char *function;     /* demangled; NULL: unknown, likewise below */
    const char *linkage_name; /* mangled, as in the symbol table; also NULL if it is not known to differ from
                                 function */
    const char *file;         /* path; absolute if the compiler recorded it */
    int64_t line;             /* -1: unknown */
    int64_t offset; /* offset in bytes from the start of the function that contains the code; -1: unknown.
                       Inlined functions have that of the function into which they are inlined */
    bool inlined;   /* into the function of the next frame */
};

/* Creates a symbolizer. The caller owns *out and frees it with symbolizer_free(). Errors: TRACE_ERR_MEMORY.
 */
int symbolizer_new(struct symbolizer **out);
void symbolizer_free(struct symbolizer *s); /* s may be NULL */

/* Adds a directory that is searched for debug information, by build-id (DIRECTORY/.build-id/xx/yyyy.debug)
 * and by the module's path below it. /usr/lib/debug has the same structure and is searched last. Only affects
 * modules that are used for the first time afterwards. Errors: TRACE_ERR_MEMORY. */
int symbolizer_add_debug_directory(struct symbolizer *s, const char *path);

/* Makes symbolizer_find() call tell() with what is wrong with a module: its file is missing, damaged, or
 * belongs to another build. Each problem is reported once. The texts are lent to the callback. */
void symbolizer_set_warning(struct symbolizer *s,
                            void (*tell)(void *context, const char *module, const char *message),
                            void *context);

/* Sets the limit for debug information in memory, in bytes. It is exceeded if a single compilation unit needs
 * more. The default is 256 MiB. */
void symbolizer_set_memory_limit(struct symbolizer *s, size_t bytes);

/* Resolves `address`, an ELF virtual address of the module: its address in memory minus the load bias. For a
 * return address, pass the address of the byte before, which belongs to the call. *frames receives *count
 * frames, innermost first, each inlined into the next one. They are lent, with everything they point to,
 * until the next call of symbolizer_find() or symbolizer_free(). *count is 0 if nothing is known. Problems
 * with a module are reported to the callback. Errors: TRACE_ERR_MEMORY. */
int symbolizer_find(struct symbolizer *s, const struct symbol_module *module, uint64_t address,
                    const struct symbol_frame **frames, size_t *count);

/* Converts an offset in the module's file, as in /proc/PID/maps, to an address in the module. Returns false
 * if the file is missing or of another build, or if nothing is loaded from this offset. */
bool symbolizer_address_of_offset(struct symbolizer *s, const struct symbol_module *module, uint64_t offset,
                                  uint64_t *address);

/* Gets the address of the module's first page, which corresponds to dladdr()'s dli_fbase. It is 0, except for
 * programs that are linked to fixed addresses. Returns false if the file is missing or of another build. */
bool symbolizer_module_base(struct symbolizer *s, const struct symbol_module *module, uint64_t *address);

/* Gets the address of the function with this name, mangled or demangled. Returns false if there is none, if
 * there are several, or if the file is missing or of another build. */
bool symbolizer_address_of_function(struct symbolizer *s, const struct symbol_module *module,
                                    const char *function, uint64_t *address);

#endif
