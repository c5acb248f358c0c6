/* SPDX-License-Identifier: MIT */
#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/processors.h"
#include "objects/inspection.h"
#include "objects/replay_state.h"
#include "snapshot/picture_queue.h"
#include "snapshot/snapshot_picture.h"
#include "snapshot/snapshot_read.h"
#include "snapshot/snapshot_source.h"
#include "trace/call_set.h"

bool snapshot_wanted(const struct replayer *r, const struct trace_call *call)
{
    const struct replay_options *o = r->options;
    return o->snapshot_prefix != NULL &&
           trace_call_set_contains(&o->snapshot_calls, call->number, call->flags);
}

static bool is_to_stdout(const struct replay_options *o)
{
    return strcmp(o->snapshot_prefix, "-") == 0;
}

/* Reads one kind of pixels. Errors: TRACE_ERR_UNSUPPORTED if there are none. */
static int take(struct replayer *r, enum snapshot_kind kind, unsigned output, struct snapshot_picture *out)
{
    const struct replay_options *o = r->options;
    struct snapshot_source source;
    *out = (struct snapshot_picture){.is_bottom_up = true, .is_depth = kind == SNAPSHOT_DEPTH};
    int rc = snapshot_source_init(r, kind, output, &source);
    if (rc != 0)
        return rc;
    rc = snapshot_read(r, &source, &out->image);
    /* The alpha channel of a window is not visible. In a stream, apitrace keeps that of other pictures. */
    out->drop_alpha = !o->snapshot_alpha && (!is_to_stdout(o) || (source.is_window && !r->current->is_es));
    snapshot_source_fini(r, &source);
    return rc;
}

static int queue_picture(struct replayer *r, struct snapshot_picture *p, const char *path)
{
    const struct replay_options *o = r->options;
    unsigned processors = processor_count();
    int rc = 0;
    if (r->pictures == NULL) /* the replay itself needs a processor, too, but often waits for the driver */
        rc = picture_queue_open(&r->pictures, o->snapshot_threaded || processors > 1 ? processors : 0);
    return rc != 0 ? rc : picture_queue_add(r->pictures, p, path);
}

/* suffix: tells the pictures of one call apart. The picture is left empty or unchanged. */
static int write_picture(struct replayer *r, struct snapshot_picture *p, uint64_t call, const char *suffix)
{
    const struct replay_options *o = r->options;
    uint64_t number = o->snapshot_call_numbers ? call : r->snapshots;
    if (is_to_stdout(o)) {
        snapshot_picture_prepare(p);
        return snapshot_picture_write(p, o->snapshot_format, number, stdout);
    }
    char path[4096];
    int length = snprintf(path, sizeof path, "%s%010llu%s.png", o->snapshot_prefix,
                          (unsigned long long)number, suffix);
    if (length < 0 || (size_t)length >= sizeof path)
        return trace_error_set(TRACE_ERR_USAGE, "the snapshot prefix is too long");
    return queue_picture(r, p, path);
}

/* *is_taken: whether there were such pixels. */
static int take_and_write(struct replayer *r, uint64_t call, enum snapshot_kind kind, unsigned output,
                          const char *suffix, bool *is_taken)
{
    struct snapshot_picture p;
    int rc = take(r, kind, output, &p);
    *is_taken = rc == 0;
    if (rc != 0)
        return rc == TRACE_ERR_MEMORY ? rc : 0;
    rc = write_picture(r, &p, call, suffix);
    snapshot_picture_fini(&p);
    return rc;
}

/* Stencil, depth, and the colours of all outputs, in apitrace's order. Most framebuffers lack some. */
static int write_all(struct replayer *r, uint64_t call)
{
    bool is_taken;
    int rc = take_and_write(r, call, SNAPSHOT_STENCIL, 0, "-s", &is_taken);
    if (rc == 0)
        rc = take_and_write(r, call, SNAPSHOT_DEPTH, 0, "-z", &is_taken);
    unsigned count = snapshot_output_count(r);
    for (unsigned i = 0; rc == 0 && i < count; ++i) {
        char suffix[16];
        snprintf(suffix, sizeof suffix, "-mrt%u", i);
        rc = take_and_write(r, call, SNAPSHOT_COLOR, i, suffix, &is_taken);
        if (rc == 0 && !is_taken && i == 0)
            replay_warn(r, "%s", trace_error_message());
    }
    return rc;
}

static int write_colors(struct replayer *r, uint64_t call)
{
    bool is_taken;
    int rc = take_and_write(r, call, SNAPSHOT_COLOR, 0, "", &is_taken);
    if (rc == 0 && !is_taken)
        replay_warn(r, "%s", trace_error_message());
    return rc;
}

int snapshot_at(struct replayer *r, const struct trace_call *call, bool before)
{
    const struct replay_options *o = r->options;
    if (before != ((call->flags & TRACE_CALL_SWAP_RENDERTARGET) != 0) || r->current == NULL ||
        r->current->inside_begin)
        return 0;
    int rc = 0;
    struct inspection inspection;
    inspection_begin(r, &inspection);
    if (o->snapshot_interval == 0 || r->snapshots % o->snapshot_interval == 0)
        rc = o->snapshot_all ? write_all(r, call->number) : write_colors(r, call->number);
    r->snapshots++;
    inspection_end(r, &inspection);
    return rc;
}

bool snapshot_is_complete(const struct replayer *r)
{
    return r->calls > 0 && r->call_number == r->options->snapshot_calls.last;
}

int snapshot_finish(struct replayer *r)
{
    int rc = picture_queue_close(r->pictures);
    r->pictures = NULL;
    return rc;
}

int snapshot_check_prefix(const struct replay_options *options)
{
    const char *prefix = options->snapshot_prefix;
    if (prefix == NULL || strcmp(prefix, "-") == 0)
        return 0;
    const char *slash = strrchr(prefix, '/');
    char directory[4096] = ".";
    if (slash != NULL)
        snprintf(directory, sizeof directory, "%.*s", (int)(slash - prefix) + 1, prefix);
    return access(directory, W_OK | X_OK) == 0 ? 0
                                               : trace_error_set_errno(TRACE_ERR_IO, errno, "%s", directory);
}
