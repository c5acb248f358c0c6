/* SPDX-License-Identifier: MIT
 * What tests of client arrays share: arrays that are set as a program does, and the calls that a draw
 * records.
 */
#ifndef TESTS_CLIENT_ARRAY_CALLS_H
#define TESTS_CLIENT_ARRAY_CALLS_H

#include "stub_driver.h"

#include "cmocka_all.h"

/* Types of elements, by their GL values. */
enum { B = 0x1400, UB, S, US, I, UI, F, D = 0x140A, H, FIX, PACKED = 0x8D9F, UPACKED = 0x8368 };

/* The size in bytes of one component of that type; of a packed type, of the whole element. */
unsigned bytes_of(uint32_t type);

/* What arrays point into. */
extern uint8_t memory[1 << 16];

/* Enables an array in the driver, and says so to the hooks as a program does. */
struct stub_array *set_array(enum gl_array array, int32_t size, uint32_t type, int32_t stride,
                             const void *pointer);

/* The first recorded call of that function; NULL: there is none. */
const struct stub_call *find_call(uint32_t function);

/* The names of all recorded calls, in order, with a blank after each. */
void expect_calls(const char *expected);

#endif
