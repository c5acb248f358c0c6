/* SPDX-License-Identifier: MIT */
#include "lookup/real_dlsym.h"

#include "lookup/elf_objects.h"

#include <stdbool.h>
#include <stddef.h>

dlsym_function capture_real_dlsym;
dlvsym_function capture_real_dlvsym;

static dlsym_function loader_dlsym; /* the C library's */
static void *loader_dlvsym;

static void *dlvsym_beside(const struct elf_object *object)
{
    const ElfW(Sym) *symbol = elf_object_symbol(object, "dlvsym");
    return symbol != NULL ? (void *)(object->base + symbol->st_value) : NULL;
}

static bool library_has_started;

__attribute__((constructor)) static void note_start(void)
{
    library_has_started = true;
}

bool real_dlsym_is_early(void)
{
    return !library_has_started;
}

/* The runtimes of sanitizers call dlsym() before any constructor, to find the functions that they replace.
 * Until it has returned, the replacements cannot be called. */
static bool find_at_start(void)
{
    *(void **)&loader_dlsym = elf_next_function_at_start("dlsym", "dladdr");
    loader_dlvsym = elf_next_function_at_start("dlvsym", "dladdr");
    *(void **)&capture_real_dlvsym = elf_next_function_at_start("dlvsym", "dlvsym");
    *(void **)&capture_real_dlsym = elf_next_function_at_start("dlsym", "dlsym");
    return loader_dlsym != NULL;
}

/* The real functions cannot be found with dlsym(), as it is intercepted itself. Another preloaded library may
 * intercept it, too. The program's lookups go through that library, ours do not. */
void real_dlsym_find(void)
{
    if (!library_has_started && find_at_start())
        return;
    struct elf_object object;
    const void *own = &capture_real_dlsym;
    void *next = elf_next_function("dlsym", own);
    if (next == NULL) { /* the program has opened this library itself: the others come before it */
        own = NULL;
        next = elf_next_function("dlsym", own);
    }
    void *last = next;
    while (last != NULL && elf_object_at(last, &object) && !elf_object_has_function(&object, "dladdr"))
        last = elf_next_function("dlsym", last);
    *(void **)&loader_dlsym = last != NULL ? last : next;
    loader_dlvsym = last != NULL ? dlvsym_beside(&object) : NULL;
    void *versioned = elf_next_function("dlvsym", own);
    *(void **)&capture_real_dlvsym = versioned;
    *(void **)&capture_real_dlsym = next;
}

void *real_dlsym(void *handle, const char *name)
{
    if (loader_dlsym == NULL)
        real_dlsym_find();
    return loader_dlsym(handle, name);
}

bool real_dlsym_is(const void *address)
{
    return address == *(void **)&loader_dlsym || address == loader_dlvsym;
}
