/* SPDX-License-Identifier: MIT */
#include "formats/shared/log_names.h"

#include "base/buf.h"
#include "base/error.h"

#include <stdlib.h>

static const void *no_memory(void)
{
    trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    return NULL;
}

/* --- tables of strings ----------------------------------------------------------------------------- */

static uint64_t hash_of(const char *key, size_t length)
{
    uint64_t hash = length * UINT64_C(0x9e3779b97f4a7c15), word;
    for (; length >= 8; key += 8, length -= 8) {
        memcpy(&word, key, 8);
        hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
        hash ^= hash >> 32;
    }
    word = 0;
    for (size_t i = 0; i < length; ++i)
        word |= (uint64_t)(uint8_t)key[i] << (8 * i);
    hash = (hash ^ word) * UINT64_C(0xff51afd7ed558ccd);
    return hash ^ hash >> 32;
}

/* Returns the key's slot, or the empty slot where it belongs. The table must not be full. */
static struct log_names_slot *find_slot(const struct log_names_table *t, const char *key, size_t length,
                                        uint64_t hash)
{
    size_t i = hash & (t->cap - 1);
    for (;; i = (i + 1) & (t->cap - 1)) {
        struct log_names_slot *s = &t->slots[i];
        if (s->key == NULL ||
            (s->hash == hash && s->length == length && (length == 0 || memcmp(s->key, key, length) == 0)))
            return s;
    }
}

static bool grow(struct log_names_table *t)
{
    struct log_names_table bigger = {.cap = t->cap != 0 ? 2 * t->cap : 64, .count = t->count};
    bigger.slots = calloc(bigger.cap, sizeof *bigger.slots);
    if (bigger.slots == NULL)
        return false;
    for (size_t i = 0; i < t->cap; ++i) {
        struct log_names_slot *s = &t->slots[i];
        if (s->key != NULL)
            *find_slot(&bigger, s->key, s->length, s->hash) = *s;
    }
    free(t->slots);
    *t = bigger;
    return true;
}

static const void *find(const struct log_names_table *t, const char *key, size_t length)
{
    return t->cap != 0 ? find_slot(t, key, length, hash_of(key, length))->value : NULL;
}

/* Sets the value of a key, which is copied with a NUL at its end. Returns the copy. */
static const char *set(struct log_names *n, struct log_names_table *t, const char *key, size_t length,
                       const void *value)
{
    if (t->count * 4 >= t->cap * 3 && !grow(t))
        return no_memory();
    struct log_names_slot *s = find_slot(t, key, length, hash_of(key, length));
    if (s->key == NULL) {
        char *copy = arena_alloc(&n->arena, length + 1);
        if (copy == NULL)
            return NULL;
        if (length > 0)
            memcpy(copy, key, length);
        copy[length] = '\0';
        *s = (struct log_names_slot){.key = copy, .length = length, .hash = hash_of(key, length)};
        ++t->count;
    }
    s->value = value;
    return s->key;
}

/* --- all of them ----------------------------------------------------------------------------------- */

void log_names_init(struct log_names *n)
{
    *n = (struct log_names){.process = -1};
    arena_init(&n->arena);
}

void log_names_fini(struct log_names *n)
{
    free(n->functions.slots);
    free(n->declarations.slots);
    free(n->type_names.slots);
    free(n->origins.slots);
    int_map_fini(&n->types);
    arena_fini(&n->arena);
}

/* --- functions ------------------------------------------------------------------------------------- */

static const struct trace_function_sig *add_function(struct log_names *n, const char *key, size_t length,
                                                     uint32_t arg_count)
{
    struct trace_function_sig *sig = arena_alloc(&n->arena, sizeof *sig);
    const char **names = arena_alloc(&n->arena, (arg_count + (size_t)1) * sizeof *names);
    if (sig == NULL || names == NULL)
        return NULL;
    const char *copy = set(n, &n->functions, key, length, sig);
    if (copy == NULL)
        return NULL;
    *sig = (struct trace_function_sig){
        .id = (uint32_t)n->functions.count - 1, .name = copy, .arg_count = arg_count, .arg_names = names};
    for (uint32_t i = 0; i < arg_count; ++i)
        names[i] = copy = copy + strlen(copy) + 1;
    return sig;
}

const struct trace_function_sig *log_names_function(struct log_names *n, const char *key, size_t length,
                                                    uint32_t arg_count)
{
    const struct trace_function_sig *sig = find(&n->functions, key, length);
    return sig != NULL ? sig : add_function(n, key, length, arg_count);
}

/* --- types of resources ---------------------------------------------------------------------------- */

#define TYPE_KEY_HEAD                                                                                        \
    7 /* bytes before the name: id, use counts, whether there are a description, and flags */

static int put_text(struct buf *key, const char *text)
{
    return text != NULL ? buf_append(key, text, strlen(text) + 1) : 0;
}

static int put_type_key(struct buf *key, const struct trace_resource_type *type)
{
    uint8_t head[TYPE_KEY_HEAD];
    memcpy(head, &type->id, 4);
    head[4] = type->refcounted;
    head[5] = type->description != NULL;
    head[6] = type->flags != NULL;
    int rc = buf_append(key, head, sizeof head);
    if (rc == 0)
        rc = put_text(key, type->name);
    if (rc == 0)
        rc = put_text(key, type->description);
    return rc == 0 ? put_text(key, type->flags) : rc;
}

static const struct trace_resource_type *
add_declaration(struct log_names *n, const struct trace_resource_type *type, const struct buf *key)
{
    struct trace_resource_type *added = arena_alloc(&n->arena, sizeof *added);
    if (added == NULL)
        return NULL;
    const char *copy = set(n, &n->declarations, (const char *)key->data, key->len, added);
    if (copy == NULL)
        return NULL;
    *added = *type;
    added->name = copy + TYPE_KEY_HEAD;
    const char *behind = added->name + strlen(added->name) + 1;
    if (type->description != NULL) {
        added->description = behind;
        behind += strlen(behind) + 1;
    }
    if (type->flags != NULL)
        added->flags = behind;
    return added;
}

/* Makes this type the one that calls with its id refer to. */
static bool use(struct log_names *n, const struct trace_resource_type *type)
{
    bool is_new = !int_map_get(&n->types, type->id, NULL);
    if (int_map_set(&n->types, type->id, (uint64_t)(uintptr_t)type) != 0)
        return false;
    n->declared_types += is_new;
    n->only_type = n->declared_types == 1 ? type : NULL;
    n->last_type = NULL;
    return set(n, &n->type_names, type->name, strlen(type->name), type) != NULL;
}

const struct trace_resource_type *log_names_declaration(struct log_names *n,
                                                        const struct trace_resource_type *type)
{
    struct buf key = BUF_INIT;
    const struct trace_resource_type *found =
        put_type_key(&key, type) == 0 ? find(&n->declarations, (const char *)key.data, key.len) : NULL;
    buf_fini(&key);
    return found;
}

int log_names_declare(struct log_names *n, const struct trace_resource_type *type)
{
    const struct trace_resource_type *declared = NULL;
    struct buf key = BUF_INIT;
    if (put_type_key(&key, type) == 0) {
        declared = find(&n->declarations, (const char *)key.data, key.len);
        if (declared == NULL)
            declared = add_declaration(n, type, &key);
    }
    buf_fini(&key);
    return declared != NULL && use(n, declared) ? 0 : TRACE_ERR_MEMORY;
}

static const struct trace_resource_type *find_by_id(struct log_names *n, uint32_t id)
{
    uint64_t address;
    if (id == 0 && n->only_type != NULL)
        return n->only_type;
    if (int_map_get(&n->types, id, &address))
        return (const struct trace_resource_type *)(uintptr_t)address;
    if (id == 0)
        return &n->unknown_type;
    struct trace_resource_type *type = arena_alloc(&n->arena, sizeof *type);
    if (type == NULL)
        return NULL;
    *type = (struct trace_resource_type){.id = id};
    return int_map_set(&n->types, id, (uint64_t)(uintptr_t)type) == 0 ? type : NULL;
}

const struct trace_resource_type *log_names_type(struct log_names *n, uint32_t id)
{
    if (n->last_type == NULL || n->last_type->id != id)
        n->last_type = find_by_id(n, id);
    return n->last_type;
}

const struct trace_resource_type *log_names_find_type(const struct log_names *n, const char *name,
                                                      size_t length)
{
    return find(&n->type_names, name, length);
}

const struct trace_resource_type *log_names_add_type(struct log_names *n, const char *name, size_t length)
{
    struct trace_resource_type *type = arena_alloc(&n->arena, sizeof *type);
    if (type == NULL)
        return NULL;
    do
        ++n->last_added_id;
    while (int_map_get(&n->types, n->last_added_id, NULL));
    const char *copy = set(n, &n->type_names, name, length, type);
    *type = (struct trace_resource_type){.id = n->last_added_id, .name = copy};
    return copy != NULL && int_map_set(&n->types, type->id, (uint64_t)(uintptr_t)type) == 0 ? type : NULL;
}

/* --- origins --------------------------------------------------------------------------------------- */

static bool is_same(const struct trace_origin *a, const struct trace_origin *b)
{
    return a->thread == b->thread && a->process == b->process && a->cpu == b->cpu && a->stream == b->stream &&
           a->contexts == b->contexts;
}

/* Returns the slot of an equal origin, or the empty slot where this one belongs. */
static const struct trace_origin **find_origin(const struct log_origins *o, const struct trace_origin *origin)
{
    const int64_t members[] = {origin->process, origin->thread, origin->cpu, origin->stream,
                               origin->contexts};
    size_t i = hash_of((const char *)members, sizeof members) & (o->cap - 1);
    while (o->slots[i] != NULL && !is_same(o->slots[i], origin))
        i = (i + 1) & (o->cap - 1);
    return &o->slots[i];
}

static bool grow_origins(struct log_origins *o)
{
    struct log_origins bigger = {.cap = o->cap != 0 ? 2 * o->cap : 64, .count = o->count};
    bigger.slots = calloc(bigger.cap, sizeof *bigger.slots);
    if (bigger.slots == NULL)
        return false;
    for (size_t i = 0; i < o->cap; ++i)
        if (o->slots[i] != NULL)
            *find_origin(&bigger, o->slots[i]) = o->slots[i];
    free(o->slots);
    *o = bigger;
    return true;
}

const struct trace_origin *log_names_find_origin(struct log_names *n, const struct trace_origin *origin)
{
    struct log_origins *o = &n->origins;
    if (o->count * 4 >= o->cap * 3 && !grow_origins(o))
        return no_memory();
    const struct trace_origin **slot = find_origin(o, origin);
    if (*slot == NULL && (*slot = arena_copy(&n->arena, origin, sizeof *origin)) != NULL)
        ++o->count;
    return *slot;
}

const struct trace_origin *log_names_origin_of(struct log_names *n, uint32_t contexts)
{
    const struct trace_origin origin = {
        .process = n->process, .thread = -1, .cpu = -1, .stream = -1, .contexts = contexts};
    return n->last_origin = log_names_find_origin(n, &origin);
}
