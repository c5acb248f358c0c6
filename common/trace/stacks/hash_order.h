/* SPDX-License-Identifier: MIT
 * The order in which a program that keeps its data in LLVM's hash tables prints them, so that what is printed
 * here can be compared with what llvm-xray prints.
 */
#ifndef TRACE_HASH_ORDER_H
#define TRACE_HASH_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Hashes of a number, and of two. */
uint32_t hash_order_number(uint32_t number);
uint32_t hash_order_pair(uint32_t first, uint32_t second);

/* Keys with these hashes are inserted in this order. Sets out[i] to the place of the key that is visited
 * after i others. Errors: TRACE_ERR_MEMORY. */
int hash_order_find(const uint32_t *hashes, size_t count, uint32_t *out);

#endif
