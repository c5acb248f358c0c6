/* SPDX-License-Identifier: MIT */
#include "trace/stacks/hash_order.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 64u
#define EMPTY       UINT32_MAX

uint32_t hash_order_number(uint32_t number)
{
    return number * 37;
}

/* Thomas Wang's mix of 64 bits. */
uint32_t hash_order_pair(uint32_t first, uint32_t second)
{
    uint64_t key = (uint64_t)hash_order_number(first) << 32 | hash_order_number(second);
    key += ~(key << 32);
    key ^= key >> 22;
    key += ~(key << 13);
    key ^= key >> 8;
    key += key << 3;
    key ^= key >> 15;
    key += ~(key << 27);
    key ^= key >> 31;
    return (uint32_t)key;
}

struct table {
    uint32_t *slots; /* places of keys, or EMPTY */
    size_t size;     /* a power of two */
};

/* Each step is one longer than the last. */
static void insert(struct table *t, const uint32_t *hashes, uint32_t key)
{
    size_t i = hashes[key] & (t->size - 1);
    for (size_t step = 1; t->slots[i] != EMPTY; ++step)
        i = (i + step) & (t->size - 1);
    t->slots[i] = key;
}

/* Keys are inserted into a larger table in the order in which the smaller one is visited. */
static int grow(struct table *t, const uint32_t *hashes)
{
    struct table larger = {.size = t->size == 0 ? FIRST_SLOTS : 2 * t->size};
    larger.slots = malloc(larger.size * sizeof *larger.slots);
    if (larger.slots == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    memset(larger.slots, 0xff, larger.size * sizeof *larger.slots);
    for (size_t i = 0; i < t->size; ++i)
        if (t->slots[i] != EMPTY)
            insert(&larger, hashes, t->slots[i]);
    free(t->slots);
    *t = larger;
    return 0;
}

/* At most three quarters of the slots are in use. */
int hash_order_find(const uint32_t *hashes, size_t count, uint32_t *out)
{
    struct table t = {NULL, 0};
    int rc = 0;
    for (uint32_t key = 0; rc == 0 && key < count; ++key) {
        if (((size_t)key + 1) * 4 >= t.size * 3)
            rc = grow(&t, hashes);
        if (rc == 0)
            insert(&t, hashes, key);
    }
    for (size_t i = 0; rc == 0 && i < t.size; ++i)
        if (t.slots[i] != EMPTY)
            *out++ = t.slots[i];
    free(t.slots);
    return rc;
}
