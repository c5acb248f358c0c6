/* SPDX-License-Identifier: MIT
 * Writes a trace with backtraces. usage: write_backtraces TRACE <LINES
 * A line is a frame: MODULE OFFSET [FUNCTION [FILE LINE]], where a - is nothing. Call n has the frames up to
 * line n, and a leave that overlaps with the next call.
 */
#include "formats/apitrace/write/writer.h"

#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define FRAMES_MAX 100

struct frame_line {
    char module[1024], function[1024], file[1024];
};

static struct frame_line lines[FRAMES_MAX];
static struct trace_frame frames[FRAMES_MAX];

static const char *text(const char *word)
{
    return word[0] != '\0' && strcmp(word, "-") != 0 ? word : NULL;
}

static uint32_t read_frames(void)
{
    char line[4096];
    uint32_t count = 0;
    while (count < FRAMES_MAX && fgets(line, sizeof line, stdin) != NULL) {
        struct frame_line *l = &lines[count];
        struct trace_frame *f = &frames[count];
        f->id = count;
        f->line = -1;
        if (sscanf(line, "%1023s %" SCNx64 " %1023s %1023s %" SCNd64, l->module, (uint64_t *)&f->offset,
                   l->function, l->file, &f->line) < 2)
            continue;
        f->module = text(l->module);
        f->function = text(l->function);
        f->file = text(l->file);
        ++count;
    }
    return count;
}

static int write_calls(struct trace_writer *w, uint32_t count)
{
    static const struct trace_function_sig sig = {.name = "glFlush"};
    uint64_t numbers[FRAMES_MAX] = {0};
    int rc = 0;
    for (uint32_t i = 0; i <= count && rc == 0; ++i) {
        struct trace_call call = {.sig = &sig, .frames = frames, .frame_count = i + 1};
        if (i < count)
            rc = trace_writer_enter_call(w, &call, &numbers[i]);
        call.frames = NULL;
        call.frame_count = 0;
        if (i > 0 && rc == 0)
            rc = trace_writer_leave_call(w, numbers[i - 1], &call);
    }
    return rc;
}

int main(int argc, char **argv)
{
    struct trace_writer *w;
    if (argc != 2)
        return 2;
    uint32_t count = read_frames();
    int rc = trace_writer_open(&w, argv[1], NULL);
    if (rc == 0)
        rc = write_calls(w, count) != 0 ? trace_writer_close(w), -1 : trace_writer_close(w);
    if (rc != 0)
        fprintf(stderr, "%s\n", trace_error_message());
    return rc != 0;
}
