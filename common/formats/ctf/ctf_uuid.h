/* SPDX-License-Identifier: MIT
 * UUIDs as text.
 */
#ifndef CTF_UUID_H
#define CTF_UUID_H

#include <stdbool.h>
#include <stdint.h>

#define CTF_UUID_TEXT 37 /* bytes, with the NUL */

bool ctf_uuid_parse(const char *text, uint8_t out[16]);
void ctf_uuid_print(const uint8_t uuid[16], char out[CTF_UUID_TEXT]);

#endif
