/* SPDX-License-Identifier: MIT
 * Floating-point numbers of IEEE 754 that C has no type for, from their bits.
 */
#ifndef CTF_FLOATS_H
#define CTF_FLOATS_H

#include <stdint.h>

/* binary16; exactly. */
float ctf_float_from_half(uint16_t bits);

/* binary128, by its high and its low 64 bits; the nearest double, the even one of two. */
double ctf_float_from_quad(uint64_t high, uint64_t low);

#endif
