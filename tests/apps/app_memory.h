/* SPDX-License-Identifier: MIT
 * Memory with an end that can be relied on, for programs that pass pointers near it.
 */
#ifndef APP_MEMORY_H
#define APP_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* size bytes, zeroed, that nothing readable is before nor behind: their end is that of the mapping. Never
 * unmapped. */
static inline void *app_memory_at_end(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page, guard = 1024 * page;
    char *m = mmap(NULL, pages * page + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (m == MAP_FAILED || mprotect(m + guard, pages * page, PROT_READ | PROT_WRITE) != 0) {
        fprintf(stderr, "no memory to map\n");
        exit(99);
    }
    return m + guard + pages * page - size;
}

/* The first byte of memory that cannot be read: the 4 MiB behind it cannot be either. */
static inline void *app_memory_unreadable(void)
{
    return (char *)app_memory_at_end(1) + 1;
}

#endif
