/* SPDX-License-Identifier: MIT */
#include "memory/program_memory.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local uint64_t program_pages[PROGRAM_PAGES_KNOWN] __attribute__((tls_model("initial-exec")));

enum { PROBE = 8 /* size of the kernel's sigset_t: the number of bytes that are probed at a time */ };

static atomic_bool is_filtered; /* system calls other than futex() may kill the process */

/* Requeues none of the threads that wait at this word, after the kernel has read the word. at: a multiple of
 * the size of the word. */
static bool futex_faults(uintptr_t at)
{
    static uint32_t other;
    return syscall(SYS_futex, (const void *)at, FUTEX_CMP_REQUEUE_PRIVATE, 0, NULL, &other, 0) != 0 &&
           errno == EFAULT;
}

/* The kernel copies the set before it checks the first argument, which is invalid here. */
static bool signal_set_faults(uintptr_t at)
{
    return syscall(SYS_rt_sigprocmask, -1, (const void *)at, NULL, (size_t)PROBE) != 0 && errno == EFAULT;
}

/* at: 0, or a multiple of PROBE / 2. Filters of system calls allow both calls, as a rule, but some threads
 * never change their signal masks, whereas the recorder needs futex() in any case. rt_sigprocmask() probes
 * two pages at a time. A result other than EFAULT says nothing, and the memory is read as if it had not been
 * probed. process_vm_readv() would often be forbidden, takes ten times as long, and cannot read the mappings
 * of device drivers. */
static bool can_probe(uintptr_t at)
{
    int saved = errno;
    if (at == 0)
        at = PROBE; /* NULL would mean no set */
    bool fault = atomic_load_explicit(&is_filtered, memory_order_relaxed)
                     ? futex_faults(at) || futex_faults(at + PROBE / 2)
                     : signal_set_faults(at);
    errno = saved;
    return !fault;
}

void program_memory_expect_filter(void)
{
    atomic_store(&is_filtered, true);
}

static uintptr_t page_of(uintptr_t at)
{
    return at - at % PROGRAM_PAGE;
}

/* Returns the end of the memory, or the start of the last page of the address space if that is lower. */
static uintptr_t end_of(uintptr_t at, uint64_t size)
{
    const uintptr_t last = page_of(UINTPTR_MAX);
    return at >= last ? at : size < last - at ? at + size : last;
}

/* Probes the page, or uses an earlier answer. */
static bool page_is_readable(uintptr_t page)
{
    uint64_t *known = &program_pages[page / PROGRAM_PAGE % PROGRAM_PAGES_KNOWN];
    bool same = page_of(*known) == page;
    if (same && (*known & 0xff) != 0) {
        --*known;
        return true;
    }
    if (!can_probe(page)) {
        *known = 0;
        return false;
    }
    static const uint8_t believed[] = {0, 0, 0, 4, 16, 64, 255};
    unsigned asked = same ? (unsigned)(*known >> 8 & 0xf) : 0;
    asked += asked + 1 < sizeof believed;
    *known = page | (uint64_t)asked << 8 | believed[asked];
    return true;
}

void program_memory_forget(void)
{
    memset(program_pages, 0, sizeof program_pages);
}

bool program_memory_ask(const void *memory, uint64_t size)
{
    uintptr_t at = (uintptr_t)memory;
    if (size == 0)
        return true;
    if (size > PROGRAM_PAGE)
        return program_memory_extent(memory, size) == size;
    uintptr_t end = end_of(at, size), page = page_of(at);
    /* The current stack page is readable, since it is in use. */
    uintptr_t frame = page_of((uintptr_t)__builtin_frame_address(0));
    if (end - at != size)
        return false;
    for (; page < end; page += PROGRAM_PAGE)
        if (page != frame && !page_is_readable(page))
            return false;
    return true;
}

/* Probes two pages at a time, with bytes on both sides of their boundary. */
uint64_t program_memory_extent(const void *memory, uint64_t size)
{
    uintptr_t at = (uintptr_t)memory, end = end_of(at, size), page = page_of(at);
    if (end == at)
        return 0;
    while (page < end) {
        if (end - page > PROGRAM_PAGE && can_probe(page + PROGRAM_PAGE - PROBE / 2))
            page += 2 * PROGRAM_PAGE;
        else if (can_probe(page))
            page += PROGRAM_PAGE;
        else
            break;
    }
    return page >= end ? end - at : page > at ? page - at : 0;
}

uint64_t program_memory_gap(const void *memory, uint64_t size)
{
    uintptr_t at = (uintptr_t)memory, end = end_of(at, size), page = page_of(at);
    if (end == at)
        return size;
    while (page < end && !can_probe(page))
        page += PROGRAM_PAGE;
    return page >= end ? size : page > at ? page - at : 0;
}

uint64_t program_memory_copy(void *to, const void *from, uint64_t size)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    uint64_t copied = 0;
    while (size > 0) {
        uint64_t n = program_memory_extent(in, size);
        memcpy(out, in, n);
        copied += n;
        uint64_t gap = program_memory_gap(in + n, size - n);
        memset(out + n, 0, gap);
        in += n + gap;
        out += n + gap;
        size -= n + gap;
    }
    return copied;
}
