/* SPDX-License-Identifier: MIT */
#include "formats/shared/file_sink.h"

#include <stdlib.h>

static struct file_sink *cast(struct trace_sink *sink)
{
    return (struct file_sink *)sink;
}

int file_sink_open(struct file_sink *s, const struct trace_sink_ops *ops,
                   void (*release)(struct file_sink *s), const char *path)
{
    s->base.ops = ops;
    s->release = release;
    int rc = log_output_open(&s->output, path);
    if (rc != 0)
        release(s);
    return rc;
}

void file_sink_free(struct file_sink *s)
{
    free(s);
}

int file_sink_flush(struct trace_sink *sink)
{
    return log_output_flush(&cast(sink)->output);
}

int file_sink_close(struct trace_sink *sink)
{
    struct file_sink *s = cast(sink);
    int rc = log_output_end(&s->output, s->base.rc);
    s->release(s);
    return rc;
}

void file_sink_abandon(struct trace_sink *sink)
{
    struct file_sink *s = cast(sink);
    log_output_abandon(&s->output);
    s->release(s);
}
