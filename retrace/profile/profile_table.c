/* SPDX-License-Identifier: MIT */
#include "profile_table.h"

#include <inttypes.h>
#include <stdlib.h>

struct profile_table {
    struct profile_output output; /* first */
    const struct profile_options *options;
    FILE *text;
};

/* What was not asked for is 0. Calls that are not draws have no pixels at all: -1. */
static void add_call(struct profile_table *t, const struct profile_record *r)
{
    const struct profile_options *o = t->options;
    bool gpu = o->gpu && r->has_gpu;
    int64_t cpu_time = r->cpu.end - r->cpu.start;
    if (o->cpu && cpu_time < profile_options_min_cpu_time(o))
        return;
    fprintf(t->text,
            "call %" PRIu64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
            " %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu64 " %s\n",
            r->call, gpu ? r->gpu.start : 0, gpu ? r->gpu.end - r->gpu.start : 0, o->cpu ? r->cpu.start : 0,
            o->cpu ? cpu_time : 0, o->memory ? r->vsize.start : 0,
            o->memory ? r->vsize.end - r->vsize.start : 0, o->memory ? r->rss.start : 0,
            o->memory ? r->rss.end - r->rss.start : 0,
            !o->pixels   ? 0
            : r->is_draw ? r->pixels
                         : -1,
            r->program, r->name);
}

static void add(struct profile_output *output, const struct profile_record *r)
{
    struct profile_table *t = (struct profile_table *)output;
    const struct profile_options *o = t->options;
    if (r->kind == PROFILE_CALL && (o->cpu || o->gpu || o->pixels || o->memory))
        add_call(t, r);
    if (r->kind != PROFILE_FRAME)
        return;
    fputs("frame_end\n", t->text);
    if (o->frame_times)
        fprintf(t->text, "rendering_finished %" PRId64 "\n", r->cpu.end);
}

static int close_table(struct profile_output *output)
{
    free(output);
    return 0;
}

struct profile_output *profile_table_open(const struct profile_options *options, FILE *text)
{
    struct profile_table *t = malloc(sizeof *t);
    if (t == NULL)
        return NULL;
    *t = (struct profile_table){{add, close_table}, options, text};
    fputs("# call no gpu_start gpu_dura cpu_start cpu_dura vsize_start vsize_dura rss_start rss_dura pixels "
          "program name\n",
          text);
    return &t->output;
}
