/* SPDX-License-Identifier: MIT */
#include "profile.h"

#include "profile_chrome.h"
#include "profile_metrics.h"
#include "profile_programs.h"
#include "profile_sections.h"
#include "profile_table.h"

#include "base/array.h"
#include "base/error.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_OUTPUTS = 4, MAX_PENDING = 1 << 16 };

struct profile {
    const struct profile_options *options;
    struct profile_output *outputs[MAX_OUTPUTS];
    unsigned output_count;
    bool wants_gpu, wants_groups, wants_samples, wants_memory;

    struct gpu_queries queries;
    bool entered;    /* queries belong to the current context */
    bool begun;      /* the times below are valid */
    int64_t base;    /* profile_clock() at the beginning */
    int64_t gpu_end; /* of the latest record */
    int statm;       /* /proc/self/statm, or -1 */
    long page;       /* size in bytes */
    bool told_no_gpu, told_no_samples, told_disjoint;

    struct profile_record call, frame; /* not complete yet */
    bool in_call, in_frame;
    struct profile_record *pending; /* the oldest one is at first */
    size_t first, count, cap;
};

/* --- opening and closing -------------------------------------------------------------------------------- */

static int add_output(struct profile *p, struct profile_output *o)
{
    if (o == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a profile");
    p->outputs[p->output_count++] = o;
    return 0;
}

static int open_outputs(struct profile *p, FILE *text)
{
    const struct profile_options *o = p->options;
    struct profile_output *chrome = NULL;
    int rc = 0;
    if (o->cpu || o->gpu || o->pixels || o->memory || o->frame_times)
        rc = add_output(p, profile_table_open(o, text));
    if (rc == 0 && (o->call_metrics | o->draw_metrics | o->frame_metrics) != 0)
        rc = add_output(p, profile_sections_open(o, text));
    if (rc == 0 && o->file != NULL) {
        rc = profile_chrome_open(&chrome, o->file, profile_options_min_cpu_time(o));
        if (rc == 0)
            rc = add_output(p, chrome);
        if (rc == 0)
            rc = add_output(p, profile_programs_open(text));
    }
    return rc;
}

int profile_open(struct profile **out, const struct profile_options *options, FILE *text)
{
    struct profile *p = calloc(1, sizeof *p);
    *out = p;
    if (p == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a profile");
    unsigned metrics = options->call_metrics | options->draw_metrics | options->frame_metrics;
    p->options = options;
    p->wants_groups = options->file != NULL;
    p->wants_gpu = options->gpu || options->file != NULL || (metrics & METRICS_GPU) != 0;
    p->wants_samples = options->pixels || (metrics & 1 << METRIC_PIXELS) != 0;
    p->wants_memory = options->memory || (metrics & METRICS_MEMORY) != 0;
    p->page = sysconf(_SC_PAGESIZE);
    p->statm = p->wants_memory ? open("/proc/self/statm", O_RDONLY | O_CLOEXEC) : -1;
    int rc = open_outputs(p, text);
    if (rc != 0) {
        profile_close(p);
        *out = NULL;
    }
    return rc;
}

static void emit(struct profile *p, struct profile_record *r)
{
    for (unsigned i = 0; i < p->output_count; ++i)
        p->outputs[i]->add(p->outputs[i], r);
    free(r->label);
}

int profile_close(struct profile *p)
{
    int rc = 0;
    if (p == NULL)
        return 0;
    for (; p->count > 0; --p->count)
        emit(p, &p->pending[p->first++]);
    for (unsigned i = 0; i < p->output_count; ++i) {
        int closed = p->outputs[i]->close(p->outputs[i]);
        rc = rc != 0 ? rc : closed;
    }
    if (p->statm >= 0)
        close(p->statm);
    free(p->pending);
    free(p);
    return rc;
}

/* --- what is measured ----------------------------------------------------------------------------------- */

static int64_t now(const struct profile *p)
{
    return profile_clock() - p->base;
}

/* The size of the address space, and of what is in memory. */
static void read_memory(const struct profile *p, int64_t *vsize, int64_t *rss)
{
    char text[64];
    long long pages[2];
    ssize_t n = p->statm >= 0 ? pread(p->statm, text, sizeof text - 1, 0) : -1;
    if (n <= 0)
        return;
    text[n] = '\0';
    if (sscanf(text, "%lld %lld", &pages[0], &pages[1]) != 2)
        return;
    *vsize = pages[0] * p->page;
    *rss = pages[1] * p->page;
}

static void begin_profile(struct profile *p)
{
    if (p->begun)
        return;
    p->begun = true;
    p->base = profile_clock();
}

static void begin_frame(struct profile *p, bool can_ask)
{
    if (p->in_frame)
        return;
    p->in_frame = true;
    p->frame = (struct profile_record){.kind = PROFILE_FRAME, .cpu.start = now(p)};
    read_memory(p, &p->frame.vsize.start, &p->frame.rss.start);
    if (can_ask && p->entered && p->wants_gpu)
        p->frame.gpu_start = gpu_queries_stamp(&p->queries);
}

/* --- results of the GPU --------------------------------------------------------------------------------- */

static GLuint last_query(const struct profile_record *r)
{
    return r->gpu_end != 0       ? r->gpu_end
           : r->gpu_elapsed != 0 ? r->gpu_elapsed
           : r->gpu_start != 0   ? r->gpu_start
                                 : r->samples;
}

/* Waits for the results of a record. */
static void take_results(struct profile *p, struct profile_record *r)
{
    if (r->gpu_start != 0) {
        r->gpu.start = r->gpu.end = gpu_queries_take_stamp(&p->queries, r->gpu_start) - p->base;
        r->has_gpu = true;
    }
    if (r->gpu_end != 0) {
        r->gpu.end = gpu_queries_take_stamp(&p->queries, r->gpu_end) - p->base;
        r->has_gpu = true;
    }
    if (r->gpu_elapsed != 0) { /* the GPU takes one call after the other */
        r->gpu.start = r->cpu.start > p->gpu_end ? r->cpu.start : p->gpu_end;
        r->gpu.end = r->gpu.start + gpu_queries_take(&p->queries, r->gpu_elapsed);
        r->has_gpu = true;
    }
    if (r->gpu.end < r->gpu.start)
        r->gpu.end = r->gpu.start;
    if (r->gpu.end > p->gpu_end)
        p->gpu_end = r->gpu.end;
    if (r->samples != 0)
        r->pixels = gpu_queries_take(&p->queries, r->samples);
    r->gpu_start = r->gpu_end = r->gpu_elapsed = r->samples = 0;
}

/* Passes on records whose results are there; wait: all of them. */
static void harvest(struct profile *p, bool wait)
{
    while (p->count > 0) {
        struct profile_record *r = &p->pending[p->first];
        GLuint query = last_query(r);
        if (!wait && query != 0 && p->count < MAX_PENDING && !gpu_queries_ready(&p->queries, query))
            return;
        take_results(p, r);
        emit(p, r);
        p->first++;
        p->count--;
    }
    p->first = 0;
}

static void push(struct profile *p, struct profile_record *r)
{
    if (p->first > MAX_PENDING && p->first > p->count) {
        memmove(p->pending, p->pending + p->first, p->count * sizeof *p->pending);
        p->first = 0;
    }
    if (ARRAY_RESERVE(p->pending, p->first + p->count, p->cap) == 0)
        p->pending[p->first + p->count++] = *r;
    else
        free(r->label); /* the profile lacks this record; the replay goes on */
}

/* --- contexts ------------------------------------------------------------------------------------------- */

static void tell_once(bool *told, const char *what)
{
    if (!*told)
        fprintf(stderr, "warning: profile: %s\n", what);
    *told = true;
}

void profile_enter(struct profile *p, bool is_es, gpu_get_proc get_proc, void *context)
{
    gpu_queries_enter(&p->queries, is_es, get_proc, context);
    p->entered = true;
    begin_profile(p);
    if (p->in_frame && p->wants_gpu && !p->frame.has_gpu)
        p->frame.gpu_start = gpu_queries_stamp(&p->queries);
    if (p->wants_gpu && !p->queries.has_times && !p->queries.has_elapsed)
        tell_once(&p->told_no_gpu, "the driver cannot tell times of the GPU");
    if (p->wants_samples && !p->queries.has_samples)
        tell_once(&p->told_no_samples, "the driver cannot count pixels");
}

bool profile_has_entered(const struct profile *p)
{
    return p->entered;
}

static void forget_queries(struct profile_record *r)
{
    r->gpu_start = r->gpu_end = r->gpu_elapsed = r->samples = 0;
}

void profile_leave(struct profile *p, bool can_ask)
{
    if (!p->entered)
        return;
    if (!can_ask)
        forget_queries(&p->call);
    if (p->in_call) /* its end is not seen in this context */
        profile_end_call(p);
    if (can_ask) {
        harvest(p, true);
        take_results(p, &p->frame);
    } else {
        for (size_t i = 0; i < p->count; ++i)
            forget_queries(&p->pending[p->first + i]);
        forget_queries(&p->frame);
        p->queries.unused_count = 0;
    }
    gpu_queries_leave(&p->queries);
    p->entered = false;
}

unsigned profile_available(const struct profile *p)
{
    unsigned set = METRICS_MEMORY | 1 << METRIC_CPU_START | 1 << METRIC_CPU_DURATION;
    if (p->queries.has_times)
        set |= METRICS_GPU;
    if (p->queries.has_elapsed)
        set |= 1 << METRIC_GPU_DURATION;
    if (p->queries.has_samples)
        set |= 1 << METRIC_PIXELS;
    return set;
}

/* --- calls and frames ----------------------------------------------------------------------------------- */

void profile_begin_call(struct profile *p, const struct profile_record *record)
{
    struct profile_record *r = &p->call;
    begin_frame(p, true);
    *r = *record;
    p->in_call = true;
    if (p->wants_memory)
        read_memory(p, &r->vsize.start, &r->rss.start);
    if (r->is_draw && p->wants_samples)
        r->samples = gpu_queries_begin(&p->queries, GL_SAMPLES_PASSED);
    if (r->is_draw && p->wants_gpu) {
        r->gpu_start = gpu_queries_stamp(&p->queries);
        if (r->gpu_start == 0)
            r->gpu_elapsed = gpu_queries_begin(&p->queries, GL_TIME_ELAPSED);
    }
    r->cpu.start = now(p);
}

void profile_end_call(struct profile *p)
{
    struct profile_record *r = &p->call;
    if (!p->in_call)
        return;
    p->in_call = false;
    r->cpu.end = now(p);
    if (r->gpu_start != 0)
        r->gpu_end = gpu_queries_stamp(&p->queries);
    if (r->gpu_elapsed != 0)
        gpu_queries_end(&p->queries, GL_TIME_ELAPSED);
    if (r->samples != 0)
        gpu_queries_end(&p->queries, GL_SAMPLES_PASSED);
    if (p->wants_memory)
        read_memory(p, &r->vsize.end, &r->rss.end);
    push(p, r);
}

void profile_add(struct profile *p, const struct profile_record *record, bool can_ask)
{
    struct profile_record r = *record;
    begin_profile(p);
    r.cpu.start = r.cpu.start != 0 ? r.cpu.start - p->base : now(p);
    r.cpu.end = r.cpu.end != 0 ? r.cpu.end - p->base : r.cpu.start;
    if (r.cpu.start < 0) {
        free(r.label); /* it began before the profile */
        return;
    }
    begin_frame(p, can_ask);
    if (can_ask && p->entered && p->wants_groups)
        r.gpu_start = gpu_queries_stamp(&p->queries);
    push(p, &r);
}

void profile_end_frame(struct profile *p, uint64_t call, uint32_t thread, bool can_ask)
{
    struct profile_record *r = &p->frame;
    begin_profile(p);
    begin_frame(p, can_ask);
    r->call = call;
    r->thread = thread;
    r->cpu.end = now(p);
    read_memory(p, &r->vsize.end, &r->rss.end);
    if (can_ask && p->entered && p->wants_gpu)
        r->gpu_end = gpu_queries_stamp(&p->queries);
    push(p, r);
    p->in_frame = false;
    begin_frame(p, can_ask);
    if (can_ask && p->entered) {
        if (gpu_queries_disjoint(&p->queries))
            tell_once(&p->told_disjoint, "the clock of the GPU has changed; some of its times are wrong");
        harvest(p, false);
    }
}
