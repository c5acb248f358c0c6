/* SPDX-License-Identifier: MIT */
#include "collector/frame_symbols.h"

#include "base/error.h"
#include "symbols/symbolizer.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct frame_symbols {
    struct symbolizer *symbolizer; /* made when it is first needed: most traces have no backtraces */
    char program[PATH_MAX];
};

/* Where the module's file is; false when that is not known. Paths are relative to where the program was when
 * it loaded them, which mostly is where we are. */
static bool find_file(const struct frame_symbols *s, const struct stack_module *module, char *out)
{
    const char *path = module->is_program ? s->program : module->path;
    if (path[0] != '/')
        return strchr(path, '/') != NULL && realpath(path, out) != NULL;
    size_t size = strlen(path) + 1;
    if (size <= PATH_MAX)
        memcpy(out, path, size);
    return size <= PATH_MAX;
}

static int add_frame(struct stack_frames *frames, const struct stack_module *module, uint64_t place,
                     const struct symbol_frame *f)
{
    const struct trace_frame frame = {.module = module->path,
                                      .function = f->function,
                                      .file = f->file,
                                      .line = f->line,
                                      .offset =
                                          f->offset >= 0 ? f->offset : (int64_t)(place - module->start)};
    return stack_frames_add(frames, &frame);
}

static int describe(void *context, struct stack_frames *frames, const struct stack_module *module,
                    uint64_t place)
{
    struct frame_symbols *s = context;
    char path[PATH_MAX];
    const struct symbol_frame *found;
    size_t count;
    if (!find_file(s, module, path))
        return 0;
    const struct symbol_module file = {.path = path,
                                       .build_id = module->build_id_size > 0 ? module->build_id : NULL,
                                       .build_id_size = module->build_id_size};
    int rc = s->symbolizer != NULL ? 0 : symbolizer_new(&s->symbolizer);
    if (rc == 0)
        rc = symbolizer_find(s->symbolizer, &file, place - module->base, &found, &count);
    for (size_t i = 0; rc == 0 && i < count; ++i)
        rc = add_frame(frames, module, place, &found[i]);
    return rc;
}

int frame_symbols_new(struct frame_symbols **out, struct stack_frames *frames, const char *program)
{
    struct frame_symbols *s = calloc(1, sizeof *s);
    size_t size = strlen(program) + 1;
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: symbols of backtraces");
    if (size <= sizeof s->program)
        memcpy(s->program, program, size);
    stack_frames_set_source(frames, describe, s);
    *out = s;
    return 0;
}

void frame_symbols_free(struct frame_symbols *s)
{
    if (s == NULL)
        return;
    symbolizer_free(s->symbolizer);
    free(s);
}
