/* SPDX-License-Identifier: MIT
 * usage: write_calls FILE CALLS [PLACES]: writes a trace with this many calls of a program that draws. It is
 * always the same for the same CALLS. With PLACES, this many evenly distributed places are different: an
 * argument is changed, or a call is removed or added.
 */
#include "base/buf.h"
#include "base/error.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/encoder.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CALLS_PER_FRAME 200
#define FLUSH_BYTES     ((size_t)1 << 20)

static const char *const xyz[] = {"x", "y", "z"};
static const char *const uniform_args[] = {"location", "v0"};
static const char *const bind_args[] = {"target", "texture"};
static const char *const draw_args[] = {"mode", "first", "count"};
static const char *const swap_args[] = {"dpy", "drawable"};
static const struct trace_function_sig vertex_sig = {
    .id = 0, .name = "glVertex3f", .arg_count = 3, .arg_names = xyz};
static const struct trace_function_sig uniform_sig = {
    .id = 1, .name = "glUniform1f", .arg_count = 2, .arg_names = uniform_args};
static const struct trace_function_sig bind_sig = {
    .id = 2, .name = "glBindTexture", .arg_count = 2, .arg_names = bind_args};
static const struct trace_function_sig draw_sig = {
    .id = 3, .name = "glDrawArrays", .arg_count = 3, .arg_names = draw_args};
static const struct trace_function_sig swap_sig = {
    .id = 4, .name = "glXSwapBuffers", .arg_count = 2, .arg_names = swap_args};
static const struct trace_enum_name enum_names[] = {{"GL_TRIANGLES", 4}, {"GL_TEXTURE_2D", 0x0de1}};
static const struct trace_enum_sig enum_sig = {0, 2, enum_names};

struct generator {
    struct buf stream;
    struct trace_encoder encoder;
    uint64_t random;
    uint64_t number;
};

static uint64_t next_random(struct generator *g)
{
    g->random ^= g->random << 13;
    g->random ^= g->random >> 7;
    g->random ^= g->random << 17;
    return g->random;
}

static void write_args(struct generator *g, const struct trace_function_sig *sig, uint64_t value)
{
    struct trace_encoder *e = &g->encoder;
    for (uint32_t i = 0; i < sig->arg_count; ++i) {
        trace_encode_arg(e, i);
        if (sig == &vertex_sig || (sig == &uniform_sig && i == 1))
            trace_encode_float(e, (float)(value >> (8 * i) & 0xff) / 16);
        else if (sig == &swap_sig && i == 0)
            trace_encode_opaque(e, 0x55d0c0ffee00);
        else if (i == 0 && sig != &uniform_sig)
            trace_encode_enum(e, &enum_sig, sig == &bind_sig ? 0x0de1 : 4);
        else
            trace_encode_uint(e, value % 64);
    }
}

static void write_call(struct generator *g, const struct trace_function_sig *sig, uint64_t value)
{
    trace_encode_enter(&g->encoder, 0, sig, 0);
    write_args(g, sig, value);
    trace_encode_end(&g->encoder);
    trace_encode_leave(&g->encoder, g->number++);
    trace_encode_end(&g->encoder);
}

static const struct trace_function_sig *choose_function(uint64_t i, uint64_t value)
{
    static const struct trace_function_sig *const mixture[] = {
        &vertex_sig, &vertex_sig, &vertex_sig, &vertex_sig, &vertex_sig, &uniform_sig, &bind_sig, &draw_sig};
    return i % CALLS_PER_FRAME == CALLS_PER_FRAME - 1 ? &swap_sig : mixture[value >> 40 & 7];
}

static int write_all(struct generator *g, struct trace_output *out, uint64_t calls, uint64_t places)
{
    uint64_t step = places > 0 ? calls / places : 0, place = 0;
    int rc = 0;
    for (uint64_t i = 0; i < calls && rc == 0; ++i) {
        uint64_t value = next_random(g);
        const struct trace_function_sig *sig = choose_function(i, value);
        bool here = step > 0 && i % step == step / 2 && place++ < places;
        if (!here || place % 3 == 0)
            write_call(g, sig, value);
        if (here && place % 3 != 1)
            write_call(g, sig, value ^ 0x15);
        if (g->stream.len < FLUSH_BYTES && i + 1 < calls)
            continue;
        rc = g->encoder.failed ? TRACE_ERR_MEMORY : trace_output_write(out, g->stream.data, g->stream.len);
        buf_clear(&g->stream);
    }
    return rc;
}

int main(int argc, char **argv)
{
    struct generator g = {.random = UINT64_C(0x123456789abcdef)};
    struct trace_output *out;
    uint64_t calls = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    uint64_t places = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    int fd = calls > 0 && argc <= 4 ? open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (fd < 0) {
        fputs("usage: write_calls FILE CALLS [PLACES]\n", stderr);
        return 1;
    }
    trace_encoder_init(&g.encoder, &g.stream);
    trace_encode_header(&g.encoder, 6, NULL, 0);
    int rc = trace_output_open_fd(&out, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0);
    if (rc == 0) {
        rc = write_all(&g, out, calls, places);
        rc |= trace_output_close(out);
    }
    trace_encoder_fini(&g.encoder);
    buf_fini(&g.stream);
    if (close(fd) != 0 || rc != 0) {
        fprintf(stderr, "%s: %s\n", argv[1], trace_error_message());
        return 1;
    }
    return 0;
}
