/* SPDX-License-Identifier: MIT */
#include "memory/unlocked_memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

static _Atomic bool mappings_are_locked;

void expect_locked_mappings(void)
{
    atomic_store(&mappings_are_locked, true);
}

void *map_unlocked(size_t size, int flags, int fd, off_t offset)
{
    const int access = PROT_READ | PROT_WRITE;
    bool locked = atomic_load(&mappings_are_locked);
    /* Memory that is not accessible is not populated. */
    void *p = mmap(NULL, size, locked ? PROT_NONE : access, flags, fd, offset);
    if (p == MAP_FAILED)
        return NULL;
    if (!locked || (munlock(p, size) == 0 && mprotect(p, size, access) == 0))
        return p;
    munmap(p, size);
    return NULL;
}
