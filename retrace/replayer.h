/* SPDX-License-Identifier: MIT
 * The replayer's whole state, which is passed explicitly. A traced thread is a set of bindings. Its calls are
 * replayed by a thread of its own (replay_hosts.h), or by the only one, in which the bindings are made
 * current for them.
 */
#ifndef RETRACE_REPLAYER_H
#define RETRACE_REPLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash_map.h"
#include "call/call_printer.h"
#include "check/check_counts.h"
#include "frame_pace.h"
#include "call/gl_functions.h"
#include "call/memory_regions.h"
#include "objects/list_bases.h"
#include "objects/name_maps.h"
#include "objects/program_binaries.h"
#include "objects/replay_config.h"
#include "replay_options.h"
#include "replay_progress.h"
#include "replay_watchdog.h"
#include "runtime/driver_sizes.h"
#include "runtime/length.h"
#include "runtime/packed.h"
#include "runtime/spec.h"
#include "state/state_memory.h"
#include "trace/model.h"
#include "formats/apitrace/read/plain_calls.h"
#include "formats/apitrace/read/reader.h"
#include "windows/window_system.h"

enum { REPLAY_MAX_ARGS = 32, RECENT_FUNCTIONS = 64, PLAIN_NAMES = 4 };

/* Contexts that share objects. */
struct share_group {
    unsigned references;
    struct name_scope_tables names;
    struct int_map list_effects;  /* see list_primitives.c; by traced names of lists */
    struct int_map list_programs; /* see current_program.c; likewise */
    struct int_map kept_shaders;  /* see kept_shaders.h; to their programs, by the driver's names */
    bool names_front;             /* a program has named a front buffer; see window_buffers.h */
    bool handles_moved;           /* a bindless texture or image has another handle than in the trace */
};

/* How the driver reports messages and takes markers. */
enum driver_debugging {
    DEBUGGING_UNKNOWN,
    DEBUGGING_NONE,
    DEBUGGING_CORE,
    DEBUGGING_KHR,     /* by functions with that suffix, as in OpenGL ES */
    DEBUGGING_GREMEDY, /* markers only */
};

/* What glPushClientAttrib() has saved. */
enum {
    MAX_CLIENT_DEPTH = 16
}; /* GL_MAX_CLIENT_ATTRIB_STACK_DEPTH is at least that, and not more in drivers */
struct client_attrib {
    GLbitfield mask;
    uint64_t vertex_array; /* as in the trace */
};

/* See conditional_render.h. */
struct conditional_render {
    bool is_open;
    GLuint query; /* name in this run */
    GLenum mode;
    bool has_new_query; /* the query has begun again */
};

struct replay_context {
    uint64_t traced; /* handle in the trace */
    unsigned references;
    struct ws_context *ws;
    struct context_config config;
    struct share_group *group;
    struct name_scope_tables names; /* names of the kinds that contexts do not share */

    bool examined; /* the next two members are valid: the context has been current */
    bool is_es;
    int version;                     /* 10 × major + minor */
    enum driver_debugging debugging; /* see driver_messages.c */
    bool lacks_framebuffers;         /* the driver has been asked; see replay_draw_framebuffer() */

    bool inside_begin; /* between glBegin and glEnd */
    struct conditional_render condition;
    GLenum list_mode;                /* between glNewList and glEndList: its argument; otherwise 0 */
    uint64_t list;                   /* traced name; likewise */
    int64_t list_width, list_height; /* of the viewports in it; likewise */
    int64_t told_width, told_height; /* that the drawable has got meanwhile; 0: the size that it had */
    unsigned list_effect;            /* see list_primitives.c; likewise */
    uint64_t list_program;           /* traced name; see current_program.c; likewise */
    bool list_uses_program;          /* the last member is valid */
    bool list_selects_front;         /* see window_buffers_draw() */
    bool shows_image;                /* a texture has just been created to show an EGL image */
    uint64_t program;                /* traced name; see current_program.h */
    uint64_t pipeline;               /* traced name; set by glBindProgramPipeline */
    /* Maps traced pipelines to traced programs; set by glActiveShaderProgram. */
    struct int_map pipeline_programs;
    struct uniform_name uniform_name; /* that was asked for last, by number */
    uint32_t client_texture;          /* unit; set by glClientActiveTexture */
    struct client_attrib client_stack[MAX_CLIENT_DEPTH];
    unsigned client_depth;
    uint64_t vertex_array;        /* traced name; set by glBindVertexArray */
    struct int_map client_memory; /* maps slots to struct client_memory *, see handlers_client.c */
    struct int_map
        array_objects;           /* maps traced array objects to struct array_object *, see array_objects.h */
    struct array_object *arrays; /* of the bound one; NULL: nothing is known of it */
    bool has_bindings;           /* glBindVertexBuffer() or the like was called */
    int64_t restart_index;       /* of glArrayElement(), as it was at glBegin(); -1: none */
    uint64_t begin_limit;        /* at glBegin(): the fewest vertices of an enabled client array */
    bool lacks_array;            /* one of them was enabled when a draw began */
    /* The outer ones are kept while a list is only compiled, which changes them when it is called. */
    struct list_bases list_bases, outer_list_bases;
    GLuint pinned_buffer; /* bound to GL_EXTERNAL_VIRTUAL_MEMORY_BUFFER_AMD */

    struct spec_state state; /* see replay_state.h */
    /* The first error that the driver has reported and the program has not asked for yet. */
    GLenum error;
    bool error_unknown; /* a call was left out, or depends on the driver, which may have had an error */
    struct int_map query_targets; /* maps traced queries to their targets */
    unsigned used_targets;        /* of buffers: bits; see replay_state.c */
    bool pixel_store_stale, buffers_stale, element_buffer_stale;
    bool has_inverted_rows; /* they were asked for: pixels may be stored below their address */
};

/* What buffers were cleared to. */
struct clear_values {
    GLbitfield mask; /* as for glClear() */
    GLfloat colour[4];
    GLdouble depth;
    GLint stencil;
    GLenum buffer; /* the colour buffer; GL_NONE: it is not known */
};

struct replay_drawable {
    uint64_t traced;
    unsigned references;
    struct ws_drawable *ws; /* NULL until it is bound for the first time */
    int width, height;
    bool has_buffers; /* the trace tells what its buffers are; otherwise, they are those of the context */
    struct buffer_config buffers;
    bool is_fixed;      /* its size is known, and does not change */
    bool keeps_swapped; /* a pbuffer of EGL, whose swaps do nothing */
    bool is_sized;      /* the trace has told a size for it */
    bool is_told;       /* the trace tells each size that it gets */
    bool is_guessed;    /* it has the size of another one */
    bool is_covered;    /* all viewports since the first one have had its size */
    bool has_shrunk;    /* so it seems since the last swap; the window shrinks at the next one */
    int shrunk_width, shrunk_height;
    bool is_drawn;               /* something has been drawn since the last swap */
    struct clear_values cleared; /* since the last swap */
    unsigned clears;             /* that were asked about, likewise */
    uint64_t swaps;
    bool has_texture; /* that shows it; see surface_texture.h */
    GLuint texture;   /* may be 0 */
    const struct share_group *texture_group;
};

/* The bindings of a traced thread. Each pointer holds a reference. */
struct replay_thread {
    uint32_t number;
    struct replay_context *context;
    struct replay_drawable *draw, *read;
    bool bound;       /* with a thread for each traced one: the bindings are those of its thread */
    unsigned egl_api; /* eglBindAPI's argument; 0: the default, OpenGL ES */
    bool released;    /* the program has released its context; calls without one are its own */
};

struct hosts;
struct replayer;
struct replay_call;
struct profile;
struct picture_queue;

/* What a profile does about a function. */
enum replay_watch {
    WATCH_CALL,
    WATCH_DRAW,
    WATCH_BEGIN, /* a draw that ends with WATCH_END */
    WATCH_END,
    WATCH_NEW_LIST,
    WATCH_END_LIST,
    WATCH_PUSH, /* debug groups */
    WATCH_POP,
    WATCH_MARK,
    WATCH_WINDOW, /* of GLX or EGL */
};

/* Replays a call. Errors: TRACE_ERR_UNSUPPORTED or TRACE_ERR_FORMAT, with the message set, if this call
 * cannot be replayed; the replay continues. Other errors end it. */
typedef int (*replay_handler)(struct replayer *r, struct replay_call *c);

/* A function of the trace. It is looked up once. */
struct replay_function {
    const struct trace_function_sig *sig;
    const struct spec_function *spec; /* NULL: not in the tables */
    replay_handler handler;
    replay_handler watched; /* the handler, if a profile has replaced it */
    enum replay_watch watch;
    void (*proc)(void); /* looked up at the first call */
    /* Makes calls with packed arguments; NULL: they need more than their numbers. See replay_function.h. */
    spec_runner runner;
    bool looked_up;
    bool has_pointers;                 /* lengths must be checked */
    bool reads_vertices;               /* a draw from arrays, or glArrayElement() */
    bool has_names;                    /* the call creates or deletes objects */
    bool skip;                         /* a query whose result is not needed */
    enum check_reason unchecked;       /* why --check skips it */
    uint64_t differences;              /* number of calls with other answers than in the trace */
    uint64_t gl_errors;                /* number of calls after which the driver reported an error */
    uint64_t failures;                 /* number of calls that could not be replayed */
    struct trace_plain_function plain; /* how plain calls are read, if there is a runner */
    /* Indices of their arguments that are names of objects. See plain_names.h. */
    uint8_t plain_names[PLAIN_NAMES], plain_name_count;
};

/* A call that is being replayed. args and ret are the values for and from the driver. */
struct replay_call {
    const struct trace_call *call;
    struct replay_function *function;
    union spec_arg args[REPLAY_MAX_ARGS];
    union spec_arg ret;
    uint64_t given[REPLAY_MAX_ARGS]; /* number of elements that args point to, if they were decoded from the
                                        trace */
    uint8_t *recorded[REPLAY_MAX_ARGS]; /* with --check: what the program got; see replay_check.c */
};

struct replayer {
    const struct replay_options *options;
    struct window_system *ws; /* the first context may replace it by another one */
    struct trace_reader *reader;
    struct call_printer printer;
    struct gl_functions gl;
    bool is_inspecting; /* see inspection.h */
    bool gl_loaded;
    struct spec_questions questions;
    struct spec_driver driver; /* answers by these; see replay_state.h */

    struct name_scope_tables handles; /* names of objects that belong to a display: EGL images and syncs */
    struct replay_configs configs;
    struct program_binaries binaries;
    struct memory_regions regions;
    /* Maps signature ids to struct replay_function *. Only the thread that reads uses it and `recent`, until
     * the replay has ended. */
    struct int_map functions;
    struct replay_function *recent[RECENT_FUNCTIONS]; /* indexed by the low bits of the id; or NULL */
    struct arena scratch;                             /* decoded arguments of the current call */

    struct int_map contexts;      /* maps traced handles to struct replay_context * */
    struct int_map drawables;     /* maps traced handles to struct replay_drawable * */
    struct int_map threads;       /* maps traced threads to struct replay_thread * */
    struct replay_thread *thread; /* thread of the current call */
    uint32_t thread_number;
    struct replay_context *current; /* the context that is really bound to this thread; NULL: none */

    struct hosts *hosts; /* see replay_hosts.h; NULL: one thread replays all calls, likewise below */
    /* Makes nothing current in the thread that replays t, which is not this one, and sets t->bound. */
    void (*release_thread)(struct replayer *r, struct replay_thread *t);

    struct replay_check check;
    GLenum call_error; /* of the current call, if it has been asked for; the program has not got it yet */
    struct profile *profile; /* NULL: nothing is measured; see replay_profile.h */
    uint64_t call_number;    /* number of the current call */
    uint64_t calls;          /* number of calls replayed */
    struct replay_progress progress;
    struct frame_pace pace;
    struct replay_watchdog watchdog;
    int64_t start; /* clock_nanoseconds() when the time that counts began */
    uint64_t frames;
    uint64_t first_frame; /* frames before this one do not count */
    uint64_t snapshots;
    struct picture_queue *pictures; /* that are being written; NULL: none yet */
    struct state_memory state_memory;
    uint64_t dumps;        /* number of state dumps made */
    bool is_dump_pending;  /* a state dump was asked for, but not possible yet */
    uint64_t dump_pending; /* the call that it was asked for */
    uint64_t failures;     /* number of calls that could not be replayed */
    uint64_t gl_errors;
    int64_t last_poll;     /* clock_milliseconds() when window events were last polled */
    bool warned_of_images; /* of EGL images, which contexts of GLX do not have */
    bool closed;           /* the user closed a window */
};

/* options, ws and reader are borrowed until replayer_fini(). r must not move. */
int replayer_init(struct replayer *r, const struct replay_options *options, struct window_system *ws,
                  struct trace_reader *reader);

/* Call it after replay_contexts_fini() (replay_context.h). */
void replayer_fini(struct replayer *r);

/* Prints a line on stderr that names what could not be replayed. Prints nothing if everything was. */
void replayer_report_failures(const struct replayer *r);

/* Prints a line on stderr: "CALL: warning: …". Prints nothing in benchmark mode. */
void replay_warn(struct replayer *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
