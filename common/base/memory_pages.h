/* SPDX-License-Identifier: MIT */
#ifndef BASE_MEMORY_PAGES_H
#define BASE_MEMORY_PAGES_H

#include <stddef.h>

/* Makes the kernel provide pages at once for memory that will soon be written. Otherwise each page costs a
 * page fault, or two if it is read first; the second interrupts the processors of the program's other
 * threads. Has no effect before Linux 5.14. */
void memory_pages_expect_writes(void *memory, size_t size);

#endif
