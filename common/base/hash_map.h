/* SPDX-License-Identifier: MIT
 * Hash maps with open addressing, from 64-bit integers or strings to 64-bit integers.
 */
#ifndef BASE_HASH_MAP_H
#define BASE_HASH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum int_map_state {
    INT_MAP_EMPTY,
    INT_MAP_USED,
    INT_MAP_REMOVED,
};

struct int_map_slot {
    uint64_t key;
    uint64_t value;
    uint8_t state; /* enum int_map_state */
};

/* Zero-initialise it before use. To visit all keys, iterate over slots[0 .. cap) and skip those that are not
 * INT_MAP_USED. */
struct int_map {
    struct int_map_slot *slots;
    size_t cap;  /* a power of two, or 0 */
    size_t used; /* number of slots that are not empty */
    size_t len;  /* number of keys */
};

void int_map_fini(struct int_map *m);

/* Sets key to value. Returns 0 or TRACE_ERR_MEMORY. */
int int_map_set(struct int_map *m, uint64_t key, uint64_t value);

/* Returns true and sets *value if the key is present. value may be NULL. */
bool int_map_get(const struct int_map *m, uint64_t key, uint64_t *value);
void int_map_remove(struct int_map *m, uint64_t key);

struct string_map_slot {
    char *key; /* owned; NULL: an empty slot */
    uint64_t hash;
    uint64_t value;
};

/* Zero-initialise it before use. Keys cannot be removed. */
struct string_map {
    struct string_map_slot *slots;
    size_t cap;
    size_t len;
};

void string_map_fini(struct string_map *m);
int string_map_set(struct string_map *m, const char *key, uint64_t value);
bool string_map_get(const struct string_map *m, const char *key, uint64_t *value);

#endif
