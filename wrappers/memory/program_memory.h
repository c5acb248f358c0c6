/* SPDX-License-Identifier: MIT
 * Reads the memory that the program's pointers refer to. It need not be there: GL may reject a call without
 * reading what it points at, and may read less than the call says. Nothing here faults.
 *
 * The kernel is asked whether a page can be read, by a system call that fails without an effect. Catching
 * SIGSEGV is not possible, since signal handlers are the program's. Memory that another thread unmaps between
 * the question and the reading is not guarded against: GL could not read it either.
 */
#ifndef MEMORY_PROGRAM_MEMORY_H
#define MEMORY_PROGRAM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_PAGE        4096u /* pages of the processor are this large, or multiples of it */
#define PROGRAM_PAGES_KNOWN 32u

/* Pages that this thread lately found readable. An entry is the page's address; its low bits say how often
 * the kernel was asked (bits 8 to 11) and for how many more uses the answer is trusted (bits 0 to 7). The
 * recorder does not see when the program unmaps a page. So a page is asked for three times before any answer
 * is trusted; then for a number of uses that grows to 255, and at most until the frame ends. Thus
 * glVertex3fv() in a loop costs a comparison, and a buffer that is used once or twice and then unmapped is
 * never trusted. */
extern _Thread_local uint64_t program_pages[PROGRAM_PAGES_KNOWN] __attribute__((tls_model("initial-exec")));

/* Trusts no earlier answer any more. */
void program_memory_forget(void);

bool program_memory_ask(const void *memory, size_t size);

/* Can all size bytes at memory be read? True for size 0. Takes a few nanoseconds for small memory that is
 * used over and over, else a system call for every two pages. Any pointer may be passed. Keeps errno, as all
 * of these functions do. */
static inline bool program_memory_readable(const void *memory, size_t size)
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

/* Bytes at memory that can be read before the first one that cannot, at most size. Always asks. */
size_t program_memory_extent(const void *memory, size_t size);

/* Bytes at memory before the first that can be read, at most size: a whole number of pages but for the first.
 */
size_t program_memory_gap(const void *memory, size_t size);

/* Copies size bytes; those that cannot be read become zeros. Returns how many could be read. The caller
 * bounds size: all of it is written, and the kernel is asked about each page. */
size_t program_memory_copy(void *to, const void *from, size_t size);

#endif
