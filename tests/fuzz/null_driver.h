/* SPDX-License-Identifier: MIT
 * A GL driver and a window system that draw nothing. The driver reads all the memory that a call lets it
 * read, and writes all that it may write, by its own state and not by what the replayer thinks it is. So a
 * sanitizer finds calls with too little memory. It has every function of the tables.
 */
#ifndef TESTS_NULL_DRIVER_H
#define TESTS_NULL_DRIVER_H

#include "windows/window_system.h"

extern struct window_system null_windows;

/* Forgets everything. Aborts if a context or drawable is left. version: what glGetString() answers. */
void null_driver_reset(const char *version);

#endif
