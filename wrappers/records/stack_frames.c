/* SPDX-License-Identifier: MIT */
#include "records/stack_frames.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define FRAME_LIMIT 64 /* of a place: functions inlined into each other */
#define PLACE_BITS  48 /* of an address; those of modules are above */

void stack_frames_init(struct stack_frames *f)
{
    *f = (struct stack_frames){.count = 0};
    arena_init(&f->texts);
}

void stack_frames_fini(struct stack_frames *f)
{
    arena_fini(&f->texts);
    free(f->frames);
    free(f->modules);
    int_map_fini(&f->places);
    *f = (struct stack_frames){.count = 0};
}

void stack_frames_set_source(struct stack_frames *f, stack_describe describe, stack_is_renamed is_renamed,
                             void *context)
{
    f->describe = describe;
    f->is_renamed = is_renamed;
    f->context = context;
}

static int out_of_memory(void)
{
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: backtraces");
}

int stack_frames_add_module(struct stack_frames *f, const struct stack_module *module, uint32_t serial)
{
    if (serial != f->module_count)
        return 0;
    struct stack_module *m = arena_copy(&f->texts, module, sizeof *module);
    char *path = arena_copy(&f->texts, module->path, strlen(module->path) + 1);
    if (m == NULL || path == NULL || ARRAY_RESERVE(f->modules, f->module_count, f->module_room) != 0)
        return out_of_memory();
    m->path = path;
    f->modules[f->module_count++] = m;
    return 0;
}

static bool copy_text(struct stack_frames *f, const char **text)
{
    if (*text != NULL)
        *text = arena_copy(&f->texts, *text, strlen(*text) + 1);
    return *text != NULL;
}

int stack_frames_add(struct stack_frames *f, const struct trace_frame *frame)
{
    if (ARRAY_RESERVE(f->frames, f->count, f->room) != 0)
        return out_of_memory();
    struct trace_frame *copy = &f->frames[f->count];
    *copy = *frame;
    copy->id = (uint32_t)f->count;
    if ((frame->function != NULL && !copy_text(f, &copy->function)) ||
        (frame->file != NULL && !copy_text(f, &copy->file)) ||
        (frame->module != NULL && !copy_text(f, &copy->module)))
        return out_of_memory();
    f->count++;
    return 0;
}

static const struct stack_module *module_at(const struct stack_frames *f, size_t modules, uint64_t place,
                                            size_t *number)
{
    for (size_t i = modules < f->module_count ? modules : f->module_count; i-- > 0;) {
        if (place >= f->modules[i]->start && place < f->modules[i]->end) {
            *number = i + 1;
            return f->modules[i];
        }
    }
    *number = 0;
    return NULL;
}

static int add_frames(struct stack_frames *f, const struct stack_module *module, uint64_t place)
{
    size_t before = f->count;
    int rc = f->describe != NULL ? f->describe(f->context, f, module, place) : 0;
    if (rc != 0 || f->count > before)
        return rc;
    const struct trace_frame plain = {.module = module != NULL ? module->path : NULL,
                                      .line = -1,
                                      .offset = (int64_t)(place - (module != NULL ? module->start : 0))};
    return stack_frames_add(f, &plain);
}

int stack_frames_find(struct stack_frames *f, size_t modules, uint64_t place, uint32_t *first,
                      uint32_t *count)
{
    size_t number;
    const struct stack_module *module = module_at(f, modules, place, &number);
    uint64_t key = place ^ (uint64_t)number << PLACE_BITS, value;
    bool known = int_map_get(&f->places, key, &value);
    if (known && module == NULL && f->is_renamed != NULL)
        known = !f->is_renamed(f->context, place, &f->frames[value >> 8]);
    if (known) {
        *first = (uint32_t)(value >> 8);
        *count = (uint32_t)(value & 0xff);
        return 0;
    }
    *first = (uint32_t)f->count;
    int rc = add_frames(f, module, place);
    if (rc != 0)
        return rc;
    size_t added = f->count - *first;
    *count = (uint32_t)(added < FRAME_LIMIT ? added : FRAME_LIMIT);
    return int_map_set(&f->places, key, (uint64_t)*first << 8 | *count) == 0 ? 0 : out_of_memory();
}
