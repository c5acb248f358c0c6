/* SPDX-License-Identifier: MIT */
#include "profile_chrome.h"

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/hash_map.h"
#include "base/json_writer.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The "processes" that tracks are grouped by. */
enum side { ON_CPU = 1, ON_GPU = 2 };

/* What a thread has done on one side. */
struct track {
    enum side side;
    unsigned id;
    bool is_named;
    bool in_frame;
    int64_t frame_start; /* the end of the frame before, or -1 */
    int64_t end;         /* of what was written last; later events must not start before it */
};

struct thread_tracks {
    struct track cpu, gpu;
    char **groups; /* the open ones, outermost first */
    size_t group_count, group_cap;
    uint64_t frames;
};

struct profile_chrome {
    struct profile_output output; /* first */
    FILE *file;
    char *path;
    int64_t min_cpu_time;
    struct buf text;
    struct json_writer json;
    struct int_map threads; /* maps traced threads to struct thread_tracks * */
};

/* --- events --------------------------------------------------------------------------------------------- */

/* Times are in microseconds. */
static void put_time(struct profile_chrome *c, const char *key, int64_t nanoseconds)
{
    char text[48];
    int n = snprintf(text, sizeof text, "%lld.%03lld", (long long)(nanoseconds / 1000),
                     (long long)(nanoseconds % 1000));
    json_key(&c->json, key);
    json_raw(&c->json, text, (size_t)n);
}

static void begin_event(struct profile_chrome *c, const char *phase, unsigned process, unsigned track)
{
    json_begin(&c->json, '{');
    json_key(&c->json, "ph");
    json_string(&c->json, phase, strlen(phase));
    json_key(&c->json, "pid");
    json_uint(&c->json, process);
    json_key(&c->json, "tid");
    json_uint(&c->json, track);
}

static void put_name(struct profile_chrome *c, const char *key, const char *name)
{
    json_key(&c->json, key);
    if (utf8_is_valid(name, strlen(name)))
        json_string(&c->json, name, strlen(name));
    else
        json_string(&c->json, "?", 1);
}

static void write_text(struct profile_chrome *c)
{
    buf_append_byte(&c->text, '\n');
    fwrite(c->text.data, 1, c->text.len, c->file);
    buf_clear(&c->text);
}

static void end_event(struct profile_chrome *c)
{
    json_end(&c->json, '}');
    write_text(c);
}

static void put_metadata(struct profile_chrome *c, const char *what, unsigned process, unsigned track,
                         const char *name)
{
    begin_event(c, "M", process, track);
    put_name(c, "name", what);
    json_key(&c->json, "args");
    json_begin(&c->json, '{');
    put_name(c, "name", name);
    json_end(&c->json, '}');
    end_event(c);
}

static void name_track(struct profile_chrome *c, struct track *t)
{
    char name[40];
    if (t->is_named)
        return;
    t->is_named = true;
    snprintf(name, sizeof name, "thread %u", t->id - 1);
    put_metadata(c, "thread_name", t->side, t->id, name);
}

/* Events of a track follow each other, also if clocks do not agree. */
static int64_t in_order(struct track *t, int64_t time)
{
    if (time > t->end)
        t->end = time;
    return t->end;
}

static void put_begin(struct profile_chrome *c, struct track *t, const char *name, const char *category,
                      int64_t time)
{
    begin_event(c, "B", t->side, t->id);
    put_name(c, "name", name);
    put_name(c, "cat", category);
    put_time(c, "ts", in_order(t, time));
    end_event(c);
}

static void put_end(struct profile_chrome *c, struct track *t, int64_t time)
{
    begin_event(c, "E", t->side, t->id);
    put_time(c, "ts", in_order(t, time));
    end_event(c);
}

static void put_call(struct profile_chrome *c, struct track *t, const struct profile_record *r,
                     const struct profile_span *span)
{
    int64_t start = in_order(t, span->start);
    begin_event(c, "X", t->side, t->id);
    put_name(c, "name", r->name);
    put_name(c, "cat", r->is_draw ? "draw" : r->kind == PROFILE_WINDOW_CALL ? "window" : "call");
    put_time(c, "ts", start);
    put_time(c, "dur", in_order(t, span->end) - start);
    json_key(&c->json, "args");
    json_begin(&c->json, '{');
    json_key(&c->json, "call");
    json_uint(&c->json, r->call);
    if (r->is_draw) {
        json_key(&c->json, "program");
        json_uint(&c->json, r->program);
    }
    json_end(&c->json, '}');
    end_event(c);
}

/* --- frames and groups ---------------------------------------------------------------------------------- */

static struct thread_tracks *tracks_of(struct profile_chrome *c, uint32_t thread)
{
    uint64_t value;
    if (int_map_get(&c->threads, thread, &value))
        return (struct thread_tracks *)(uintptr_t)value;
    struct thread_tracks *t = calloc(1, sizeof *t);
    if (t == NULL || int_map_set(&c->threads, thread, (uintptr_t)t) != 0) {
        free(t);
        return NULL;
    }
    t->cpu = (struct track){.side = ON_CPU, .id = thread + 1, .frame_start = -1};
    t->gpu = (struct track){.side = ON_GPU, .id = thread + 1, .frame_start = -1};
    return t;
}

/* Opens the frame, and the groups that were open when the one before ended, so that slices are nested. */
static void enter_frame(struct profile_chrome *c, struct thread_tracks *tracks, struct track *t, int64_t time)
{
    char name[40];
    if (t->in_frame)
        return;
    name_track(c, t);
    t->in_frame = true;
    if (t->frame_start >= 0)
        time = t->frame_start;
    snprintf(name, sizeof name, "frame %llu", (unsigned long long)tracks->frames);
    put_begin(c, t, name, "frame", time);
    for (size_t i = 0; i < tracks->group_count; ++i)
        put_begin(c, t, tracks->groups[i], "group", time);
}

static void leave_frame(struct profile_chrome *c, struct thread_tracks *tracks, struct track *t, int64_t time)
{
    t->frame_start = time;
    if (!t->in_frame)
        return;
    for (size_t i = 0; i < tracks->group_count; ++i)
        put_end(c, t, time);
    put_end(c, t, time);
    t->in_frame = false;
}

static void push_group(struct profile_chrome *c, struct thread_tracks *t, const struct profile_record *r)
{
    const char *name = r->label != NULL ? r->label : r->name;
    enter_frame(c, t, &t->cpu, r->cpu.start);
    if (r->has_gpu)
        enter_frame(c, t, &t->gpu, r->gpu.start);
    char *copy = strdup(name);
    if (copy == NULL || ARRAY_RESERVE(t->groups, t->group_count, t->group_cap) != 0) {
        free(copy);
        return;
    }
    put_begin(c, &t->cpu, name, "group", r->cpu.start);
    if (t->gpu.in_frame)
        put_begin(c, &t->gpu, name, "group", r->has_gpu ? r->gpu.start : t->gpu.end);
    t->groups[t->group_count++] = copy;
}

static void pop_group(struct profile_chrome *c, struct thread_tracks *t, const struct profile_record *r)
{
    if (t->group_count == 0)
        return; /* the program popped what it had not pushed */
    enter_frame(c, t, &t->cpu, r->cpu.start);
    put_end(c, &t->cpu, r->cpu.start);
    if (t->gpu.in_frame)
        put_end(c, &t->gpu, r->has_gpu ? r->gpu.start : t->gpu.end);
    free(t->groups[--t->group_count]);
}

static void put_mark(struct profile_chrome *c, struct thread_tracks *t, const struct profile_record *r)
{
    enter_frame(c, t, &t->cpu, r->cpu.start);
    begin_event(c, "i", ON_CPU, t->cpu.id);
    put_name(c, "name", r->label != NULL ? r->label : r->name);
    put_name(c, "s", "t");
    put_time(c, "ts", in_order(&t->cpu, r->cpu.start));
    end_event(c);
}

static void add_call(struct profile_chrome *c, struct thread_tracks *t, const struct profile_record *r)
{
    if (!r->is_draw && r->cpu.end - r->cpu.start < c->min_cpu_time)
        return;
    enter_frame(c, t, &t->cpu, r->cpu.start);
    put_call(c, &t->cpu, r, &r->cpu);
    if (!r->is_draw || !r->has_gpu)
        return;
    enter_frame(c, t, &t->gpu, r->gpu.start);
    put_call(c, &t->gpu, r, &r->gpu);
}

static void end_frame(struct profile_chrome *c, struct thread_tracks *t, const struct profile_record *r)
{
    leave_frame(c, t, &t->cpu, r->cpu.end);
    leave_frame(c, t, &t->gpu, r->has_gpu ? r->gpu.end : t->gpu.end);
    t->frames++;
}

static void add(struct profile_output *output, const struct profile_record *r)
{
    struct profile_chrome *c = (struct profile_chrome *)output;
    struct thread_tracks *t = tracks_of(c, r->thread);
    if (t == NULL)
        return;
    switch (r->kind) {
    case PROFILE_CALL:
    case PROFILE_WINDOW_CALL:
        add_call(c, t, r);
        break;
    case PROFILE_FRAME:
        end_frame(c, t, r);
        break;
    case PROFILE_PUSH:
        push_group(c, t, r);
        break;
    case PROFILE_POP:
        pop_group(c, t, r);
        break;
    case PROFILE_MARK:
        put_mark(c, t, r);
        break;
    }
}

/* --- the file ------------------------------------------------------------------------------------------- */

static void free_tracks(struct profile_chrome *c, struct thread_tracks *t)
{
    leave_frame(c, t, &t->cpu, t->cpu.end);
    leave_frame(c, t, &t->gpu, t->gpu.end);
    while (t->group_count > 0)
        free(t->groups[--t->group_count]);
    free(t->groups);
    free(t);
}

static int close_chrome(struct profile_output *output)
{
    struct profile_chrome *c = (struct profile_chrome *)output;
    int rc = 0;
    for (size_t i = 0; i < c->threads.cap; ++i)
        if (c->threads.slots[i].state == INT_MAP_USED)
            free_tracks(c, (struct thread_tracks *)(uintptr_t)c->threads.slots[i].value);
    json_end(&c->json, ']');
    json_end(&c->json, '}');
    write_text(c);
    bool failed = ferror(c->file) != 0;
    failed |= fclose(c->file) != 0;
    if (failed)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", c->path);
    else if (c->json.failed)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory for the profile");
    int_map_fini(&c->threads);
    buf_fini(&c->text);
    free(c->path);
    free(c);
    return rc;
}

int profile_chrome_open(struct profile_output **out, const char *path, int64_t min_cpu_time)
{
    struct profile_chrome *c = calloc(1, sizeof *c);
    char *copy = strdup(path);
    if (c == NULL || copy == NULL) {
        free(c);
        free(copy);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a profile");
    }
    *c = (struct profile_chrome){
        .output = {add, close_chrome}, .path = copy, .min_cpu_time = min_cpu_time, .file = fopen(path, "we")};
    if (c->file == NULL) {
        int rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
        free(copy);
        free(c);
        return rc;
    }
    json_writer_init(&c->json, &c->text);
    json_begin(&c->json, '{');
    json_key(&c->json, "displayTimeUnit");
    json_string(&c->json, "ns", 2);
    json_key(&c->json, "traceEvents");
    json_begin(&c->json, '[');
    put_metadata(c, "process_name", ON_CPU, 0, "CPU");
    put_metadata(c, "process_name", ON_GPU, 0, "GPU");
    *out = &c->output;
    return 0;
}
