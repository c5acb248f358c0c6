/* SPDX-License-Identifier: MIT
 * The ELF objects (the program and its libraries) in this process, and the symbols that they define. The
 * functions do not affect dlerror().
 */
#ifndef LOOKUP_ELF_OBJECTS_H
#define LOOKUP_ELF_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* i386 stores the number to be added in the place that is relocated, so it is not known afterwards. */
#if defined __i386__
typedef ElfW(Rel) elf_relocation;
#else
typedef ElfW(Rela) elf_relocation;
#endif

struct elf_object {
    uintptr_t start, end; /* of its loaded segments */
    uintptr_t base;       /* added to the addresses in its file */
    const char *name;     /* path of the file; "" for the program */
    const ElfW(Dyn) * dynamic;
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash; /* NULL: use the other hash table */
    const uint32_t *sysv_hash;
    uintptr_t relro_start, relro_end; /* read-only after relocation */
    struct {
        const elf_relocation *first;
        size_t count;
    } relocations[2];
};

/* Finds the object that contains the address, in any namespace. Returns false if there is none. What *out
 * points to is valid as long as the object is loaded. */
bool elf_object_at(const void *address, struct elf_object *out);

/* Returns the entry in the symbol table for a name that the object defines and exports, or NULL. It is valid
 * as long as the object is loaded. */
const ElfW(Sym) * elf_object_symbol(const struct elf_object *object, const char *name);

/* Returns true if the name is a function, rather than a variable. */
bool elf_object_has_function(const struct elf_object *object, const char *name);

/* Returns the function `name` of the next object after `behind` that has one, in the order of the program's
 * own lookups, or NULL. behind NULL: of the first object. */
void *elf_next_function(const char *name, const void *behind);

/* Returns the function `name` of the first object behind this library, in the order of loading, that also has
 * a function `beside`, or NULL. Calls no function of another library. Only looks at the main namespace, and
 * must not be called while another thread may load libraries. */
void *elf_next_function_at_start(const char *name, const char *beside);

/* Lists the objects of our namespace in load order. The caller frees the array. *count receives the number of
 * objects. For objects without symbols, `symbols` is NULL. */
struct elf_object *elf_objects_list(size_t *count);

/* Calls use(data) while no thread can unload an object. use() must not call the loader, which may be waiting
 * for a thread that waits for this; the functions here that take no handle and no address may be called. */
void elf_objects_keep(void (*use)(void *data), void *data);

/* Returns the number of undefined symbols. They are the first entries of object->symbols, including the entry
 * without a name. */
size_t elf_object_undefined_count(const struct elf_object *object);

/* A place in an object that contains the address of a symbol. */
struct elf_slot {
    const ElfW(Sym) * symbol;
    const char *name;
    uintptr_t *address;
    bool lazy;       /* may not be bound yet; it then points to the object's own code */
    intptr_t addend; /* is added to the symbol's address */
};

/* Calls visit() for each slot of the object. */
void elf_object_visit_slots(const struct elf_object *object,
                            void (*visit)(const struct elf_object *object, const struct elf_slot *slot,
                                          void *data),
                            void *data);

void elf_object_set_slot(const struct elf_object *object, const struct elf_slot *slot, uintptr_t value);

/* Returns true if the object that contains a was loaded before the one that contains b. Both must be in our
 * namespace. */
bool elf_precedes(const void *a, const void *b);

/* Returns how many objects have been loaded and unloaded so far. */
unsigned long long elf_loaded_count(void);
unsigned long long elf_unloaded_count(void);

#endif
