/* SPDX-License-Identifier: MIT
 * Reads memory that the program's pointers refer to, which need not be there: GL rejects calls without
 * reading what they point at, and reads less of it than they say. Nothing here faults.
 *
 * Whether a page can be read is asked of the kernel, by a system call that fails without an effect, since
 * programs own their signal handlers. Memory that another thread unmaps between the question and the reading
 * is not guarded against: GL could not read it either.
 */
#ifndef MEMORY_PROGRAM_MEMORY_H
#define MEMORY_PROGRAM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROGRAM_PAGE        4096u /* pages of the processor are this large, or multiples of it */
#define PROGRAM_PAGES_KNOWN 32u

/* Pages that this thread found readable lately: the page's address and, in the low bits that it leaves, how
 * often (bits 8 to 11) and how many more times that is believed (bits 0 to 7).
 * A program's unmapping cannot be seen, and so a page must have been asked for three times before it is
 * believed at all, then for a number of uses that grows with each question to 255, at most until the frame
 * ends. What a call like glVertex3fv() in a loop costs is a comparison, and a buffer that was used once or
 * twice and unmapped is never believed. */
extern _Thread_local uint64_t program_pages[PROGRAM_PAGES_KNOWN] __attribute__((tls_model("initial-exec")));

/* Believes nothing any more. */
void program_memory_forget(void);

bool program_memory_ask(const void *memory, size_t size);

/* Can all size bytes at memory be read? True for size 0. A few nanoseconds for small memory that is used over
 * and over, else a system call for every two pages. Any pointer will do. Keeps errno, as all of these do. */
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

/* Copies size bytes, those that cannot be read as zeros. Returns how many could be read. Bound size: it
 * is all written, and each page of it asked for. */
size_t program_memory_copy(void *to, const void *from, size_t size);

#endif
