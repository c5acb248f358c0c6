/* SPDX-License-Identifier: MIT
 * Parses a line of a text into a record. Nothing is copied: the record refers to the line.
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
    TEXT_LINE_HEAP, /* the title, which TEXT_HEAP_LINES lines follow */
    TEXT_LINE_MODULE,
    TEXT_LINE_CONTEXT,
    TEXT_LINE_RESOURCE,
    TEXT_LINE_MAPPING,
    TEXT_LINE_COMMENT, /* any other line */
};

struct text_call {
    uint64_t index;
    uint32_t contexts;
    int64_t time;
    struct text_slice name; /* the name of the type may follow it: NAME<TYPE> */
    bool allocates;
    uint64_t size; /* of an allocation, in the type's unit */
    uint64_t id;
};

struct text_arg {
    struct text_slice name;
    struct text_slice value;
};

struct text_frame {
    uint64_t address;
    struct text_slice place; /* location that a resolver added */
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
            uint64_t bit; /* 0: the type's id is not a bit, or is several bits */
            struct text_slice name;
            struct text_slice description;
            struct text_slice flags; /* separated by |, commas or blanks */
        } resource;
        struct {
            uint64_t from;
            uint64_t to;
            struct text_slice path;
        } mapping;
    } u;
};

/* The line must not include its line break. */
void text_line_parse(struct text_line *out, struct text_slice line);

/* Parses a line of the heap statistics; number counts the lines after the title, from 0. */
bool text_line_parse_heap(struct text_slice line, size_t number, struct trace_heap *heap);

/* Splits NAME<TYPE>. Returns false if there is no <TYPE>. */
bool text_split_type(struct text_slice *name, struct text_slice *type);

#endif
