/* SPDX-License-Identifier: MIT */
#include "base/hash_map.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAP 16

/* The finaliser of splitmix64: every input bit affects every output bit. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

void int_map_fini(struct int_map *m)
{
    free(m->slots);
    *m = (struct int_map){NULL, 0, 0, 0};
}

static struct int_map_slot *find_int(const struct int_map *m, uint64_t key)
{
    struct int_map_slot *removed = NULL;
    for (size_t i = mix(key) & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        struct int_map_slot *s = &m->slots[i];
        if (s->state == INT_MAP_EMPTY)
            return removed != NULL ? removed : s;
        if (s->state == INT_MAP_USED && s->key == key)
            return s;
        if (s->state == INT_MAP_REMOVED && removed == NULL)
            removed = s;
    }
}

static int rehash_int(struct int_map *m)
{
    size_t cap = m->cap == 0 ? FIRST_CAP : m->len * 2 >= m->cap ? m->cap * 2 : m->cap;
    struct int_map bigger = {calloc(cap, sizeof *bigger.slots), cap, m->len, m->len};
    if (bigger.slots == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: hash map of %zu slots", cap);
    for (size_t i = 0; i < m->cap; ++i)
        if (m->slots[i].state == INT_MAP_USED)
            *find_int(&bigger, m->slots[i].key) = m->slots[i];
    free(m->slots);
    *m = bigger;
    return 0;
}

int int_map_set(struct int_map *m, uint64_t key, uint64_t value)
{
    if ((m->used + 1) * 4 > m->cap * 3) {
        int rc = rehash_int(m);
        if (rc != 0)
            return rc;
    }
    struct int_map_slot *s = find_int(m, key);
    m->used += s->state == INT_MAP_EMPTY;
    m->len += s->state != INT_MAP_USED;
    *s = (struct int_map_slot){key, value, INT_MAP_USED};
    return 0;
}

bool int_map_get(const struct int_map *m, uint64_t key, uint64_t *value)
{
    if (m->len == 0)
        return false;
    const struct int_map_slot *s = find_int(m, key);
    if (s->state != INT_MAP_USED)
        return false;
    if (value != NULL)
        *value = s->value;
    return true;
}

void int_map_remove(struct int_map *m, uint64_t key)
{
    if (m->len == 0)
        return;
    struct int_map_slot *s = find_int(m, key);
    if (s->state == INT_MAP_USED) {
        s->state = INT_MAP_REMOVED;
        m->len--;
    }
}

static uint64_t hash_string(const char *s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (; *s != '\0'; ++s)
        h = (h ^ (uint8_t)*s) * UINT64_C(0x100000001b3);
    return mix(h);
}

void string_map_fini(struct string_map *m)
{
    for (size_t i = 0; i < m->cap; ++i)
        free(m->slots[i].key);
    free(m->slots);
    *m = (struct string_map){NULL, 0, 0};
}

static struct string_map_slot *find_string(const struct string_map *m, const char *key, uint64_t hash)
{
    for (size_t i = hash & (m->cap - 1);; i = (i + 1) & (m->cap - 1)) {
        struct string_map_slot *s = &m->slots[i];
        if (s->key == NULL || (s->hash == hash && strcmp(s->key, key) == 0))
            return s;
    }
}

static int rehash_string(struct string_map *m)
{
    size_t cap = m->cap == 0 ? FIRST_CAP : m->cap * 2;
    struct string_map bigger = {calloc(cap, sizeof *bigger.slots), cap, m->len};
    if (bigger.slots == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: hash map of %zu slots", cap);
    for (size_t i = 0; i < m->cap; ++i)
        if (m->slots[i].key != NULL)
            *find_string(&bigger, m->slots[i].key, m->slots[i].hash) = m->slots[i];
    free(m->slots);
    *m = bigger;
    return 0;
}

int string_map_set(struct string_map *m, const char *key, uint64_t value)
{
    if ((m->len + 1) * 4 > m->cap * 3) {
        int rc = rehash_string(m);
        if (rc != 0)
            return rc;
    }
    uint64_t hash = hash_string(key);
    struct string_map_slot *s = find_string(m, key, hash);
    if (s->key == NULL) {
        char *copy = strdup(key);
        if (copy == NULL)
            return trace_error_set(TRACE_ERR_MEMORY, "out of memory: hash map key");
        s->key = copy;
        s->hash = hash;
        m->len++;
    }
    s->value = value;
    return 0;
}

bool string_map_get(const struct string_map *m, const char *key, uint64_t *value)
{
    if (m->len == 0)
        return false;
    const struct string_map_slot *s = find_string(m, key, hash_string(key));
    if (s->key == NULL)
        return false;
    if (value != NULL)
        *value = s->value;
    return true;
}
