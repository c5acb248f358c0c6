/* SPDX-License-Identifier: MIT
 * The objects (program, libraries) that are loaded in this process, and what they define, without a word to
 * dlerror().
 */
#ifndef LOOKUP_ELF_OBJECTS_H
#define LOOKUP_ELF_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
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
    uintptr_t relro_start, relro_end; /* can be read only, once it is relocated */
    struct {
        const ElfW(Rela) * first;
        size_t count;
    } relocations[2];
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

/* The objects of our namespace in the order in which they were loaded, as an array to free; *count: how many.
 * What has no symbols has symbols NULL. */
struct elf_object *elf_objects_list(size_t *count);

/* How many undefined symbols there are, which are the first ones of object->symbols, the nameless one
 * included. */
size_t elf_object_undefined_count(const struct elf_object *object);

/* A place in an object that holds the address of a symbol. */
struct elf_slot {
    const ElfW(Sym) * symbol;
    const char *name;
    uintptr_t *address;
    bool lazy;       /* it may not be bound yet: leads to the object's own code then */
    intptr_t addend; /* is added to the symbol's address */
};

/* Calls visit() for each of them. */
void elf_object_visit_slots(const struct elf_object *object,
                            void (*visit)(const struct elf_object *object, const struct elf_slot *slot,
                                          void *data),
                            void *data);

void elf_object_set_slot(const struct elf_object *object, const struct elf_slot *slot, uintptr_t value);

/* True when the object that a lies in was loaded before that of b. Both are in our namespace. */
bool elf_precedes(const void *a, const void *b);

/* How many objects were loaded and unloaded so far. */
unsigned long long elf_loaded_count(void);
unsigned long long elf_unloaded_count(void);

#endif
