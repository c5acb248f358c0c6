/* SPDX-License-Identifier: MIT
 * A driver for tests of state dumps. It answers what a test lists; every other question is an error. It logs
 * calls that change or read something.
 */
#ifndef TESTS_STATE_DRIVER_H
#define TESTS_STATE_DRIVER_H

#include "state/state_image.h"

/* The answer to a question. object and index are the arguments before pname: a target or name, and a level or
 * index; 0 if there are none. Those of bindings of textures are of texture unit `object`. Values
 * of 0 at the end are not written, except for the first one. */
struct state_answer {
    const char *function;
    GLuint object, index;
    GLenum pname;
    double values[4];
    const char *text; /* of functions that return text */
};

/* The answer 0. */
extern const struct state_answer state_driver_zero;

enum { STATE_DRIVER_NAMES = 400 };

extern struct state_driver {
    const struct state_answer *answers; /* ended by one without function */
    int version;                        /* 10 × major + minor */
    bool is_es;
    const char *lacks;                  /* this function; NULL: none */
    bool has_oes_names;                 /* framebuffers have functions whose names end in OES */
    bool accepts_updates;               /* updates of textures have no errors, wherever they are */
    int side_version;                   /* of the latest other context that can be made; 0: none */
    struct context_config side_config;  /* that it was made with */
    int sides;                          /* other contexts that there are */
    bool is_beside;                     /* another context is bound */
    bool is_finished;                   /* nothing was called since a glFinish() */
    unsigned switches, failing_switch;  /* of contexts; that one fails; 0: none */
    bool has_no_errors;                 /* the context was made so: what an error does is undefined */
    const char *fails;                  /* this function has an error */
    const struct state_answer *failing; /* this question has an error */
    const struct state_answer *silent;  /* this one has neither an error nor an answer */
    const struct state_answer *zero;    /* the answer to this one is 0, or an empty text */
    unsigned calls, failing_call;       /* so many calls; this one has an error; 0: none */
    const char *failed;                 /* how the log of that one begins */
    unsigned failing_allocation;        /* 0: none */
    bool has_failed;                    /* there were as many allocations */
    bool is_of_call;                    /* the error is a call's */
    const char *asked;                  /* the question that had an error */
    const uint8_t *bytes;               /* of buffers */
    size_t byte_count;                  /* for other answers; more bytes are 0 then */
    const void *pixels;                 /* that are read, one picture after the other */
    size_t pixels_read;
    struct replay_options options;
    struct replay_drawable *window; /* current for drawing; NULL: none */
    struct replay_drawable *source; /* current for reading */
    char log[1 << 14];
    GLenum error;
    int more_errors; /* that follow it */
    GLenum unit;     /* that is active */
    GLuint names, renderbuffer, buffer;
    const char *made[STATE_DRIVER_NAMES]; /* kinds of the names; NULL: deleted */
    GLuint gone; /* another context has deleted what has this name, unless that is a texture; 0: nothing */
} state_driver;

/* Begins a test: OpenGL 4.6. */
void state_driver_reset(const struct state_answer *answers);

/* Makes a part of a dump within an object, and compares its text, and the log. log: NULL: any. Then makes it
 * once more for each answer, which then is an error: nothing of it may be in the dump. And once more for each
 * call, which then has an error. No error may be taken for one of a later question. */
void state_driver_expect(void (*part)(struct state_dump *d), const char *json, const char *log);

/* Makes a part of a dump. Returns its text, which is valid until the next call. */
const char *state_driver_text(void (*part)(struct state_dump *d));

/* Does something else with a dump that is prepared. */
void state_driver_run(void (*part)(struct state_dump *d));

/* Returns a picture as dumps have it: PNG in base64. pixels: from top to bottom. It is valid until the fourth
 * call after this one. */
const char *state_picture_png(uint32_t width, uint32_t height, uint32_t channels, const void *pixels);

/* Adds a picture to those that state_picture_expect() expects. label: NULL for none; data: in base64. */
void state_picture_add(const char *member, int width, int height, int depth, const char *format,
                       const char *label, const char *data);

/* Makes a part of a dump, and compares it with these pictures in a member, and the log. */
void state_picture_expect(void (*part)(struct state_dump *d), const char *member, const char *log);

/* --- for the parts of the driver -------------------------------------------------------------------------
 */

/* What a question with an error is answered with, as by some drivers. */
enum { GARBAGE = 23469 };
#define GARBAGE_NUMBER "23469"
#define GARBAGE_TEXT   "garbage"

struct state_function {
    const char *name;
    void (*function)(void);
};
void *state_driver_find(const struct state_function *functions, size_t count, const char *name);

/* Whether a question has another answer than the test lists. What is read may be larger then. */
bool state_driver_differs(void);

/* Returns the function that answers a question, or NULL. */
void *state_driver_question(const char *name);

/* Returns the function that changes or reads something, or NULL. */
void *state_driver_call(const char *name);

void state_driver_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A call has an error. */
void state_driver_set_error(void);

/* All objects that a dump has made are deleted. */
void state_driver_expect_no_objects(void);
/* Returns whether the function fails; it has an error then. */
bool state_driver_fails(const char *function);

/* Returns the answer that a test lists; NULL: there is none. */
const struct state_answer *state_driver_find_answer(const char *function, GLuint object, GLuint index,
                                                    GLenum pname);

/* Gives this answer to a question; NULL: an error. */
const struct state_answer *state_driver_give(const char *function, const struct state_answer *answer);

/* Returns the answer to a question. NULL: there is none, which is an error. */
const struct state_answer *state_driver_answer(const char *function, GLuint object, GLuint index,
                                               GLenum pname);
void state_driver_get(const char *function, GLuint object, GLuint index, GLenum pname, GLint *out);

#endif
