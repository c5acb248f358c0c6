/* SPDX-License-Identifier: MIT
 * The number of elements of a sequence is written as a field before it.
 */
#ifndef CTF_COUNT_NAME_H
#define CTF_COUNT_NAME_H

#include "formats/ctf/ctf_types.h"

/* Returns the name of that field, `_NAME_length`, with more underscores until no member of the structure is
 * written so; NULL: the sequence is in no structure. The caller frees it. Returns NULL if there is no memory.
 */
char *ctf_count_name(const struct ctf_class *structure, const char *name);

#endif
