/* SPDX-License-Identifier: MIT */
#include "state/state_dump.h"

#include <errno.h>
#include <stdio.h>

#include "base/error.h"

#include "objects/inspection.h"
#include "objects/replay_state.h"
#include "state/state_framebuffer.h"
#include "state/state_parameters.h"
#include "state/state_shaders.h"
#include "state/state_textures.h"
#include "state/state_uniforms.h"
#include "state/state_vertices.h"

/* Every driver has these, in every version. */
static bool has_pictures(const struct gl_functions *gl)
{
    return gl->glReadPixels != NULL && gl->glPixelStorei != NULL && gl->glBindTexture != NULL;
}

static void dump_context(struct state_dump *d)
{
    state_begin_object(&d->w);
    state_dump_parameters(d);
    state_dump_shaders(d);
    state_dump_uniforms(d);
    state_dump_vertices(d);
    state_dump_storage_blocks(d);
    if (has_pictures(&d->r->gl)) {
        state_dump_textures(d);
        state_dump_framebuffer(d);
    }
    state_end_object(&d->w);
}

static int write_file(const char *path, const struct buf *text)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    bool failed = fwrite(text->data, 1, text->len, file) != text->len;
    failed |= fclose(file) != 0;
    return failed ? trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path) : 0;
}

static int write_dump(struct replayer *r, const struct buf *text)
{
    const struct replay_options *o = r->options;
    char path[4096];
    if (o->dump_prefix == NULL) {
        bool failed = fwrite(text->data, 1, text->len, stdout) != text->len;
        return failed | (fflush(stdout) != 0) ? trace_error_set_errno(TRACE_ERR_IO, errno, "stdout") : 0;
    }
    snprintf(path, sizeof path, "%s%010llu.%s", o->dump_prefix, (unsigned long long)r->dump_pending,
             o->dump_binary ? "ubj" : "json");
    return write_file(path, text);
}

/* JSON dumps are a line each, so that a stream of them can be taken apart. */
static int dump(struct replayer *r)
{
    struct buf *text = &r->state_memory.text;
    struct state_dump d;
    buf_clear(text);
    int rc = state_dump_init(&d, r, text, r->options->dump_binary);
    if (rc == 0)
        dump_context(&d);
    bool is_ended = r->options->dump_binary || buf_append_byte(text, '\n') == 0;
    if (rc == 0 && (!is_ended || state_writer_failed(&d.w)))
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory for a state dump");
    return rc != 0 ? rc : write_dump(r, text);
}

/* Inside a display list, calls would become part of it. */
static bool is_possible(struct replayer *r)
{
    if (r->current == NULL || r->current->inside_begin)
        return false;
    return r->current->is_es || replay_get_integer(r, GL_LIST_INDEX, 0) == 0;
}

int state_dump_after(struct replayer *r, const struct trace_call *call)
{
    if (trace_call_set_contains(&r->options->dump_calls, call->number, call->flags)) {
        r->is_dump_pending = true;
        r->dump_pending = call->number;
    }
    if (r->dumps == 0 && r->options->dump_calls.last < call->number) /* the trace begins later */
        r->is_dump_pending = true;
    if (!r->is_dump_pending || !is_possible(r))
        return 0;
    r->is_dump_pending = false;
    r->dumps++;
    struct inspection inspection;
    inspection_begin(r, &inspection);
    int rc = dump(r);
    inspection_end(r, &inspection);
    return rc;
}

bool state_dump_is_complete(const struct replayer *r)
{
    const struct trace_call_set *calls = &r->options->dump_calls;
    return calls->count > 0 && !r->is_dump_pending && r->dumps > 0 && r->call_number >= calls->last;
}

int state_dump_finish(const struct replayer *r)
{
    if (r->options->dump_calls.count == 0 || r->dumps > 0)
        return 0;
    return trace_error_set(TRACE_ERR_UNSUPPORTED, "no state was dumped: there is no such call, or no context "
                                                  "is current after it");
}
