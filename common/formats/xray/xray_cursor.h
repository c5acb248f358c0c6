/* SPDX-License-Identifier: MIT
 * Reads the records of one segment of a log: of a buffer of a flight data recorder, or of a run of basic
 * records. It has the grammar's state, and adds up the counter.
 */
#ifndef XRAY_CURSOR_H
#define XRAY_CURSOR_H

#include "formats/xray/xray_records.h"

#include "trace/trace_file.h"

#define XRAY_ARGS_MAX 32 /* arguments of a call that are kept; runtimes record one */

enum xray_item_kind {
    XRAY_ITEM_NONE,     /* a basic log begins without a clock */
    XRAY_ITEM_CLOCK,    /* the buffer began: wall_time */
    XRAY_ITEM_FUNCTION, /* with all arguments that were recorded */
    XRAY_ITEM_CUSTOM,
    XRAY_ITEM_TYPED,
    XRAY_ITEM_END, /* of the segment */
    XRAY_ITEM_CUT, /* the segment ends inside a record */
    XRAY_ITEM_BAD, /* something that is not allowed here: nothing more can be read */
};

struct xray_item {
    enum xray_item_kind kind;
    enum xray_action action;
    uint32_t function;
    uint64_t ticks;
    int32_t cpu;
    uint32_t arg_count;
    uint32_t lost_args;   /* that were recorded, but are not kept */
    uint16_t type;        /* of a typed event */
    bool data_lost;       /* an event's data were overwritten */
    const uint64_t *args; /* of a call; lent until the next call of the cursor, likewise the data */
    const uint8_t *data;  /* of an event */
    size_t size;
    int64_t wall_time; /* CLOCK: nanoseconds */
};

struct xray_cursor {
    struct trace_file *file; /* lent, likewise below */
    const struct xray_header *header;
    uint64_t offset; /* in the file, of the byte after those in memory */
    uint64_t end;    /* in the file, of the segment */
    uint8_t *bytes;
    size_t at; /* of the next record */
    size_t len;
    size_t cap;
    size_t step;           /* bytes that are read at a time */
    uint64_t *args;        /* room for XRAY_ARGS_MAX, once a call had one: there may be many cursors */
    enum xray_kind before; /* in the preamble; XRAY_NOTHING: it begins with the next record */
    bool ended;            /* by a record that says so */
    bool is_usual;         /* records of a flight data recorder, little-endian */
    uint64_t ticks;
    uint64_t carried; /* the ticks of the next function if they count from the thread's last buffer; 0: they
                         do not */
    int32_t cpu;
    int64_t process; /* -1: not told; likewise the thread */
    int64_t thread;
    int64_t wall_time;
};

/* step: the number of bytes to read at a time; at least XRAY_CURSOR_STEP. */
#define XRAY_CURSOR_STEP 256
void xray_cursor_init(struct xray_cursor *c, struct trace_file *file, const struct xray_header *header,
                      uint64_t offset, uint64_t end, size_t step);

/* Makes a cursor that was initialised read another segment; its memory is used again. */
void xray_cursor_move(struct xray_cursor *c, const struct xray_header *header, uint64_t offset, uint64_t end,
                      size_t step);
void xray_cursor_fini(struct xray_cursor *c);

/* Returns the place of the next record in the file. */
static inline uint64_t xray_cursor_place(const struct xray_cursor *c)
{
    return c->offset - (c->len - c->at);
}

/* Reads the records that begin the buffer: thread, process, processor and time are then known, and *item is
 * the clock, or why they are not. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int xray_cursor_begin(struct xray_cursor *c, struct xray_item *item);

/* Call it after xray_cursor_begin(), with the counter at the end of the thread's buffer before this one. The
 * runtime of version 1 wrote the ticks since then with the first function of a buffer, although the buffer
 * begins with the counter at this function. */
void xray_cursor_follow(struct xray_cursor *c, uint64_t ticks);

/* Makes an item of the function in the next record, which is passed. Private, like the next one. */
static inline void xray_cursor_set_function(struct xray_cursor *c, struct xray_item *item,
                                            enum xray_action action, uint32_t function, uint32_t delta)
{
    c->at += XRAY_FUNCTION_SIZE;
    c->ticks += delta != c->carried ? delta : 0;
    c->carried = 0;
    item->kind = XRAY_ITEM_FUNCTION;
    item->action = action;
    item->function = function;
    item->ticks = c->ticks;
    item->cpu = c->cpu;
    item->arg_count = item->lost_args = 0;
}

static inline uint32_t xray_little_word(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Reads the next item if its record is what most are: a function without arguments, which is followed by
 * another record. Returns false otherwise, without any effect: xray_cursor_next() reads it. */
static inline bool xray_cursor_take_usual(struct xray_cursor *c, struct xray_item *item)
{
    enum { METADATA = 1, NO_ACTION = XRAY_ACTIONS << 1, ARGUMENT = XRAY_CALL_ARGUMENT << 1 | METADATA };
    const uint8_t *bytes = c->bytes + c->at;
    if (!c->is_usual || c->len - c->at < XRAY_FUNCTION_SIZE + XRAY_METADATA_SIZE)
        return false;
    uint32_t word = xray_little_word(bytes);
    if ((word & (METADATA | NO_ACTION)) != 0 || bytes[XRAY_FUNCTION_SIZE] == ARGUMENT)
        return false;
    xray_cursor_set_function(c, item, (enum xray_action)(word >> 1 & 7), word >> 4,
                             xray_little_word(bytes + 4));
    return true;
}

/* Reads the next item. After END, CUT or BAD there is no more. Errors: TRACE_ERR_IO, TRACE_ERR_MEMORY. */
int xray_cursor_next(struct xray_cursor *c, struct xray_item *item);

#endif
