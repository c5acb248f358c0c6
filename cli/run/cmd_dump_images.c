/* SPDX-License-Identifier: MIT
 * trace-cli dump-images: pictures of a trace's frames, or a video. It has the replayer make them.
 */
#include "shell/command.h"
#include "shell/install_paths.h"
#include "shell/number_option.h"

#include "base/error.h"
#include "run/video_encoder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct dump_images_options {
    const char *calls;  /* NULL: every frame */
    const char *output; /* NULL: after the trace's name */
    const char *video;  /* NULL: pictures */
    const char *driver; /* NULL: any */
    bool call_numbers, all;
    long rate;
};

enum { MOST_WORDS = 16, DEFAULT_RATE = 60, HIGHEST_RATE = 1000 };

/* The words of the replayer's command line, and room for those that are put together. */
struct command_line {
    const char *words[MOST_WORDS];
    int count;
    char driver[NAME_MAX];
};

static void add(struct command_line *line, const char *word)
{
    line->words[line->count++] = word;
}

/* "app.trace" of any directory becomes "app.". */
static int default_prefix(char *out, size_t size, const char *trace)
{
    const char *slash = strrchr(trace, '/');
    const char *name = slash != NULL ? slash + 1 : trace;
    const char *dot = strrchr(name, '.');
    int stem = dot != NULL ? (int)(dot - name) : (int)strlen(name);
    int length = snprintf(out, size, "%.*s.", stem, name);
    if (length < 0 || (size_t)length >= size)
        return trace_error_set(TRACE_ERR_USAGE, "the name of the trace is too long");
    return 0;
}

/* prefix: "-" for a stream on the standard output. */
static void build_line(struct command_line *line, const struct dump_images_options *o, const char *prefix,
                       const char *trace)
{
    *line = (struct command_line){.count = 0};
    add(line, "retrace");
    add(line, "--headless");
    add(line, "-s");
    add(line, prefix);
    add(line, "-S");
    add(line, o->calls != NULL ? o->calls : "*/frame");
    add(line, o->call_numbers ? "--call-nos=yes" : "--call-nos=no");
    if (o->all)
        add(line, "--mrt");
    if (o->driver != NULL) {
        snprintf(line->driver, sizeof line->driver, "--driver=%s", o->driver);
        add(line, line->driver);
    }
    add(line, "--");
    add(line, trace);
    add(line, NULL);
}

static int make_pictures(const struct dump_images_options *o, const char *replayer, const char *trace)
{
    char own_prefix[PATH_MAX];
    struct command_line line;
    if (o->output == NULL && default_prefix(own_prefix, sizeof own_prefix, trace) != 0)
        return cli_print_error();
    build_line(&line, o, o->output != NULL ? o->output : own_prefix, trace);
    execv(replayer, (char *const *)line.words);
    trace_error_set_errno(TRACE_ERR_IO, errno, "%s", replayer);
    return cli_print_error();
}

static int make_video(const struct dump_images_options *o, const char *replayer, const char *trace)
{
    struct command_line line;
    build_line(&line, o, "-", trace);
    return video_encode(o->video, (unsigned)o->rate, replayer, line.words) == 0 ? 0 : cli_print_error();
}

static int run_dump_images(const struct cli_command *self, int argc, char **argv)
{
    struct dump_images_options o = {.call_numbers = true, .rate = DEFAULT_RATE};
    struct cli_operands operands;
    char replayer[PATH_MAX];
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &o, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count != 1)
        return cli_usage_error(self, "dump-images needs one trace, not %d", operands.count);
    if (o.video != NULL && (o.all || o.output != NULL))
        return cli_usage_error(self, "--video cannot be combined with %s", o.all ? "--mrt" : "--output");
    if (cli_find_installed("glreplay", replayer, sizeof replayer) != 0)
        return cli_print_error();
    return o.video != NULL ? make_video(&o, replayer, operands.values[0])
                           : make_pictures(&o, replayer, operands.values[0]);
}

static int set_rate(void *options, const char *value)
{
    struct dump_images_options *o = options;
    return parse_number_option(value, "number of pictures", 1, HIGHEST_RATE, &o->rate);
}

#define MEMBER(name) offsetof(struct dump_images_options, name)

static const struct cli_option dump_images_options[] = {
    {.kind = CLI_OPTION_STRING,
     .name = "calls",
     .value = "CALLSET",
     .member = MEMBER(calls),
     .help = "pictures after these calls (default: */frame, the end of every frame)"},
    {.kind = CLI_OPTION_BOOL,
     .name = "call-nos",
     .member = MEMBER(call_numbers),
     .help = "number the files by call (default), not consecutively"},
    {.kind = CLI_OPTION_FLAG,
     .letter = 'm',
     .name = "mrt",
     .member = MEMBER(all),
     .help = "pictures of all colours that are drawn to, of depth, and of stencil"},
    {.kind = CLI_OPTION_STRING,
     .letter = 'o',
     .name = "output",
     .value = "PREFIX",
     .member = MEMBER(output),
     .help = "begin the names of files with this (default: the trace's name without\nextension, and a dot)"},
    {.kind = CLI_OPTION_STRING,
     .name = "video",
     .value = "FILE",
     .member = MEMBER(video),
     .help = "make a video, such as app.mp4, instead; this needs ffmpeg"},
    {.kind = CLI_OPTION_CALLBACK,
     .name = "rate",
     .value = "N",
     .help = "pictures in a second of the video (default: 60)",
     .set = set_rate},
    {.kind = CLI_OPTION_STRING,
     .name = "driver",
     .value = "DRIVER",
     .member = MEMBER(driver),
     .help = "replay with this driver, as for retrace"},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_dump_images = {
    .name = "dump-images",
    .group = CLI_GROUP_RECORD,
    .summary = "Write pictures of a trace's frames, or a video",
    .operands = "[OPTION...] TRACE",
    .details =
        "The trace is replayed without windows. With --mrt, the names of files end with -mrtN.png, -z.png "
        "and -s.png.\nretrace has more options for pictures.",
    .examples = "trace-cli dump-images -o frames/ app.trace\n"
                "trace-cli dump-images --calls='1000-2000/draw' --mrt app.trace\n"
                "trace-cli dump-images --video app.mp4 app.trace\n",
    .options = dump_images_options,
    .run = run_dump_images,
};
