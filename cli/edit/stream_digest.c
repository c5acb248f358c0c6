/* SPDX-License-Identifier: MIT */
#include "edit/stream_digest.h"

#include "base/error.h"
#include "shell/progress.h"
#include "formats/apitrace/read/input.h"

#include <inttypes.h>
#include <stdbool.h>
#include <xxhash.h>

int stream_digest_init(struct stream_digest *d)
{
    *d = (struct stream_digest){.state = XXH3_createState()};
    if (d->state == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    XXH3_64bits_reset(d->state);
    return 0;
}

void stream_digest_fini(struct stream_digest *d)
{
    XXH3_freeState(d->state);
    d->state = NULL;
}

void stream_digest_add(struct stream_digest *d, const void *bytes, size_t count)
{
    XXH3_64bits_update(d->state, bytes, count);
    d->bytes += count;
}

static int add_file(struct stream_digest *d, const char *path)
{
    struct trace_input *in;
    struct trace_chunk *chunk;
    int rc = trace_input_open(&in, path);
    if (rc != 0)
        return rc;
    progress_begin("verify");
    trace_input_set_progress(in, progress_callback());
    while ((rc = trace_input_next_chunk(in, &chunk)) == 0 && chunk != NULL) {
        stream_digest_add(d, chunk->data, chunk->len);
        trace_chunk_unref(chunk);
    }
    trace_input_close(in);
    return rc;
}

int stream_digest_verify(const struct stream_digest *d, const char *path)
{
    struct stream_digest found;
    int rc = stream_digest_init(&found);
    if (rc != 0)
        return rc;
    rc = add_file(&found, path);
    if (rc == 0 && found.bytes != d->bytes)
        rc = trace_error_set(TRACE_ERR_FORMAT,
                             "%s: holds %" PRIu64 " bytes of the event stream, not the %" PRIu64
                             " of the input",
                             path, found.bytes, d->bytes);
    else if (rc == 0 && XXH3_64bits_digest(found.state) != XXH3_64bits_digest(d->state))
        rc = trace_error_set(TRACE_ERR_FORMAT, "%s: the event stream differs from the input's", path);
    stream_digest_fini(&found);
    return rc;
}
