/* SPDX-License-Identifier: MIT */
#include "trace/container.h"

#include "base/error.h"
#include "trace/codec.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct trace_output {
    const struct trace_codec *codec;
    void *state;
};

static const struct trace_codec *const codecs[] = {
    [TRACE_CONTAINER_SNAPPY] = &trace_codec_snappy,
    [TRACE_CONTAINER_ZLIB] = &trace_codec_zlib,
    [TRACE_CONTAINER_BROTLI] = &trace_codec_brotli,
    [TRACE_CONTAINER_ZSTD] = &trace_codec_zstd_seekable,
};

int trace_codec_write_fd(int fd, const void *bytes, size_t count)
{
    const uint8_t *p = bytes;
    while (count > 0) {
        ssize_t n = write(fd, p, count);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return error_set_errno(ERR_IO, errno, "cannot write");
        p += n;
        count -= (size_t)n;
    }
    return 0;
}

int trace_output_open_fd(struct trace_output **out, int fd, enum trace_container container, int level)
{
    struct trace_output *o = calloc(1, sizeof *o);
    if (o == NULL)
        return error_set(ERR_MEMORY, "out of memory");
    o->codec = codecs[container];
    int rc = o->codec->writer_open(&o->state, fd, level);
    if (rc != 0) {
        free(o);
        return rc;
    }
    *out = o;
    return 0;
}

int trace_output_write(struct trace_output *o, const void *bytes, size_t count)
{
    return o->codec->writer_write(o->state, bytes, count);
}

int trace_output_flush(struct trace_output *o)
{
    return o->codec->writer_flush(o->state);
}

int trace_output_close(struct trace_output *o)
{
    int rc = o->codec->writer_close(o->state);
    free(o);
    return rc;
}
