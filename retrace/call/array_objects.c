/* SPDX-License-Identifier: MIT */
#include "call/array_objects.h"

#include <stdlib.h>

#include "base/error.h"
#include "replayer.h"

static struct array_object *find(const struct replay_context *context, uint64_t name)
{
    uint64_t address = 0;
    return int_map_get(&context->array_objects, name, &address) ? (void *)(uintptr_t)address : NULL;
}

static void free_object(struct array_object *object)
{
    if (object == NULL)
        return;
    int_map_fini(&object->missing);
    int_map_fini(&object->offsets);
    int_map_fini(&object->limits);
    int_map_fini(&object->sizes);
    free(object);
}

const struct array_object *array_object_get(const struct replay_context *context)
{
    static const struct array_object nothing;
    return context->arrays != NULL ? context->arrays : &nothing;
}

struct array_object *array_object_edit(struct replay_context *context)
{
    if (context->arrays != NULL)
        return context->arrays;
    struct array_object *object = calloc(1, sizeof *object);
    if (object == NULL ||
        int_map_set(&context->array_objects, context->vertex_array, (uintptr_t)object) != 0) {
        free(object);
        trace_error_set(TRACE_ERR_MEMORY, "out of memory for arrays");
        return NULL;
    }
    context->arrays = object;
    return object;
}

void array_object_bind(struct replay_context *context, uint64_t name)
{
    context->vertex_array = name;
    context->arrays = find(context, name);
}

void array_object_remove(struct replay_context *context, uint64_t name)
{
    if (name == 0)
        return;
    if (name == context->vertex_array)
        array_object_bind(context, 0);
    free_object(find(context, name));
    int_map_remove(&context->array_objects, name);
}

void array_objects_fini(struct replay_context *context)
{
    const struct int_map *objects = &context->array_objects;
    for (size_t i = 0; i < objects->cap; ++i)
        if (objects->slots[i].state == INT_MAP_USED)
            free_object((void *)(uintptr_t)objects->slots[i].value);
    int_map_fini(&context->array_objects);
    context->arrays = NULL;
}
