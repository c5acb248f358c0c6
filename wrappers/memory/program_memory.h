/* SPDX-License-Identifier: MIT
 * Reads the memory to which the program's pointers refer. It need not be readable: GL may reject a call
 * without reading it, and may read less than the call says. The functions never fault.
 *
 * The kernel is asked whether a page can be read, by a system call that fails without any effect. SIGSEGV
 * cannot be caught, because signal handlers belong to the program. There is no protection against another
 * thread that unmaps the memory between the probe and the access; GL could not read it either.
 */
#ifndef MEMORY_PROGRAM_MEMORY_H
#define MEMORY_PROGRAM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_PAGE        4096u /* the page size of the processor is this or a multiple */
#define PROGRAM_PAGES_KNOWN 32u

/* Pages that this thread recently found readable. An entry is the address of the page. Its low bits contain
 * how often the kernel was asked (bits 8 to 11) and for how many more uses the answer is trusted (bits 0 to
 * 7). The recorder does not see when the program unmaps a page. So a page is probed three times before any
 * answer is trusted. Then it is trusted for a number of uses that grows up to 255, and at most until the end
 * of the frame. So glVertex3fv() in a loop only costs a comparison, and a buffer that is used once or twice
 * and then unmapped is never trusted. */
extern _Thread_local uint64_t program_pages[PROGRAM_PAGES_KNOWN] __attribute__((tls_model("initial-exec")));

/* From now on, the process may have a seccomp filter that kills it for other system calls than futex(). */
void program_memory_expect_filter(void);

/* Forgets all earlier answers. */
void program_memory_forget(void);

bool program_memory_ask(const void *memory, uint64_t size);

/* Returns true if all `size` bytes at memory are readable, or if size is 0. Takes a few nanoseconds for small
 * memory that is used repeatedly, otherwise a system call for every two pages. memory may be any pointer.
 * Preserves errno, like all functions here. */
static inline bool program_memory_readable(const void *memory, uint64_t size)
{
    uintptr_t at = (uintptr_t)memory, in_page = at % PROGRAM_PAGE;
    uint64_t *known = &program_pages[at / PROGRAM_PAGE % PROGRAM_PAGES_KNOWN];
    if (size <= PROGRAM_PAGE - in_page && ((*known ^ at) & ~(uint64_t)(PROGRAM_PAGE - 1)) == 0 &&
        (*known & 0xff) != 0) {
        --*known;
        return true;
    }
    return program_memory_ask(memory, size);
}

/* Returns the number of readable bytes at memory before the first unreadable one, at most size. Always asks
 * the kernel. */
uint64_t program_memory_extent(const void *memory, uint64_t size);

/* Returns the number of unreadable bytes at memory before the first readable one, at most size. Apart from
 * the first page, it counts whole pages. */
uint64_t program_memory_gap(const void *memory, uint64_t size);

/* Copies size bytes. Bytes that cannot be read are replaced by zeros. Returns the number of readable bytes.
 * The caller must limit size, since all bytes are written, and the kernel is asked about each page. */
uint64_t program_memory_copy(void *to, const void *from, uint64_t size);

#endif
