/* SPDX-License-Identifier: MIT
 * Large numbers in few characters, with a unit.
 */
#ifndef CLI_AMOUNTS_H
#define CLI_AMOUNTS_H

#include <stddef.h>

#define AMOUNT_SIZE 32 /* room that is always enough */

/* Writes "1.2 MB" or the like; units of 1000 bytes. */
void amount_of_bytes(char *out, size_t size, double bytes);

/* Writes "1.2 M calls" or the like. */
void amount_of_calls(char *out, size_t size, double calls);

#endif
