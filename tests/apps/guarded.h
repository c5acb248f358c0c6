/* SPDX-License-Identifier: MIT
 * Memory with exact bounds: reading a byte beyond them ends the program.
 */
#ifndef GUARDED_H
#define GUARDED_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GUARD = 4 << 20 };

static inline uint8_t *guarded_map(size_t size)
{
    uint8_t *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "no memory\n");
        exit(99);
    }
    return p;
}

/* Returns size zeroed bytes that end at unreadable memory. The 4 MiB after them cannot be read, nor can those
 * before. */
static inline void *guarded_room(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    uint8_t *p = guarded_map(room + 2 * GUARD);
    mprotect(p, GUARD, PROT_NONE);
    mprotect(p + GUARD + room, GUARD, PROT_NONE);
    return p + GUARD + room - size;
}

/* Returns a copy of size bytes that ends at unreadable memory. */
static inline void *guarded_end(const void *data, size_t size)
{
    return memcpy(guarded_room(size), data, size);
}

/* Returns the first byte of unreadable memory. The 4 MiB after it cannot be read either. */
static inline void *guarded_behind(void)
{
    return (uint8_t *)guarded_room(1) + 1;
}

/* Returns a copy of size bytes with unreadable memory before it. */
static inline void *guarded_start(const void *data, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    uint8_t *p = guarded_map(room + GUARD);
    mprotect(p, GUARD, PROT_NONE);
    memcpy(p + GUARD, data, size);
    return p + GUARD;
}

/* Returns an address of memory that was unmapped. */
static inline void *guarded_gone(void)
{
    uint8_t *p = guarded_map(GUARD);
    mprotect(p, GUARD, PROT_NONE);
    return p;
}

#endif
