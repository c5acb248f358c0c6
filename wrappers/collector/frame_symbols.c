/* SPDX-License-Identifier: MIT */
#include "collector/frame_symbols.h"

#include "collector/program_root.h"

#include "base/error.h"
#include "symbols/symbolizer.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct frame_symbols {
    struct symbolizer *symbolizer; /* created when first needed, since most traces have no backtraces */
    struct program_root root;
    bool verbose;
    char program[PATH_MAX];
    int running; /* the program's file, whatever has become of its path; -1: unknown */
};

/* Returns the path of the module's file, as the program sees files, or NULL if it is unknown. Relative paths
 * are relative to the program's directory at the time of loading, which usually is ours. */
static const char *find_file(const struct frame_symbols *s, const struct stack_module *module, char *room)
{
    const char *path = module->is_program ? s->program : module->path;
    if (path[0] == '/')
        return path;
    return strchr(path, '/') != NULL ? realpath(path, room) : NULL;
}

/* *count is 0 if the file has no information, or is not the one that was loaded. */
static int find_frames(struct frame_symbols *s, const char *path, const struct stack_module *module,
                       uint64_t place, const struct symbol_frame **out, size_t *count)
{
    const struct symbol_module file = {.path = path,
                                       .build_id = module->build_id_size > 0 ? module->build_id : NULL,
                                       .build_id_size = module->build_id_size};
    return symbolizer_find(s->symbolizer, &file, place - module->base, out, count);
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

static void print_warning(void *context, const char *module, const char *message)
{
    (void)context, (void)module; /* the message names the file */
    fprintf(stderr, "trace-cli: backtraces: %s\n", message);
}

static int make_symbolizer(struct frame_symbols *s)
{
    int rc = symbolizer_new(&s->symbolizer);
    if (rc == 0 && s->verbose)
        symbolizer_set_warning(s->symbolizer, print_warning, NULL);
    return rc;
}

static int describe(void *context, struct stack_frames *frames, const struct stack_module *module,
                    uint64_t place)
{
    struct frame_symbols *s = context;
    char room[PATH_MAX], seen[PATH_MAX];
    const char *path = find_file(s, module, room);
    const struct symbol_frame *found;
    size_t count = 0;
    if (path == NULL)
        return 0;
    int rc = s->symbolizer != NULL ? 0 : make_symbolizer(s);
    if (rc == 0 && s->root.root >= 0 && program_root_path(&s->root, path, seen, sizeof seen))
        rc = find_frames(s, seen, module, place, &found, &count);
    if (rc == 0 && count == 0) /* it may have been loaded before the program's root changed */
        rc = find_frames(s, path, module, place, &found, &count);
    if (rc == 0 && count == 0 && module->is_program && s->running >= 0) { /* built anew meanwhile */
        snprintf(seen, sizeof seen, "/proc/self/fd/%d", s->running);
        rc = find_frames(s, seen, module, place, &found, &count);
    }
    for (size_t i = 0; rc == 0 && i < count; ++i)
        rc = add_frame(frames, module, place, &found[i]);
    return rc;
}

int frame_symbols_new(struct frame_symbols **out, struct stack_frames *frames,
                      const struct frame_symbols_options *options)
{
    struct frame_symbols *s = calloc(1, sizeof *s);
    size_t size = strlen(options->program) + 1;
    char running[32];
    if (s == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory: symbols of backtraces");
    if (size <= sizeof s->program)
        memcpy(s->program, options->program, size);
    s->verbose = options->verbose;
    s->root = (struct program_root){-1, -1};
    s->running = -1;
    snprintf(running, sizeof running, "/proc/%d/exe", (int)options->pid);
    if (options->expected) {
        program_root_open(&s->root, options->pid);
        s->running = open(running, O_RDONLY | O_CLOEXEC);
    }
    stack_frames_set_source(frames, describe, s);
    *out = s;
    return 0;
}

void frame_symbols_free(struct frame_symbols *s)
{
    if (s == NULL)
        return;
    symbolizer_free(s->symbolizer);
    program_root_close(&s->root);
    if (s->running >= 0)
        close(s->running);
    free(s);
}
