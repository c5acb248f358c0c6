/* SPDX-License-Identifier: MIT
 * Memory of which exactly so much exists: reading a byte too much, or too early, ends the program.
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

/* size bytes, zeroed, that end where memory ends: the 4 MiB behind them cannot be read, nor those before. */
static inline void *guarded_room(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    uint8_t *p = guarded_map(room + 2 * GUARD);
    mprotect(p, GUARD, PROT_NONE);
    mprotect(p + GUARD + room, GUARD, PROT_NONE);
    return p + GUARD + room - size;
}

/* A copy of size bytes that ends where memory ends. */
static inline void *guarded_end(const void *data, size_t size)
{
    return memcpy(guarded_room(size), data, size);
}

/* The first byte of memory that cannot be read, nor can the 4 MiB behind it. */
static inline void *guarded_behind(void)
{
    return (uint8_t *)guarded_room(1) + 1;
}

/* A copy of size bytes that begins where memory begins. */
static inline void *guarded_start(const void *data, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
    uint8_t *p = guarded_map(room + GUARD);
    mprotect(p, GUARD, PROT_NONE);
    memcpy(p + GUARD, data, size);
    return p + GUARD;
}

/* An address where there is no memory any more. */
static inline void *guarded_gone(void)
{
    uint8_t *p = guarded_map(GUARD);
    mprotect(p, GUARD, PROT_NONE);
    return p;
}

#endif
