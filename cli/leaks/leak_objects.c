/* SPDX-License-Identifier: MIT */
#include "leaks/leak_objects.h"

#include "base/array.h"
#include "base/error.h"
#include "runtime/spec.h"

#include <stdlib.h>
#include <string.h>

/* --- texts ----------------------------------------------------------------------------------------- */

struct leak_text *leak_text_new(const void *bytes, size_t size)
{
    struct leak_text *t = malloc(sizeof *t + size + 1);
    if (t == NULL) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        return NULL;
    }
    t->uses = 1;
    memcpy(t->text, bytes, size);
    t->text[size] = '\0';
    return t;
}

void leak_text_release(struct leak_text *t)
{
    if (t != NULL && --t->uses == 0)
        free(t);
}

/* --- objects --------------------------------------------------------------------------------------- */

static void free_object(struct leak_object *o)
{
    leak_text_release(o->text);
    leak_text_release(o->label);
    if (o->counter != NULL)
        --*o->counter;
    free(o);
}

static struct leak_object *object_in(const struct int_map_slot *slot)
{
    return (struct leak_object *)(uintptr_t)slot->value;
}

static struct int_map *map_of(const struct leak_space *s, unsigned kind)
{
    return &s->kinds[spec_object_kinds[kind].names];
}

static int enter(struct leak_space *s, struct leak_object *object)
{
    if (s->kinds == NULL)
        s->kinds = calloc(spec_object_count, sizeof *s->kinds);
    if (s->kinds == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    return int_map_set(map_of(s, object->kind), object->name, (uint64_t)(uintptr_t)object);
}

struct leak_object *leak_space_find(const struct leak_space *s, unsigned kind, uint64_t name)
{
    uint64_t pointer = 0;
    if (s->kinds != NULL)
        int_map_get(map_of(s, kind), name, &pointer);
    return (struct leak_object *)(uintptr_t)pointer;
}

void leak_space_remove(struct leak_space *s, unsigned kind, uint64_t name)
{
    struct leak_object *o = leak_space_find(s, kind, name);
    if (o != NULL) {
        int_map_remove(map_of(s, kind), name);
        free_object(o);
    }
}

int leak_space_add(struct leak_space *s, const struct leak_object *object)
{
    struct leak_object *o = malloc(sizeof *o);
    if (o == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    *o = *object;
    leak_space_remove(s, object->kind, object->name);
    if (o->text != NULL)
        o->text->uses++;
    if (o->label != NULL)
        o->label->uses++;
    if (o->counter != NULL)
        ++*o->counter;
    int rc = enter(s, o);
    if (rc != 0)
        free_object(o);
    return rc;
}

void leak_space_set_label(struct leak_space *s, unsigned kind, uint64_t name, struct leak_text *label)
{
    struct leak_object *o = leak_space_find(s, kind, name);
    if (o == NULL) {
        leak_text_release(label);
        return;
    }
    leak_text_release(o->label);
    o->label = label;
}

void leak_space_remove_range(struct leak_space *s, unsigned kind, uint64_t first, uint64_t count)
{
    const struct int_map *map = s->kinds != NULL ? map_of(s, kind) : NULL;
    if (map == NULL || map->len == 0)
        return;
    if (count <= map->cap) {
        for (uint64_t i = 0; i < count; ++i)
            leak_space_remove(s, kind, first + i);
        return;
    }
    for (size_t i = 0; i < map->cap; ++i)
        if (map->slots[i].state == INT_MAP_USED && map->slots[i].key - first < count)
            leak_space_remove(s, kind, map->slots[i].key);
}

/* --- findings -------------------------------------------------------------------------------------- */

int leak_space_end_one(struct leak_space *s, struct leak_object *object, struct leak_findings *findings,
                       uint64_t until)
{
    if (ARRAY_RESERVE(findings->items, findings->count, findings->cap) != 0)
        return TRACE_ERR_MEMORY;
    findings->items[findings->count++] = (struct leak_finding){*object, until};
    int_map_remove(map_of(s, object->kind), object->name);
    free(object); /* its references to texts have been passed on */
    return 0;
}

/* Ends every object of the space, or only those of one owner. */
static int end_some(struct leak_space *s, const uint64_t *owner, unsigned except,
                    struct leak_findings *findings, uint64_t until)
{
    for (unsigned kind = 0; s->kinds != NULL && kind < spec_object_count; ++kind) {
        const struct int_map *map = &s->kinds[kind];
        for (size_t i = 0; i < map->cap; ++i) {
            struct leak_object *o = map->slots[i].state == INT_MAP_USED ? object_in(&map->slots[i]) : NULL;
            if (o == NULL || (owner != NULL && (o->owner != *owner || o->kind == except)))
                continue;
            int rc = leak_space_end_one(s, o, findings, until);
            if (rc != 0)
                return rc;
        }
    }
    return 0;
}

int leak_space_end(struct leak_space *s, struct leak_findings *findings, uint64_t until)
{
    int rc = end_some(s, NULL, 0, findings, until);
    leak_space_fini(s);
    return rc;
}

int leak_space_end_owner(struct leak_space *s, uint64_t owner, unsigned except,
                         struct leak_findings *findings, uint64_t until)
{
    return end_some(s, &owner, except, findings, until);
}

int leak_space_merge(struct leak_space *s, struct leak_space *from, uint32_t group)
{
    int rc = 0;
    for (unsigned kind = 0; from->kinds != NULL && kind < spec_object_count; ++kind) {
        const struct int_map *map = &from->kinds[kind];
        for (size_t i = 0; i < map->cap && rc == 0; ++i) {
            if (map->slots[i].state != INT_MAP_USED)
                continue;
            object_in(&map->slots[i])->group = group;
            rc = leak_space_add(s, object_in(&map->slots[i]));
        }
    }
    leak_space_fini(from);
    return rc;
}

void leak_space_fini(struct leak_space *s)
{
    for (unsigned kind = 0; s->kinds != NULL && kind < spec_object_count; ++kind) {
        const struct int_map *map = &s->kinds[kind];
        for (size_t i = 0; i < map->cap; ++i)
            if (map->slots[i].state == INT_MAP_USED)
                free_object(object_in(&map->slots[i]));
        int_map_fini(&s->kinds[kind]);
    }
    free(s->kinds);
    s->kinds = NULL;
}

void leak_findings_fini(struct leak_findings *f)
{
    for (size_t i = 0; i < f->count; ++i) {
        leak_text_release(f->items[i].object.text);
        leak_text_release(f->items[i].object.label);
    }
    free(f->items);
    *f = (struct leak_findings){0};
}
