/* SPDX-License-Identifier: MIT
 * The places of a process's call stacks as frames of the trace format: a place has a frame for the function
 * that it lies in and one for each function that was inlined there. Frames are numbered as they first occur.
 */
#ifndef RECORDS_STACK_FRAMES_H
#define RECORDS_STACK_FRAMES_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "trace/model.h"

/* An object that was loaded while some places were noted. */
struct stack_module {
    uint64_t start, end; /* of what was loaded of it */
    uint64_t base;       /* what its own addresses are relative to */
    bool is_program;     /* path is what the program was called by, as its argument 0 */
    uint32_t build_id_size;
    uint8_t build_id[32];
    const char *path; /* as the loader had it */
};

struct stack_frames;

/* Adds the frames of a place in the module, innermost first, by stack_frames_add(). If it adds none, the
 * frame is module and offset. module: NULL if it is in none, as code is that the program has generated.
 * Errors: TRACE_ERR_MEMORY. */
typedef int (*stack_describe)(void *context, struct stack_frames *frames, const struct stack_module *module,
                              uint64_t place);

/* Returns true if a place in no module, which was described by this frame, has another name by now. */
typedef bool (*stack_is_renamed)(void *context, uint64_t place, const struct trace_frame *frame);

struct stack_frames {
    struct arena texts;
    struct trace_frame *frames; /* index: its id */
    size_t count, room;
    const struct stack_module **modules;
    size_t module_count, module_room;
    struct int_map places;   /* place and module -> first frame, how many */
    stack_describe describe; /* NULL: modules and offsets only */
    stack_is_renamed is_renamed;
    void *context;
};

void stack_frames_init(struct stack_frames *f);
void stack_frames_fini(struct stack_frames *f);

/* Has places described from now on. */
void stack_frames_set_source(struct stack_frames *f, stack_describe describe, stack_is_renamed is_renamed,
                             void *context);

/* Adds module number `serial` if it is the next one; its path is copied. */
int stack_frames_add_module(struct stack_frames *f, const struct stack_module *module, uint32_t serial);

/* Adds a frame, whose texts are copied. */
int stack_frames_add(struct stack_frames *f, const struct trace_frame *frame);

/* The frames of a place that was noted when there were `modules` modules: *count of them from the id *first
 * on, never none. Errors: TRACE_ERR_MEMORY. */
int stack_frames_find(struct stack_frames *f, size_t modules, uint64_t place, uint32_t *first,
                      uint32_t *count);

#endif
