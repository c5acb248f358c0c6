/* SPDX-License-Identifier: MIT */
#include "snapshot/snapshot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "image/image.h"
#include "objects/replay_state.h"
#include "snapshot/snapshot_source.h"
#include "trace/call_set.h"

/* State that affects how pixels are read, to be restored. */
struct pixel_state {
    GLint alignment, row_length, skip_rows, skip_pixels, buffer;
    GLint read_framebuffer, read_buffer;
    bool has_row_length, has_buffers, has_framebuffers, has_read_framebuffer, has_read_buffer;
};

bool snapshot_wanted(const struct replayer *r, const struct trace_call *call)
{
    const struct replay_options *o = r->options;
    return o->snapshot_prefix != NULL &&
           trace_call_set_contains(&o->snapshot_calls, call->number, call->flags);
}

static void set_up(struct replayer *r, struct pixel_state *s, const struct snapshot_source *source)
{
    const struct replay_context *context = r->current;
    const struct gl_functions *gl = &r->gl;
    s->has_row_length = context->version >= (context->is_es ? 30 : 10);
    s->has_buffers = context->version >= (context->is_es ? 30 : 21) && gl->glBindBuffer != NULL;
    s->has_read_framebuffer = context->version >= 30 && gl->glBindFramebuffer != NULL;
    s->has_read_buffer = context->version >= (context->is_es ? 30 : 10) && gl->glReadBuffer != NULL;
    s->alignment = replay_get_integer(r, GL_PACK_ALIGNMENT, 4);
    gl->glPixelStorei(GL_PACK_ALIGNMENT, 1);
    if (s->has_row_length) {
        s->row_length = replay_get_integer(r, GL_PACK_ROW_LENGTH, 0);
        s->skip_rows = replay_get_integer(r, GL_PACK_SKIP_ROWS, 0);
        s->skip_pixels = replay_get_integer(r, GL_PACK_SKIP_PIXELS, 0);
        gl->glPixelStorei(GL_PACK_ROW_LENGTH, 0);
        gl->glPixelStorei(GL_PACK_SKIP_ROWS, 0);
        gl->glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
    }
    if (s->has_buffers) {
        s->buffer = replay_get_integer(r, GL_PIXEL_PACK_BUFFER_BINDING, 0);
        gl->glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    }
    if (s->has_read_framebuffer) {
        s->read_framebuffer = replay_get_integer(r, GL_READ_FRAMEBUFFER_BINDING, 0);
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)source->framebuffer);
    }
    if (s->has_read_buffer) {
        s->read_buffer = replay_get_integer(r, GL_READ_BUFFER, GL_BACK);
        if (source->buffer != GL_NONE)
            gl->glReadBuffer(source->buffer);
    }
    replay_clear_errors(r);
}

static void put_back(struct replayer *r, const struct pixel_state *s)
{
    const struct gl_functions *gl = &r->gl;
    if (s->has_read_buffer)
        gl->glReadBuffer((GLenum)s->read_buffer);
    if (s->has_read_framebuffer)
        gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)s->read_framebuffer);
    if (s->has_buffers)
        gl->glBindBuffer(GL_PIXEL_PACK_BUFFER, (GLuint)s->buffer);
    gl->glPixelStorei(GL_PACK_ALIGNMENT, s->alignment);
    if (s->has_row_length) {
        gl->glPixelStorei(GL_PACK_ROW_LENGTH, s->row_length);
        gl->glPixelStorei(GL_PACK_SKIP_ROWS, s->skip_rows);
        gl->glPixelStorei(GL_PACK_SKIP_PIXELS, s->skip_pixels);
    }
    replay_clear_errors(r);
}

/* Reads the colours that are drawn to. Errors: TRACE_ERR_UNSUPPORTED if there are none. */
static int take(struct replayer *r, struct image *out)
{
    const struct gl_functions *gl = &r->gl;
    struct snapshot_source source;
    *out = (struct image){0};
    int rc = snapshot_source_init(r, &source);
    if (rc != 0)
        return rc;
    rc = image_init(out, (uint32_t)source.width, (uint32_t)source.height, 4);
    if (rc == 0) {
        struct pixel_state state = {0};
        set_up(r, &state, &source);
        gl->glReadPixels(0, 0, source.width, source.height, GL_RGBA, GL_UNSIGNED_BYTE, out->pixels);
        GLenum error = gl->glGetError();
        put_back(r, &state);
        if (error != GL_NO_ERROR) {
            image_fini(out);
            rc = trace_error_set(TRACE_ERR_UNSUPPORTED, "the framebuffer cannot be read");
        }
    }
    snapshot_source_fini(r, &source);
    if (rc != 0)
        return rc;
    image_flip(out);
    if (source.is_window && !r->current->is_es) /* apitrace's other pictures have their alpha channel */
        image_drop_alpha(out);
    return 0;
}

static int write_stdout(struct replayer *r, const struct image *im, uint64_t number)
{
    char text[32];
    char digest[IMAGE_MD5_SIZE];
    switch (r->options->snapshot_format) {
    case SNAPSHOT_PNM:
        snprintf(text, sizeof text, "%llu", (unsigned long long)number);
        image_write_pnm(im, text, stdout);
        break;
    case SNAPSHOT_RGB:
        fwrite(im->pixels, 1, image_size(im), stdout);
        break;
    case SNAPSHOT_MD5:
        image_md5(im, digest);
        puts(digest);
        break;
    }
    return ferror(stdout) ? trace_error_set_errno(TRACE_ERR_IO, errno, "stdout") : 0;
}

static int write_snapshot(struct replayer *r, struct image *im, uint64_t call)
{
    const struct replay_options *o = r->options;
    uint64_t number = o->snapshot_call_numbers ? call : r->snapshots;
    if (o->snapshot_prefix[0] == '-' && o->snapshot_prefix[1] == '\0')
        return write_stdout(r, im, number);
    char path[4096];
    int length = snprintf(path, sizeof path, "%s%010llu.png", o->snapshot_prefix, (unsigned long long)number);
    if (length < 0 || (size_t)length >= sizeof path)
        return trace_error_set(TRACE_ERR_USAGE, "the snapshot prefix is too long");
    image_drop_alpha(im); /* the alpha channel of a window is not visible */
    int rc = image_write_png_file(im, path);
    if (rc == 0)
        printf("Wrote %s\n", path);
    return rc;
}

int snapshot_at(struct replayer *r, const struct trace_call *call, bool before)
{
    if (before != ((call->flags & TRACE_CALL_SWAP_RENDERTARGET) != 0) || r->current == NULL ||
        r->current->inside_begin)
        return 0;
    struct image im;
    int rc = take(r, &im);
    if (rc != 0) {
        replay_warn(r, "%s", trace_error_message());
        return rc == TRACE_ERR_MEMORY ? rc : 0;
    }
    rc = write_snapshot(r, &im, call->number);
    image_fini(&im);
    r->snapshots++;
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
