/* SPDX-License-Identifier: MIT */
#include "profile_sections.h"

#include "profile_metrics.h"

#include "base/buf.h"
#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum section { FRAMES, CALLS, DRAWS, SECTION_COUNT };

struct profile_sections {
    struct profile_output output; /* first */
    FILE *text;
    unsigned metrics[SECTION_COUNT];
    FILE *lines[SECTION_COUNT]; /* temporary files; NULL: not wanted */
    int64_t frame_pixels;       /* of the draws since the last frame */
};

static void add_metrics(struct profile_sections *s, enum section section, const struct profile_record *r)
{
    for (unsigned i = 0; i < METRIC_COUNT; ++i)
        if ((s->metrics[section] >> i & 1) != 0)
            fprintf(s->lines[section], "\t%" PRId64, profile_metric_value((enum profile_metric)i, r));
    fputc('\n', s->lines[section]);
}

static void add_call(struct profile_sections *s, enum section section, const struct profile_record *r)
{
    if (s->lines[section] == NULL)
        return;
    fprintf(s->lines[section], "call\t%" PRIu64 "\t%" PRIu64 "\t%s", r->call, r->program, r->name);
    add_metrics(s, section, r);
}

static void add_frame(struct profile_sections *s, const struct profile_record *r)
{
    struct profile_record frame = *r;
    frame.pixels = s->frame_pixels;
    s->frame_pixels = 0;
    for (enum section i = CALLS; i <= DRAWS; ++i)
        if (s->lines[i] != NULL)
            fputs("frame_end\n", s->lines[i]);
    if (s->lines[FRAMES] == NULL)
        return;
    fputs("frame", s->lines[FRAMES]);
    add_metrics(s, FRAMES, &frame);
}

static void add(struct profile_output *output, const struct profile_record *r)
{
    struct profile_sections *s = (struct profile_sections *)output;
    if (r->kind == PROFILE_FRAME)
        add_frame(s, r);
    if (r->kind != PROFILE_CALL)
        return;
    s->frame_pixels += r->pixels;
    add_call(s, CALLS, r);
    if (r->is_draw)
        add_call(s, DRAWS, r);
}

static void copy(FILE *from, FILE *to)
{
    char bytes[65536];
    size_t n;
    rewind(from);
    while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
        fwrite(bytes, 1, n, to);
}

static int close_sections(struct profile_output *output)
{
    struct profile_sections *s = (struct profile_sections *)output;
    int rc = 0;
    for (enum section i = 0; i < SECTION_COUNT; ++i) {
        if (s->lines[i] == NULL)
            continue;
        if (fflush(s->lines[i]) != 0 || ferror(s->lines[i]))
            rc = trace_error_set_errno(TRACE_ERR_IO, errno, "profile");
        fputs(i == FRAMES ? "#" : "#\tcall no\tprogram\tname", s->text);
        for (unsigned m = 0; m < METRIC_COUNT; ++m)
            if ((s->metrics[i] >> m & 1) != 0)
                fprintf(s->text, "\t%s", profile_metric_name((enum profile_metric)m));
        fputc('\n', s->text);
        copy(s->lines[i], s->text);
        fputc('\n', s->text);
        fclose(s->lines[i]);
    }
    free(s);
    return rc;
}

struct profile_output *profile_sections_open(const struct profile_options *options, FILE *text)
{
    struct profile_sections *s = malloc(sizeof *s);
    bool complete = true;
    if (s == NULL)
        return NULL;
    *s = (struct profile_sections){{add, close_sections},
                                   text,
                                   {options->frame_metrics, options->call_metrics, options->draw_metrics},
                                   {0},
                                   0};
    for (enum section i = 0; i < SECTION_COUNT; ++i) {
        if (s->metrics[i] != 0)
            s->lines[i] = tmpfile();
        complete &= s->metrics[i] == 0 || s->lines[i] != NULL;
    }
    if (complete)
        return &s->output;
    for (enum section i = 0; i < SECTION_COUNT; ++i)
        if (s->lines[i] != NULL)
            fclose(s->lines[i]);
    free(s);
    return NULL;
}
