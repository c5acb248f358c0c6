/* SPDX-License-Identifier: MIT
 * Floating-point numbers in the formats of IEEE 754 that C has no types for: the reverse of
 * decode/ctf_floats.h.
 */
#ifndef CTF_ENCODE_FLOATS_H
#define CTF_ENCODE_FLOATS_H

#include <stdint.h>

/* Returns the 16 bits of a number that 16 bits can express; digits of others are cut off, and what is too
 * large is infinite. */
uint16_t ctf_half_from_float(float number);

/* Sets the halves of the 128 bits that have the same value. */
void ctf_quad_from_double(double number, uint64_t *high, uint64_t *low);

#endif
