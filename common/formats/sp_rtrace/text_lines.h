/* SPDX-License-Identifier: MIT
 * Which record a line of a text is, and what it says. Nothing is copied: all refers to the line.
 */
#ifndef SP_RTRACE_TEXT_LINES_H
#define SP_RTRACE_TEXT_LINES_H

#include "formats/shared/text_slice.h"
#include "trace/event.h"

enum text_line_kind {
    TEXT_LINE_EMPTY,
    TEXT_LINE_CALL,
    TEXT_LINE_ARG,
    TEXT_LINE_FRAME,
    TEXT_LINE_ATTACHMENT,
    TEXT_LINE_HEAP, /* the title; TEXT_HEAP_LINES follow */
    TEXT_LINE_MODULE,
    TEXT_LINE_CONTEXT,
    TEXT_LINE_RESOURCE,
    TEXT_LINE_MAPPING,
    TEXT_LINE_COMMENT, /* everything else */
};

struct text_call {
    uint64_t index;
    uint32_t contexts;
    int64_t time;
    struct text_slice name; /* the type's name may follow it: NAME<TYPE> */
    bool allocates;
    uint64_t size; /* of an allocation */
    uint64_t id;
};

struct text_arg {
    struct text_slice name;
    struct text_slice value;
};

struct text_frame {
    uint64_t address;
    struct text_slice place; /* what a resolver added */
};

struct text_line {
    enum text_line_kind kind;
    union {
        struct text_call call;
        struct text_arg arg;
        struct text_frame frame;
        struct {
            struct text_slice name;
            struct text_slice path;
        } attachment;
        struct {
            uint32_t id;
            uint32_t major;
            uint32_t minor;
            struct text_slice name;
        } module;
        struct {
            uint32_t id;
            struct text_slice name;
        } context;
        struct {
            uint64_t bit; /* 0: the type's id cannot be a bit */
            struct text_slice name;
            struct text_slice description;
            bool refcounted;
        } resource;
        struct {
            uint64_t from;
            uint64_t to;
            struct text_slice path;
        } mapping;
    } u;
};

/* line is without its line break. */
void text_line_parse(struct text_line *out, struct text_slice line);

/* A line below the title of the heap's statistics: the one with this number. */
bool text_line_parse_heap(struct text_slice line, size_t number, struct trace_heap *heap);

/* Splits what a resolver found, in place: the names in *frame are parts of place, which ends with a NUL. */
void text_frame_split(struct trace_frame *frame, char *place);

/* Splits NAME<TYPE>. False: there is no <TYPE>. */
bool text_split_type(struct text_slice *name, struct text_slice *type);

#endif
