/* SPDX-License-Identifier: MIT
 * The objects (program, libraries) that are loaded in this process, and what they define, without a word to
 * dlerror().
 */
#ifndef WRAPPERS_ELF_OBJECTS_H
#define WRAPPERS_ELF_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stdint.h>

struct elf_object {
    uintptr_t start, end; /* of what is loaded of it */
    uintptr_t base;       /* what its own addresses are relative to */
    const char *name;     /* the file's; "" for the program */
    const ElfW(Dyn) * dynamic;
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash; /* NULL: look through the other table */
    const uint32_t *sysv_hash;
};

/* The object that address lies in; false for memory of no object. Any namespace.
 * What *out lends lasts as long as the object is loaded. */
bool elf_object_at(const void *address, struct elf_object *out);

/* What the object itself defines and exports as name: NULL, or an entry of its symbol table, which lasts as
 * long as the object is loaded. */
const ElfW(Sym) * elf_object_symbol(const struct elf_object *object, const char *name);

/* The same of a function: a variable is none. */
bool elf_object_has_function(const struct elf_object *object, const char *name);

/* The function called name of the first object behind that of `behind`, in the order in which the program's
 * own lookups go; NULL. */
void *elf_next_function(const char *name, const void *behind);

/* How many objects were unloaded so far. */
unsigned long long elf_unloaded_count(void);

#endif
