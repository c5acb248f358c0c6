/* SPDX-License-Identifier: MIT */
#include "base/memory_pages.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE /* the C library's headers may not have it */
#define MADV_POPULATE_WRITE 23
#endif

void memory_pages_expect_writes(void *memory, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    /* Bytes of the first page before the memory, which also belong to the process. */
    size_t before = (uintptr_t)memory % page;
    madvise((char *)memory - before, before + size, MADV_POPULATE_WRITE);
}
