/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/read/scalar_calls.h"

#include "formats/apitrace/parse/parser_fast_path.h"
#include "formats/apitrace/read/reader_state.h"
#include "formats/apitrace/scan/leave_head.h"
#include "trace/text/call_text_line.h"

#define ALWAYS_INLINE __attribute__((always_inline))

/* Flags of functions whose calls may be left out. */
#define MAYBE_VERBOSE (TRACE_CALL_VERBOSE | TRACE_CALL_VERBOSE_IF_ZERO)

#define MAX_ARGS 0x80 /* number of arguments whose index takes one byte */

/* The end of a call between its details and its return value: the end of the details, the head of the leave
 * event, the tag of the value. The longest scalar is an enum: two tags and two numbers. */
_Static_assert(1 + TRACE_LEAVE_HEAD_BYTES + 1 + 2 + 2 * sizeof(uint64_t) <= FAST_BYTES,
               "the end of a call must be within the bytes that are checked once");

/* The text of a call's number. The next one usually differs in the last digit only. */
struct number_text {
    char text[FORMAT_INT_BYTES];
    unsigned length; /* at most NUMBER_BYTES, since it is below TRACE_LEAVE_HEAD_CALLS */
};

#define NUMBER_BYTES 16

/* Where the next byte is read, and where the next character is written. Passed by value, so that it stays in
 * registers. */
struct place {
    const uint8_t *p; /* NULL: the call is of another form */
    char *out;
};

struct writer {
    struct trace_parser *s;
    struct trace_call_text *f;
    struct trace_leave_head leave; /* of the next call */
    struct number_text number;     /* of the same call */
    bool verbose;
};

static const struct place other_form = {NULL, NULL};

static inline bool has_bytes(const struct writer *w, const uint8_t *p)
{
    return w->s->end - p >= FAST_BYTES;
}

/* --- numbers of calls ------------------------------------------------------------------------------ */

static void set_number(struct number_text *n, uint64_t number)
{
    n->length = (unsigned)format_uint(n->text, number);
}

static void next_number(struct writer *w)
{
    char *last = &w->number.text[w->number.length - 1];
    trace_leave_head_next(&w->leave);
    if (*last != '9')
        ++*last;
    else
        set_number(&w->number, w->leave.number);
}

static inline char *put_number_and_thread(const struct writer *w, char *out, uint32_t thread)
{
    if (w->f->style.call_nos) {
        memcpy(out, w->number.text, NUMBER_BYTES);
        out += w->number.length;
        *out++ = ' ';
    }
    return w->f->style.thread_ids ? write_thread(out, thread) : out;
}

/* --- values: each function is given the place after the tag, and returns that after the value ---------- */

static struct place put_enum(const struct writer *w, struct place at)
{
    struct trace_value v;
    at.p = parse_fast_enum(w->s, at.p, &v);
    at.out = at.p != NULL ? write_enum(w->f, at.out, &v) : NULL;
    return at.out != NULL ? at : other_form;
}

static struct place put_bitmask(const struct writer *w, struct place at, size_t room)
{
    struct trace_value v = {.type = TRACE_BITMASK, .element = TRACE_NONE};
    uint64_t id;
    at.p = parse_fast_uint(at.p, &id);
    if (at.p == NULL || id >= TRACE_SIG_DENSE)
        return other_form;
    v.sig.bitmask = trace_signatures_find(&w->s->sigs, TRACE_SIG_BITMASK, (uint32_t)id);
    if (v.sig.bitmask == NULL || (at.p = parse_fast_uint(at.p, &v.u.uint)) == NULL)
        return other_form;
    at.out = trace_call_text_put_long_value(w->f, at.out, &v, room);
    return at.out != NULL ? at : other_form;
}

static struct place put_double(const struct writer *w, struct place at)
{
    double value;
    memcpy(&value, at.p, sizeof value);
    return (struct place){at.p + sizeof value, write_double(w->f, at.out, value)};
}

static inline ALWAYS_INLINE struct place put_float(const struct writer *w, struct place at)
{
    float value;
    memcpy(&value, at.p, sizeof value);
    return (struct place){at.p + sizeof value, write_float(w->f, at.out, value)};
}

static inline ALWAYS_INLINE struct place put_uint(struct place at)
{
    uint64_t value;
    at.p = parse_fast_uint(at.p, &value);
    if (at.p != NULL)
        at.out += format_uint(at.out, value);
    return at;
}

static inline ALWAYS_INLINE struct place put_opaque(struct place at)
{
    uint64_t value;
    at.p = parse_fast_uint(at.p, &value);
    if (at.p == NULL)
        return at;
    at.out = WRITE_LITERAL(at.out, "0x");
    at.out += format_hex(at.out, value);
    return at;
}

#define PLACE_AFTER_LITERAL(at, text) ((struct place){(at).p, WRITE_LITERAL((at).out, text)})

/* Reads a value with its tag, and writes its text. */
static inline ALWAYS_INLINE struct place put_value(const struct writer *w, struct place at, size_t room)
{
    switch (*at.p++) {
    case TRACE_FLOAT:
        return put_float(w, at);
    case TRACE_UINT:
        return put_uint(at);
    case TRACE_ENUM:
        return put_enum(w, at);
    case TRACE_OPAQUE:
        return put_opaque(at);
    case TRACE_BITMASK:
        return put_bitmask(w, at, room);
    case TRACE_DOUBLE:
        return put_double(w, at);
    case TRACE_NULL:
        return PLACE_AFTER_LITERAL(at, "NULL");
    case TRACE_FALSE:
        return PLACE_AFTER_LITERAL(at, "false");
    case TRACE_TRUE:
        return PLACE_AFTER_LITERAL(at, "true");
    default:
        return other_form;
    }
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* Reads and writes the arguments. */
static inline ALWAYS_INLINE struct place put_args(const struct writer *w, struct place at, uint32_t count,
                                                  const struct trace_call_template *c, size_t room)
{
    for (uint32_t i = 0; i < count; ++i) {
        if (!has_bytes(w, at.p) || at.p[0] != TRACE_DETAIL_ARG || at.p[1] != i)
            return other_form;
        at.p += 2;
        at.out = write_piece(at.out, c, i);
        at = put_value(w, at, room);
        if (at.p == NULL)
            return at;
    }
    return at;
}

/* Reads and writes what follows the arguments. */
static inline ALWAYS_INLINE struct place put_end(const struct writer *w, struct place at, uint32_t count,
                                                 const struct trace_call_template *c, size_t room)
{
    if (!has_bytes(w, at.p) || *at.p++ != TRACE_DETAIL_END || !trace_leave_head_fits(&w->leave, at.p))
        return other_form;
    at.p += w->leave.size;
    at.out = write_piece(at.out, c, count);
    if (*at.p == TRACE_DETAIL_RET) {
        at = put_value(w, (struct place){at.p + 1, WRITE_LITERAL(at.out, " = ")}, room);
        if (at.p == NULL)
            return at;
    }
    return *at.p++ == TRACE_DETAIL_END ? at : other_form;
}

/* Reads and writes the rest of a call of sig. Returns its end, or NULL if it is of another form; its text may
 * then be incomplete. */
static inline ALWAYS_INLINE const uint8_t *put_call(const struct writer *w, const uint8_t *p, uint32_t thread,
                                                    const struct trace_function_sig *sig)
{
    const struct trace_call_template *c = trace_call_text_template(w->f, sig);
    size_t room = c != NULL ? usual_room(sig, c) : 0;
    struct place at = {p, c != NULL ? reserve(w->f, room) : NULL};
    if (at.out == NULL)
        return NULL;
    at.out = put_number_and_thread(w, at.out, thread);
    at = put_args(w, at, sig->arg_count, c, room);
    if (at.p != NULL)
        at = put_end(w, at, sig->arg_count, c, room);
    if (at.p == NULL)
        return NULL;
    *at.out++ = '\n';
    if (w->f->style.multiline && (sig->flags & TRACE_CALL_END_FRAME) != 0)
        *at.out++ = '\n';
    w->f->out.len = (size_t)(at.out - (char *)w->f->out.data);
    return at.p;
}

/* Reads the beginning of an enter event, up to its details. Returns NULL if the general functions are needed.
 */
static inline ALWAYS_INLINE const uint8_t *read_head(const struct writer *w, const uint8_t *p,
                                                     uint32_t *thread, const struct trace_function_sig **sig)
{
    if (!has_bytes(w, p) || p[0] != TRACE_RAW_EVENT_ENTER || (p[1] & 0x80) != 0)
        return NULL;
    unsigned more = p[2] >> 7; /* size of the id */
    uint32_t id = (p[2] & 0x7fu) | ((uint32_t)p[3] << 7 & (0u - more));
    if ((p[3] & (0u - more) & 0x80) != 0)
        return NULL;
    *thread = p[1];
    *sig = trace_signatures_find(&w->s->sigs, TRACE_SIG_FUNCTION, id);
    bool fits =
        *sig != NULL && (*sig)->arg_count <= MAX_ARGS && (w->verbose || ((*sig)->flags & MAYBE_VERBOSE) == 0);
    return fits ? p + 3 + more : NULL;
}

/* Reads and writes the next call. Returns its function, or NULL if it is of another form. */
static inline ALWAYS_INLINE const struct trace_function_sig *put_next(const struct writer *w)
{
    size_t line = w->f->out.len;
    uint32_t thread;
    const struct trace_function_sig *sig;
    const uint8_t *p = read_head(w, w->s->p, &thread, &sig);
    if (p != NULL)
        p = put_call(w, p, thread, sig);
    if (p == NULL) {
        w->f->out.len = line;
        return NULL;
    }
    w->s->p = p;
    return sig;
}

/* Batches have no damage, and no calls before or after those that are wanted. */
static bool is_for_batches(const struct trace_reader *r, const struct trace_call_text_style *style)
{
    return r->cursor.stream.is_clone && r->cursor.next_number < TRACE_LEAVE_HEAD_CALLS && !style->color &&
           !style->times;
}

uint64_t trace_reader_put_scalar_calls(struct trace_reader *clone, struct trace_call_text *f, bool verbose)
{
    struct writer w = {.s = &clone->cursor.stream.parser, .f = f, .verbose = verbose};
    const struct trace_function_sig *sig;
    if (!is_for_batches(clone, &f->style))
        return 0;
    trace_leave_head_init(&w.leave, clone->cursor.next_number);
    set_number(&w.number, clone->cursor.next_number);
    while (w.leave.number < TRACE_LEAVE_HEAD_CALLS && (sig = put_next(&w)) != NULL) {
        next_number(&w);
        clone->frames += (sig->flags & TRACE_CALL_END_FRAME) != 0;
    }
    uint64_t count = w.leave.number - clone->cursor.next_number;
    clone->cursor.next_number = w.leave.number;
    return count;
}
