/* SPDX-License-Identifier: MIT */
#include "runtime/length.h"

#include "runtime/length_code.h"
#include "runtime/tables.h"

#include <string.h>

enum {
    GL_UNPACK_COMPRESSED_BLOCK_WIDTH = 0x9127,
    GL_UNPACK_COMPRESSED_BLOCK_HEIGHT,
    GL_UNPACK_COMPRESSED_BLOCK_DEPTH,
    GL_UNPACK_COMPRESSED_BLOCK_SIZE,
};

/* The state of an evaluation: what the program can refer to, and the pointer whose length it computes. */
struct evaluation {
    const struct spec_function *f;
    const union spec_arg *args;
    const struct spec_param *param;
    const union spec_arg *ret; /* NULL: unknown */
    const void *pointer;
    const struct spec_state *state;
    size_t element; /* index of the element for which the name of an array stands */
    bool has_texts; /* the length is that of several texts: it does not end at a NUL */
    int64_t stack[LENGTH_STACK];
    unsigned depth;
};

static bool state_value(const struct spec_state *state, unsigned which)
{
    switch (which) {
#define X(name)                                                                                              \
    case LENGTH_STATE_##name:                                                                                \
        return state->name;
        LENGTH_STATES(X)
#undef X
    }
    return false;
}

static bool is_readable(const struct spec_state *state, const void *memory, size_t size)
{
    const struct spec_driver *d = state->driver;
    return d == NULL || d->is_readable == NULL || d->is_readable(memory, size);
}

/* Reads an element of an array. Returns false if it cannot be read. */
static bool load(const struct spec_state *state, enum spec_type type, const void *array, int64_t index,
                 union spec_arg *out)
{
    int64_t size = (int64_t)spec_type_size(type), offset;
    if (array == NULL || index < 0 || __builtin_mul_overflow(index, size, &offset) || offset > PTRDIFF_MAX ||
        !is_readable(state, (const void *)((uintptr_t)array + (uintptr_t)offset), (size_t)size))
        return false;
    spec_load(type, array, (size_t)index, out);
    return true;
}

/* Returns false if the result is unknown: the element cannot be read, or is not an integer. */
static bool load_element(const struct evaluation *e, unsigned param, int64_t index, int64_t *out)
{
    const struct spec_param *p = spec_param(e->f, param);
    union spec_arg value;
    if (p->type < SPEC_I8 || p->type > SPEC_U64 || !load(e->state, p->type, e->args[param].p, index, &value))
        return false;
    *out = value.i;
    return true;
}

/* Returns the characters before the NUL, or before the end of readable memory; at most limit. The length is
 * unknown if nothing can be read. */
static int64_t text_length(const struct spec_state *state, const char *text, size_t limit)
{
    const size_t page = 4096; /* readable memory ends at a multiple of this */
    size_t length = 0;
    if (text == NULL)
        return SPEC_LENGTH_UNKNOWN;
    while (length < limit) {
        size_t n = page - (uintptr_t)(text + length) % page;
        n = n < limit - length ? n : limit - length;
        if (!is_readable(state, text + length, n))
            return length > 0 ? (int64_t)length : SPEC_LENGTH_UNKNOWN;
        size_t part = strnlen(text + length, n);
        length += part;
        if (part < n)
            break;
    }
    return (int64_t)length;
}

/* Returns the characters of `count` texts in `size` bytes. Each text follows the NUL of the one before. */
static int64_t texts_length(const struct spec_state *state, const char *texts, int64_t count, int64_t size)
{
    int64_t length = 0;
    for (int64_t i = 0; i < count; ++i) {
        int64_t start = i > 0 ? length + 1 : 0;
        if (start >= size)
            break;
        int64_t n = text_length(state, texts + start, (size_t)(size - start));
        if (n < 0)
            return i > 0 ? length : n;
        length = start + n;
    }
    return length;
}

static int64_t ask_driver(const struct spec_state *state, uint32_t pname)
{
    const struct spec_driver *d = state->driver;
    return d != NULL && d->get_integer != NULL ? d->get_integer(d->context, pname) : SPEC_LENGTH_UNKNOWN;
}

/* which: one of these calls; a[] contains its operands. */
static int64_t ask_parameter(const struct spec_driver *d, unsigned which, const int64_t *a)
{
    static const enum spec_query queries[] = {
        [LENGTH_CALL_map] = SPEC_QUERY_MAP,
        [LENGTH_CALL_color_table] = SPEC_QUERY_COLOR_TABLE,
        [LENGTH_CALL_convolution] = SPEC_QUERY_CONVOLUTION,
        [LENGTH_CALL_histogram] = SPEC_QUERY_HISTOGRAM,
        [LENGTH_CALL_program_arb] = SPEC_QUERY_PROGRAM_ARB,
        [LENGTH_CALL_program_nv] = SPEC_QUERY_PROGRAM_NV,
        [LENGTH_CALL_path] = SPEC_QUERY_PATH,
    };
    return d != NULL && d->get_parameter != NULL
               ? d->get_parameter(d->context, queries[which], (uint32_t)a[0], (uint32_t)a[1])
               : SPEC_LENGTH_UNKNOWN;
}

static bool look_up(const struct evaluation *e, unsigned index, int64_t key, int64_t *out)
{
    const struct length_table *table = &spec_length_tables[index];
    size_t low = 0, high = table->entry_count;
    *out = table->otherwise;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct length_count *entry = &spec_length_counts[table->entries + middle];
        if (entry->value == key) {
            *out = entry->get != 0 ? ask_driver(e->state, entry->get) : entry->count;
            break;
        }
        if (key < entry->value)
            high = middle;
        else
            low = middle + 1;
    }
    return *out >= 0;
}

/* Returns the number of elements of an attribute list: key, value, …, terminator. */
static bool attribs_length(const struct evaluation *e, int64_t *out)
{
    union spec_arg key;
    for (int64_t n = 0; n < SPEC_MAX_ATTRIBS && load(e->state, e->param->type, e->pointer, n, &key);) {
        unsigned width = spec_attrib_width(e->param, key.i);
        n += width;
        if (width == 1 && key.i == spec_length_code[e->param->length + 2]) {
            *out = n;
            return true;
        }
    }
    return false;
}

unsigned spec_attrib_width(const struct spec_param *p, int64_t key)
{
    const uint16_t *code = spec_length_code + p->length; /* ATTRIBS, count, terminator, keys… */
    for (unsigned i = 0; i < code[1]; ++i)
        if (code[2 + i] == key)
            return 1;
    return 2;
}

/* Returns the size of an image in bytes; a[] contains the operands of one of the four image calls. */
static int64_t image_size(const struct evaluation *e, unsigned which, const int64_t *a)
{
    bool packed = which == LENGTH_CALL_packed_image || which == LENGTH_CALL_packed_volume;
    struct spec_pixel_store store = packed ? e->state->pack : e->state->unpack;
    bool has_depth = which == LENGTH_CALL_volume || which == LENGTH_CALL_packed_volume;
    if (!has_depth)
        store.skip_images = store.image_height = 0;
    return spec_image_size((uint32_t)a[0], (uint32_t)a[1], a[2], a[3], has_depth ? a[4] : 1, &store);
}

/* Only images of which a part is read depend on how blocks are stored, which the driver knows. */
static int64_t compressed_size(const struct evaluation *e, const int64_t *a)
{
    const struct spec_pixel_store *s = &e->state->unpack;
    struct spec_block_store block = {0, 0, 0, 0};
    if (a[0] > 0 && (s->row_length | s->image_height | s->skip_rows | s->skip_pixels | s->skip_images) != 0)
        block = (struct spec_block_store){.size = ask_driver(e->state, GL_UNPACK_COMPRESSED_BLOCK_SIZE),
                                          .width = ask_driver(e->state, GL_UNPACK_COMPRESSED_BLOCK_WIDTH),
                                          .height = ask_driver(e->state, GL_UNPACK_COMPRESSED_BLOCK_HEIGHT),
                                          .depth = ask_driver(e->state, GL_UNPACK_COMPRESSED_BLOCK_DEPTH)};
    return block.size > 0 ? spec_compressed_size(a[0], a + 1, s, &block) : a[0];
}

/* Runs a call; its operands are on the stack, first one deepest. */
static bool call(struct evaluation *e, unsigned which, int64_t *out)
{
    static const uint8_t operands[] = {
#define X(name, count) count,
        LENGTH_CALLS(X)
#undef X
    };
    const struct spec_driver *d = e->state->driver;
    e->depth -= operands[which];
    const int64_t *a = e->stack + e->depth;
    *out = SPEC_LENGTH_UNKNOWN;
    switch (which) {
    case LENGTH_CALL_image:
    case LENGTH_CALL_volume:
    case LENGTH_CALL_packed_image:
    case LENGTH_CALL_packed_volume:
        *out = image_size(e, which, a);
        break;
    case LENGTH_CALL_compressed:
        *out = compressed_size(e, a);
        break;
    case LENGTH_CALL_pixel:
        *out = spec_pixel_size((uint32_t)a[0], (uint32_t)a[1]);
        break;
    case LENGTH_CALL_strlen:
        *out = text_length(e->state, e->pointer, SPEC_MAX_STRING);
        break;
    case LENGTH_CALL_texts:
        e->has_texts = true;
        *out = texts_length(e->state, e->pointer, a[0], a[1]);
        break;
    case LENGTH_CALL_get:
        *out = ask_driver(e->state, (uint32_t)a[0]);
        break;
    case LENGTH_CALL_level:
        if (d != NULL && d->get_level != NULL)
            *out = d->get_level(d->context, (uint32_t)a[0], (int32_t)a[1], (uint32_t)a[2]);
        break;
    case LENGTH_CALL_texture_level:
    case LENGTH_CALL_unit_level:
        if (d != NULL && d->get_named_level != NULL)
            *out = d->get_named_level(d->context, which == LENGTH_CALL_unit_level, (uint32_t)a[0],
                                      (uint32_t)a[1], (int32_t)a[2], (uint32_t)a[3]);
        break;
    case LENGTH_CALL_map:
    case LENGTH_CALL_color_table:
    case LENGTH_CALL_convolution:
    case LENGTH_CALL_histogram:
    case LENGTH_CALL_program_arb:
    case LENGTH_CALL_program_nv:
    case LENGTH_CALL_path:
        *out = ask_parameter(d, which, a);
        break;
    case LENGTH_CALL_named_program:
        if (d != NULL && d->get_named_program != NULL)
            *out = d->get_named_program(d->context, (uint32_t)a[0], (uint32_t)a[1], (uint32_t)a[2]);
        break;
    case LENGTH_CALL_uniform:
        if (d != NULL && d->get_uniform_size != NULL)
            *out = d->get_uniform_size(d->context, (uint32_t)a[0], (int32_t)a[1]);
        break;
    }
    return *out >= 0;
}

static bool arithmetic(unsigned op, int64_t a, int64_t b, int64_t *out)
{
    switch (op) {
    case LENGTH_ADD:
        return !__builtin_add_overflow(a, b, out);
    case LENGTH_SUB:
        return !__builtin_sub_overflow(a, b, out);
    case LENGTH_MUL:
        return !__builtin_mul_overflow(a, b, out);
    case LENGTH_DIV:
        if (b == 0 || (b == -1 && a == INT64_MIN))
            return false;
        *out = a / b;
        return true;
    case LENGTH_EQ:
        *out = a == b;
        return true;
    case LENGTH_NE:
        *out = a != b;
        return true;
    case LENGTH_LT:
        *out = a < b;
        return true;
    case LENGTH_MAX:
        *out = a > b ? a : b;
        return true;
    case LENGTH_MIN:
        *out = a < b ? a : b;
        return true;
    }
    return false;
}

/* Runs the instruction at code[0], which pushes a value, and advances *code. Returns false if the result is
 * unknown. */
static bool push_operand(struct evaluation *e, const uint16_t **code)
{
    const uint16_t *c = *code;
    int64_t value = 0;
    bool known = true;
    *code += 2;
    switch (c[0]) {
    case LENGTH_CONST:
        value = (int32_t)((uint32_t)c[1] | (uint32_t)c[2] << 16);
        *code += 1;
        break;
    case LENGTH_ARG:
        value = e->args[c[1]].i;
        break;
    case LENGTH_LOAD:
        known = load_element(e, c[1], (int64_t)e->element, &value);
        break;
    case LENGTH_ELEMENT:
        known = load_element(e, c[1], e->stack[--e->depth], &value);
        break;
    case LENGTH_PRESENT:
        value = e->args[c[1]].p != NULL;
        break;
    case LENGTH_STATE:
        value = state_value(e->state, c[1]);
        break;
    case LENGTH_RESULT:
        known = e->ret != NULL;
        value = known ? e->ret->i : 0;
        *code -= 1;
        break;
    case LENGTH_LOOKUP:
        known = look_up(e, c[1], e->stack[--e->depth], &value);
        break;
    case LENGTH_CALL:
        known = call(e, c[1], &value);
        break;
    case LENGTH_ATTRIBS:
        known = attribs_length(e, &value);
        *code += c[1];
        break;
    default:
        return false;
    }
    e->stack[e->depth++] = value;
    return known;
}

/* program: offset in spec_length_code. */
static int64_t run(struct evaluation *e, unsigned program)
{
    const uint16_t *c = spec_length_code + program;
    for (;;) {
        switch (*c) {
        case LENGTH_END:
            return e->stack[0] > 0 ? e->stack[0]
                                   : 0; /* a negative count is an error of the caller: nothing is read */
        case LENGTH_OFFSET:
            return SPEC_LENGTH_OFFSET;
        case LENGTH_UNKNOWN:
            return SPEC_LENGTH_UNKNOWN;
        case LENGTH_JUMP_IF_ZERO:
            c += e->stack[--e->depth] == 0 ? 2 + c[1] : 2;
            break;
        case LENGTH_JUMP:
            c += 2 + c[1];
            break;
        case LENGTH_ADD:
        case LENGTH_SUB:
        case LENGTH_MUL:
        case LENGTH_DIV:
        case LENGTH_EQ:
        case LENGTH_NE:
        case LENGTH_LT:
        case LENGTH_MAX:
        case LENGTH_MIN:
            e->depth--;
            if (!arithmetic(*c, e->stack[e->depth - 1], e->stack[e->depth], &e->stack[e->depth - 1]))
                return SPEC_LENGTH_UNKNOWN;
            c++;
            break;
        default:
            if (!push_operand(e, &c))
                return SPEC_LENGTH_UNKNOWN;
        }
    }
}

/* Returns the length of a string that was written into a buffer of this many characters. */
static int64_t text_within(const struct spec_param *param, const void *text, int64_t limit,
                           const struct spec_state *state)
{
    bool is_output = param->form == SPEC_FORM_STRING && (param->flags & SPEC_PARAM_OUT) != 0;
    return is_output && text != NULL && limit > 0 ? text_length(state, text, (size_t)limit) : limit;
}

/* Runs the program of param. The stack is not initialised, because that would cost more than most programs.
 */
static int64_t evaluate(const struct spec_function *f, const union spec_arg *args, const union spec_arg *ret,
                        const struct spec_param *param, const void *pointer, const struct spec_state *state)
{
    const uint16_t *code = spec_length_code + param->length;
    if (code[0] == LENGTH_CONST && code[3] == LENGTH_END)
        return text_within(param, pointer, (int32_t)((uint32_t)code[1] | (uint32_t)code[2] << 16), state);
    if (code[0] == LENGTH_ARG && code[2] == LENGTH_END)
        return text_within(param, pointer, args[code[1]].i > 0 ? args[code[1]].i : 0, state);
    struct evaluation e;
    e.f = f;
    e.args = args;
    e.param = param;
    e.ret = ret;
    e.pointer = pointer;
    e.state = state;
    e.element = 0;
    e.has_texts = false;
    e.depth = 0;
    int64_t n = run(&e, param->length);
    return e.has_texts ? n : text_within(param, pointer, n, state);
}

static int64_t length_of(const struct spec_function *f, const union spec_arg *args, const union spec_arg *ret,
                         const struct spec_param *param, const void *pointer, const struct spec_state *state)
{
    if (param->length == SPEC_NO_INDEX) {
        if (param->form == SPEC_FORM_STRUCT)
            return pointer != NULL;
        return param->form == SPEC_FORM_STRING ? text_length(state, pointer, SPEC_MAX_STRING)
                                               : SPEC_LENGTH_UNKNOWN;
    }
    int64_t n = evaluate(f, args, ret, param, pointer, state);
    return pointer == NULL && n > 0 ? 0 : n;
}

int64_t spec_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                    const struct spec_state *state)
{
    return length_of(f, args, NULL, spec_param(f, index), args[index].p, state);
}

int64_t spec_output_length(const struct spec_function *f, const union spec_arg *args,
                           const union spec_arg *ret, unsigned index, const struct spec_state *state)
{
    return length_of(f, args, ret, spec_param(f, index), args[index].p, state);
}

int64_t spec_return_length(const struct spec_function *f, const union spec_arg *args,
                           const union spec_arg *ret, const struct spec_state *state)
{
    return length_of(f, args, ret, &f->ret, ret->p, state);
}

int64_t spec_string_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                           size_t element, const char *string, const struct spec_state *state)
{
    const struct spec_param *p = spec_param(f, index);
    union spec_arg length = {.i = -1};
    if (string == NULL)
        return SPEC_LENGTH_UNKNOWN;
    if (p->key != SPEC_NO_INDEX && args[p->key].p != NULL &&
        !load(state, spec_param(f, p->key)->type, args[p->key].p, (int64_t)element, &length))
        return SPEC_LENGTH_UNKNOWN;
    return length.i >= 0 ? length.i : text_length(state, string, SPEC_MAX_STRING);
}

int64_t spec_item_length(const struct spec_function *f, const union spec_arg *args, unsigned index,
                         size_t element, const struct spec_state *state)
{
    const struct spec_param *p = spec_param(f, index);
    struct evaluation e;
    e.f = f;
    e.args = args;
    e.param = p;
    e.ret = NULL;
    e.pointer = args[index].p;
    e.state = state;
    e.element = element;
    e.has_texts = false;
    e.depth = 0;
    return p->items != SPEC_NO_INDEX ? run(&e, p->items) : SPEC_LENGTH_UNKNOWN;
}
