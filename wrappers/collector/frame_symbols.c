/* SPDX-License-Identifier: MIT */
#include "collector/frame_symbols.h"

#include "collector/program_root.h"

#include "base/error.h"
#include "symbols/perf_map.h"
#include "symbols/symbolizer.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct frame_symbols {
    struct symbolizer *symbolizer; /* created when first needed, since most traces have no backtraces */
    const char *const *debug_directories;
    struct program_root root;
    struct perf_map *generated; /* NULL: no backtraces are expected */
    bool said;                  /* what is wrong with the file of generated code */
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
    for (const char *const *d = s->debug_directories; rc == 0 && d != NULL && *d != NULL; ++d)
        rc = symbolizer_add_debug_directory(s->symbolizer, *d);
    if (rc == 0 && s->verbose)
        symbolizer_set_warning(s->symbolizer, print_warning, NULL);
    return rc;
}

/* --- generated code -------------------------------------------------------------------------------- */

/* Code is in the file before it runs, if the program writes the file at all. */
static const struct perf_function *find_generated(struct frame_symbols *s, uint64_t place)
{
    if (s->generated == NULL)
        return NULL;
    if (perf_map_update(s->generated) != 0 && s->verbose && !s->said) {
        print_warning(NULL, NULL, trace_error_message());
        s->said = true;
    }
    return perf_map_find(s->generated, place);
}

/* Code may be generated where there was other code before. */
static bool is_renamed(void *context, uint64_t place, const struct trace_frame *frame)
{
    const struct perf_function *f = find_generated(context, place);
    if (f == NULL || frame->function == NULL)
        return f != NULL || frame->function != NULL;
    return frame->offset != (int64_t)(place - f->start) || strcmp(frame->function, f->name) != 0;
}

static int describe_generated(struct frame_symbols *s, struct stack_frames *frames, uint64_t place)
{
    const struct perf_function *f = find_generated(s, place);
    if (f == NULL)
        return 0;
    const struct trace_frame frame = {
        .module = "[JIT]", .function = f->name, .line = -1, .offset = (int64_t)(place - f->start)};
    return stack_frames_add(frames, &frame);
}

/* Opens the file of the process, which knows itself by another id if it is in a container. */
static int expect_generated(struct frame_symbols *s, pid_t pid)
{
    char path[PATH_MAX], seen[PATH_MAX], process[32];
    struct stat st;
    snprintf(process, sizeof process, "/proc/%d", (int)pid);
    uid_t owner = stat(process, &st) == 0 ? st.st_uid : geteuid();
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)program_root_process_id(pid));
    return program_root_path(&s->root, path, seen, sizeof seen) ? perf_map_new(&s->generated, seen, owner)
                                                                : 0;
}

/* --- all code -------------------------------------------------------------------------------------- */

static int describe(void *context, struct stack_frames *frames, const struct stack_module *module,
                    uint64_t place)
{
    struct frame_symbols *s = context;
    if (module == NULL)
        return describe_generated(s, frames, place);
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
    s->debug_directories = options->debug_directories;
    s->root = (struct program_root){-1, -1};
    s->running = -1;
    snprintf(running, sizeof running, "/proc/%d/exe", (int)options->pid);
    int rc = 0;
    if (options->expected) {
        program_root_open(&s->root, options->pid);
        s->running = open(running, O_RDONLY | O_CLOEXEC);
        rc = expect_generated(s, options->pid);
    }
    stack_frames_set_source(frames, describe, is_renamed, s);
    if (rc == 0)
        *out = s;
    else
        frame_symbols_free(s);
    return rc;
}

void frame_symbols_free(struct frame_symbols *s)
{
    if (s == NULL)
        return;
    symbolizer_free(s->symbolizer);
    perf_map_free(s->generated);
    program_root_close(&s->root);
    if (s->running >= 0)
        close(s->running);
    free(s);
}
