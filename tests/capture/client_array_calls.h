/* SPDX-License-Identifier: MIT
 * Helpers for tests of client arrays: they set arrays as a program does, and check the calls that a draw
 * records.
 */
#ifndef TESTS_CLIENT_ARRAY_CALLS_H
#define TESTS_CLIENT_ARRAY_CALLS_H

#include "stub_driver.h"

#include "cmocka_all.h"

/* Types of elements, with the values of the GL enums. */
enum { B = 0x1400, UB, S, US, I, UI, F, D = 0x140A, H, FIX, PACKED = 0x8D9F, UPACKED = 0x8368 };

/* Returns the size in bytes of a component of this type; for a packed type, of the whole element. */
unsigned bytes_of(uint32_t type);

/* The memory that arrays point into. */
extern uint8_t memory[1 << 16];

/* Enables an array in the driver, and calls the hooks as for a program. */
struct stub_array *set_array(enum gl_array array, int32_t size, uint32_t type, int32_t stride,
                             const void *pointer);

/* Returns the first recorded call of this function, or NULL if there is none. */
const struct stub_call *find_call(uint32_t function);

#endif
