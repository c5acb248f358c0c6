/* SPDX-License-Identifier: MIT */
#include "formats/format_registry.h"

#include "base/error.h"
#include "base/similar_word.h"

#include <ctype.h>
#include <string.h>

#define TRACE_FORMAT(row, directory) extern const struct trace_format trace_format_##row;
#include "formats/format_list.inc"
#undef TRACE_FORMAT

static const struct trace_format *const formats[] = {
#define TRACE_FORMAT(row, directory) &trace_format_##row,
#include "formats/format_list.inc"
#undef TRACE_FORMAT
};

#define FORMAT_COUNT (sizeof formats / sizeof *formats)

const struct trace_format *trace_format_at(size_t index)
{
    return index < FORMAT_COUNT ? formats[index] : NULL;
}

const struct trace_format *trace_format_find(const char *name)
{
    for (size_t i = 0; i < FORMAT_COUNT; ++i)
        if (strcmp(formats[i]->name, name) == 0)
            return formats[i];
    return NULL;
}

/* --- reading --------------------------------------------------------------------------------------- */

static bool is_text(const struct trace_probe *probe)
{
    for (size_t i = 0; i < probe->head_count; ++i)
        if (!isprint(probe->head[i]) && !isspace(probe->head[i]))
            return false;
    return true;
}

/* Returns what the file resembles without being quite of that format, or NULL if it resembles nothing. */
static const char *find_likeness(const struct trace_probe *probe)
{
    const char *likeness = NULL;
    for (size_t i = 0; i < FORMAT_COUNT && likeness == NULL; ++i)
        if (formats[i]->likeness != NULL)
            likeness = formats[i]->likeness(probe);
    return likeness;
}

static int say_no_trace(const struct trace_probe *probe, const char *likeness)
{
    if (probe->is_directory)
        return trace_error_set(TRACE_ERR_IO, "%s: cannot read: it is a directory", probe->name);
    if (likeness != NULL)
        return trace_error_set(TRACE_ERR_FORMAT, "%s: not a trace: it looks like %s", probe->name, likeness);
    return trace_error_set(TRACE_ERR_FORMAT, "%s: not a trace: %s", probe->name,
                           probe->head_count == 0 ? "the file is empty"
                           : is_text(probe)       ? "it is a text file"
                                                  : "unknown format");
}

int trace_format_detect(const struct trace_format **out, const struct trace_probe *probe)
{
    int best = TRACE_BID_NONE;
    const char *likeness = NULL;
    *out = NULL;
    for (size_t i = 0; i < FORMAT_COUNT; ++i) {
        int bid = formats[i]->bid != NULL ? formats[i]->bid(probe) : TRACE_BID_NONE;
        if (bid > best) {
            best = bid;
            *out = formats[i];
        }
    }
    if (best <= TRACE_BID_LAST && !probe->is_directory)
        likeness = find_likeness(probe);
    return *out != NULL && likeness == NULL ? 0 : say_no_trace(probe, likeness);
}

int trace_format_require(const struct trace_probe *probe, const char *name)
{
    const struct trace_format *format;
    int rc = trace_format_detect(&format, probe);
    if (rc != 0 || strcmp(format->name, name) == 0)
        return rc;
    return trace_error_set(TRACE_ERR_UNSUPPORTED,
                           "%s: its format is %s, but %s is needed here (\"trace-cli convert\" converts it)",
                           probe->name, format->name, name);
}

int trace_source_open_probed(struct trace_source **out, struct trace_probe *probe)
{
    const struct trace_format *format;
    int rc = trace_format_detect(&format, probe);
    return rc == 0 ? format->open(out, probe) : rc;
}

int trace_source_open(struct trace_source **out, const char *path)
{
    struct trace_probe probe;
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = trace_source_open_probed(out, &probe);
    trace_probe_close(&probe);
    return rc;
}

/* --- writing --------------------------------------------------------------------------------------- */

static int say_no_format(const char *name)
{
    struct similar_word similar = {.word = name};
    char question[80];
    for (size_t i = 0; i < FORMAT_COUNT; ++i)
        similar_word_consider(&similar, formats[i]->name);
    return trace_error_set(TRACE_ERR_USAGE, "no format is called \"%s\"%s (see \"trace-cli formats\")", name,
                           similar_word_question(&similar, "", question, sizeof question));
}

int trace_sink_create(struct trace_sink **out, const char *format_name, const char *path,
                      const struct trace_sink_options *options)
{
    static const struct trace_sink_options defaults = {0};
    const struct trace_format *format = trace_format_find(format_name);
    if (format == NULL)
        return say_no_format(format_name);
    if (format->create == NULL)
        return trace_error_set(TRACE_ERR_USAGE, "the format %s can be read, but not written", format_name);
    return format->create(out, path, options != NULL ? options : &defaults);
}
