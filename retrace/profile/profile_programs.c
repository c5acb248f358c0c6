/* SPDX-License-Identifier: MIT */
#include "profile_programs.h"

#include "base/array.h"

#include <inttypes.h>
#include <stdlib.h>

struct program_total {
    const void *shared;
    uint64_t program;
    uint64_t draws;
    int64_t gpu, cpu; /* in nanoseconds */
    int64_t slowest;  /* draw, in nanoseconds of the GPU, or of the CPU if the GPU tells none */
    uint64_t slowest_call;
};

struct profile_programs {
    struct profile_output output; /* first */
    FILE *text;
    struct program_total *totals;
    size_t count, cap, last; /* last: the index that was found last */
};

static bool is_of(const struct program_total *t, const struct profile_record *r)
{
    return t->program == r->program && (t->shared == r->shared || r->program == 0);
}

static struct program_total *find(struct profile_programs *p, const struct profile_record *r)
{
    if (p->last < p->count && is_of(&p->totals[p->last], r))
        return &p->totals[p->last];
    for (size_t i = 0; i < p->count; ++i)
        if (is_of(&p->totals[i], r))
            return &p->totals[p->last = i];
    if (ARRAY_RESERVE(p->totals, p->count, p->cap) != 0)
        return NULL;
    p->totals[p->count] = (struct program_total){.shared = r->shared, .program = r->program, .slowest = -1};
    return &p->totals[p->last = p->count++];
}

static void add(struct profile_output *output, const struct profile_record *r)
{
    struct profile_programs *p = (struct profile_programs *)output;
    struct program_total *t = r->kind == PROFILE_CALL && r->is_draw ? find(p, r) : NULL;
    if (t == NULL)
        return;
    int64_t gpu = r->has_gpu ? r->gpu.end - r->gpu.start : 0, cpu = r->cpu.end - r->cpu.start;
    int64_t cost = r->has_gpu ? gpu : cpu;
    t->draws++;
    t->gpu += gpu;
    t->cpu += cpu;
    if (cost > t->slowest) {
        t->slowest = cost;
        t->slowest_call = r->call;
    }
}

/* The most expensive one first. */
static int compare(const void *left, const void *right)
{
    const struct program_total *a = left, *b = right;
    if (a->gpu != b->gpu)
        return a->gpu < b->gpu ? 1 : -1;
    if (a->cpu != b->cpu)
        return a->cpu < b->cpu ? 1 : -1;
    return a->program < b->program ? -1 : a->program > b->program;
}

static int close_programs(struct profile_output *output)
{
    struct profile_programs *p = (struct profile_programs *)output;
    int64_t all = 0;
    if (p->count > 0)
        qsort(p->totals, p->count, sizeof *p->totals, compare);
    for (size_t i = 0; i < p->count; ++i)
        all += p->totals[i].gpu;
    fprintf(p->text, "%10s %10s %12s %6s %12s %14s %12s\n", "program", "draws", "GPU ms", "GPU %", "CPU ms",
            "slowest draw", "its us");
    for (size_t i = 0; i < p->count; ++i) {
        const struct program_total *t = &p->totals[i];
        fprintf(p->text, "%10" PRIu64 " %10" PRIu64 " %12.3f %6.1f %12.3f %14" PRIu64 " %12.1f\n", t->program,
                t->draws, (double)t->gpu / 1e6, all > 0 ? 100.0 * (double)t->gpu / (double)all : 0.0,
                (double)t->cpu / 1e6, t->slowest_call, (double)t->slowest / 1e3);
    }
    free(p->totals);
    free(p);
    return 0;
}

struct profile_output *profile_programs_open(FILE *text)
{
    struct profile_programs *p = malloc(sizeof *p);
    if (p == NULL)
        return NULL;
    *p = (struct profile_programs){.output = {add, close_programs}, .text = text};
    return &p->output;
}
