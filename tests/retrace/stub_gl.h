/* SPDX-License-Identifier: MIT
 * A GL driver and a window system without real ones. A test replays calls on them, which are written as text
 * (call_script.h), and checks what the driver was called with and what it has stored. The driver reads and
 * writes all the memory that a call passes to it, so that sanitizers can check it.
 */
#ifndef TESTS_STUB_GL_H
#define TESTS_STUB_GL_H

#include "replay_options.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stdint.h>

#define STUB_EGL_DISPLAY 0xd1 /* contexts of EGL have their numbers as handles */

enum { STUB_INTEGERS = 0x10000, STUB_BUFFERS = 1000, STUB_LOG = 1 << 16, NEW_NAME = 100 };

/* What a driver says. */
struct stub_message {
    GLenum source, type, severity;
    GLuint id;
    GLsizei length; /* -1: text ends with NUL */
    const char *text;
};

/* What the buffers of a window have. */
struct stub_window {
    GLint red, depth, stencil; /* bits; 0: there is no such buffer */
    GLint encoding;
};

struct stub_gl {
    const char *version;           /* the GL_VERSION string */
    const char *extensions;        /* separated by blanks; GL_NUM_EXTENSIONS is one of the integers */
    GLint integers[STUB_INTEGERS]; /* GL_COLOR_WRITEMASK: a bit for each channel, red is 1 */
    GLint viewport[4], scissor[4];
    GLfloat clear_colour[4];    /* all of it; the integers have the red of it */
    bool has_cleared_box;       /* the last glClear() was restricted by the scissor box */
    bool has_cleared_nothing;   /* or had no effect */
    GLuint last_name;           /* names are assigned from NEW_NAME + 1 on, in the order of creation */
    GLenum unknown_pname;       /* glGetIntegerv() does not know it */
    bool is_lost;               /* the context: there are always errors */
    GLint next_location;        /* the next one for a uniform, attribute or block */
    GLuint refused_program;     /* that glUseProgram() does not take; 0: none */
    unsigned program_questions; /* how often GL_CURRENT_PROGRAM was asked for */
    bool same_location;         /* it is the location of all of them */
    GLint uniform_size;         /* elements of all uniforms; 0: their indices are not known */

    GLint element_buffers[STUB_BUFFERS]; /* indexed by vertex array */
    GLint divisor;                       /* of attributes */
    GLint divisor_of_0;                  /* of attribute 0 */
    GLint attribute_size, attribute_type, attribute_binding;
    GLuint enabled_attribute; /* besides attribute 1; 0: none */
    GLuint refused_buffer;    /* that glBindBuffer() does not take; 0: none */
    GLuint gone;              /* another context has deleted what has this name; 0: nothing */
    GLenum array_error;       /* that pointers cause */
    GLenum known_array;       /* GL_*_ARRAY_POINTER; 0: that of vertices */
    void *array_pointer;      /* of that array, and of attribute 1 */
    const void *last_pointer; /* that an array of the fixed pipeline was given */
    GLint attribute_buffer;   /* that all attributes are in; 0: none */
    struct {
        uint8_t *memory; /* exactly as large as requested; NULL: not mapped */
        size_t size;
    } mapped[STUB_BUFFERS]; /* indexed by buffer */

    bool refuses_mappings; /* of buffers */
    GLenum error;          /* the result of the next glGetError() */
    GLenum question_error; /* that all questions have after a glShadeModel(); 0: none */
    const void *buffer;    /* contents of all buffers */
    size_t buffer_size;
    unsigned buffer_reads;                   /* how often they were read */
    GLint binary_length;                     /* of programs */
    bool gives_no_binaries;                  /* though they have a length */
    GLenum draw_error;                       /* the error that draws cause */
    const struct stub_message *draw_message; /* what the driver says about draws; NULL: nothing */
    int draw_signal;                         /* signal that draws raise; 0: none */
    unsigned draw_seconds;                   /* how long draws take */
    GLenum wait_result;                      /* result of glClientWaitSync() */

    GLenum texture_target; /* target of all textures; 0: any. Attachments are textures */
    GLint texture_side;    /* width and height of every level; 0: a level is an attachment's */
    GLint samples;         /* of attachments */
    GLint format;          /* of renderbuffers */
    bool has_no_images;    /* nothing is attached to framebuffers */
    bool has_window;       /* framebuffer 0 has the attachments of `window`, and not those of others */
    struct stub_window window;
    GLenum copy_error;  /* the error that glBlitFramebuffer() causes */
    uint8_t pixel;      /* glReadPixels() fills pictures with it */
    GLenum read_error;  /* the error that it causes */
    bool has_transfers; /* glPixelTransferf() */
    bool has_indexed;   /* capabilities, scissor boxes and masks of colours */

    bool logs_flushes;       /* and clears */
    GLenum refused_format;   /* of copies to textures; 0: none */
    bool logs_whole_colours; /* of clears; otherwise only their red */
    bool logs_finishes;      /* calls of glFinish() */
    bool shows_framebuffers; /* lines of blits are followed by one with their framebuffers */
    bool shows_contexts;     /* lines of draws end with the context that is current in their thread */
    char log[STUB_LOG];      /* "NAME(ARGUMENT, …)" for each call, one on each line */
    size_t log_end;          /* length of the log when the last call had been replayed */
    char messages[STUB_LOG]; /* messages of the replayer */
    char printed[STUB_LOG];  /* by stub_gl_replay_printing() */

    int rc; /* result of the replay */
    uint64_t calls, failures, frames, first_frame, snapshots, differing_calls;
    uint64_t answers[7]; /* indexed by enum check_reason */

    bool refuses_egl_objects; /* images and syncs */
    bool refuses_sizes;       /* of windows */
    bool is_glx;              /* contexts are not EGL's */
    unsigned found_configs;   /* of the window system; they have 16, 17, … bits of depth */

    GLuint query_result;  /* available when it is queried for the third time */
    unsigned query_polls; /* number of such queries */
    GLenum query_error;   /* that asking for a result causes, which then writes nothing */
    struct stub_timers {
        bool enabled;         /* the driver has queries of times; see stub_timers.c */
        bool elapsed_only;    /* it has GL_TIME_ELAPSED, but not GL_TIMESTAMP */
        const char *lacks;    /* it lacks this function; NULL: none */
        unsigned lag;         /* how often a result is asked for before it is available */
        unsigned waits;       /* how often an unavailable result was read */
        unsigned made, freed; /* number of queries */
    } timers;
};
extern struct stub_gl stub_gl;

/* Sets everything to the state of a new driver of this version. */
void stub_gl_reset(const char *version);

/* Replays the calls of text, after calls that make context 0x30 current with drawable 77. The latter are not
 * in the log. options may be NULL. */
void stub_gl_replay(const struct replay_options *options, const char *text);

/* Does the same for a whole trace. */
void stub_gl_replay_all(const struct replay_options *options, const char *text);
/* Writes the calls of text to fd as the first chunk of a trace, followed by a chunk of `garbage` bytes that
 * are not Snappy. If there are fewer than 4, they are an incomplete chunk header. */
void stub_gl_write_chunks(int fd, const char *text, unsigned garbage);
void stub_gl_replay_file(const struct replay_options *options, const char *path);

/* Does the same as stub_gl_replay(), and returns the number of bytes that were printed on stdout. */
size_t stub_gl_replay_printing(const struct replay_options *options, const char *text);

/* Fails the test unless the replay had no error, and this is the whole log of the driver. */
void stub_gl_expect(const char *log);

/* Fail the test unless the log (or the messages) contains such a line (or is empty). */
void stub_gl_expect_line(const char *line);
void stub_gl_expect_no_line(const char *part);
void stub_gl_expect_message(const char *part);

/* Set to true while calls are replayed, if it is not NULL. */
extern volatile bool *stub_gl_counts;

/* For the window system: appends a line to the log. */
void stub_gl_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the function with this name if it is about queries, or NULL. */
void *stub_timers_function(const char *name);
void stub_timers_reset(void);

/* For functions of the driver: fails the test if a query is not allowed now, and causes its error. */
void stub_gl_question(void);

/* Returns the driver's function with this name, or NULL if it has none. */
void *stub_gl_function(const char *name);

struct window_system;
extern struct window_system stub_windows;
extern bool stub_windows_refuse_extras;   /* contexts without errors, robust ones and the like */
extern bool stub_windows_refuse_versions; /* contexts of a certain version */
extern unsigned stub_windows_polls;       /* of events */
extern bool stub_windows_lack_accumulation, stub_windows_refuse_others;

/* Contexts and drawables are numbered together, from 1. A context that is current in another thread cannot be
 * made current. */
void stub_windows_reset(void);

/* Returns the number of the context that is current in this thread, or 0. */
int stub_windows_current(void);

#endif
