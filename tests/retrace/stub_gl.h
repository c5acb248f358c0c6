/* SPDX-License-Identifier: MIT
 * A GL driver and a window system without either. A test replays calls on them, written as text
 * (call_script.h), and looks at what the driver was called with, and what it has kept. The driver reads and
 * writes all the memory that a call gives it, for the sanitizers to see.
 */
#ifndef TESTS_STUB_GL_H
#define TESTS_STUB_GL_H

#include "replay_options.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stdint.h>

enum { STUB_INTEGERS = 0x10000, STUB_BUFFERS = 1000, STUB_LOG = 1 << 16, NEW_NAME = 100 };

struct stub_gl {
    const char *version; /* GL_VERSION's */
    GLint integers[STUB_INTEGERS];
    GLuint last_name;                    /* names are NEW_NAME + 1 and on, in the order of creation */
    GLint next_location;                 /* the next uniform's, attribute's or block's */
    GLint element_buffers[STUB_BUFFERS]; /* by vertex array */
    struct {
        uint8_t *memory; /* as large as was asked for, to the byte; NULL: not mapped */
        size_t size;
    } mapped[STUB_BUFFERS];  /* by buffer */
    GLenum error;            /* what the next glGetError() gives */
    GLenum draw_error;       /* what draws cause */
    GLenum wait_result;      /* of glClientWaitSync() */
    uint8_t pixel;           /* what glReadPixels() fills pictures with */
    char log[STUB_LOG];      /* "NAME(ARGUMENT, …)" for each call, a line each */
    size_t log_end;          /* where the last call had been replayed */
    char messages[STUB_LOG]; /* what the replayer had to say */
    int rc;                  /* of the replay */
    uint64_t calls, failures, frames;
};
extern struct stub_gl stub_gl;

/* Sets everything to what a new driver of this version has. */
void stub_gl_reset(const char *version);

/* Replays the calls of text, after those that make context 0x30 current with drawable 77, of which nothing is
 * in the log. Options: NULL for none. */
void stub_gl_replay(const struct replay_options *options, const char *text);

/* The same for a whole trace. */
void stub_gl_replay_all(const struct replay_options *options, const char *text);
/* Writes the calls of text to fd, as a trace's first chunk, and behind it a chunk of `garbage` bytes that are
 * no Snappy; fewer than 4: a part of a chunk's head. */
void stub_gl_write_chunks(int fd, const char *text, unsigned garbage);
void stub_gl_replay_file(const struct replay_options *options, const char *path);

/* Fails the test unless this is all that the driver was called with. */
void stub_gl_expect(const char *log);

/* Fails the test unless the log, or the messages, have a line like this; or have none. */
void stub_gl_expect_line(const char *line);
void stub_gl_expect_no_line(const char *part);
void stub_gl_expect_message(const char *part);

/* For the window system: appends a line. */
void stub_gl_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The driver's function called name; NULL: it has none. */
void *stub_gl_function(const char *name);

struct window_system;
extern struct window_system stub_windows;

/* Contexts and drawables are numbered together, from 1 on. */
void stub_windows_reset(void);

#endif
