/* SPDX-License-Identifier: MIT
 * This is the code that serialises an argument: record_encode_argument() -> record_encode_scalar() or
 * record_encode_payload().
 */
#include "records/record_values.h"

#include "base/error.h"
#include "records/record.h"
#include "runtime/length.h"
#include "formats/apitrace/scalar_values.h"

#include <stdlib.h>

bool record_take(struct record_cursor *c, void *out, size_t size)
{
    if ((size_t)(c->end - c->at) < size)
        return false;
    if (size > 0)
        memcpy(out, c->at, size);
    c->at += size;
    return true;
}

bool record_take_words(struct record_cursor *c, unsigned count, const union spec_arg **out)
{
    if ((size_t)(c->end - c->at) < count * sizeof **out)
        return false;
    *out = (const union spec_arg *)(const void *)c->at;
    if (count > 0)
        c->at += count * sizeof **out;
    return true;
}

/* count elements of size bytes, lent from the record; NULL when they do not fit. */
static const uint8_t *take_elements(struct record_cursor *c, int64_t count, size_t size)
{
    uint64_t left = (uint64_t)(c->end - c->at);
    if (count < 0 || (uint64_t)count > left / size)
        return NULL;
    const uint8_t *p = c->at;
    uint64_t padded = RECORD_PAD((uint64_t)count * size);
    c->at += padded < left ? padded : left;
    return p;
}

/* Signatures: built from the tables where a group or struct first occurs. */

/* struct trace_enum_name and struct trace_flag_name have the same members. */
_Static_assert(sizeof(struct trace_flag_name) == sizeof(struct trace_enum_name) &&
                   offsetof(struct trace_flag_name, name) == offsetof(struct trace_enum_name, name) &&
                   offsetof(struct trace_flag_name, value) == offsetof(struct trace_enum_name, value),
               "a group's names serve enums and bitmasks");

/* The names of a group; NULL after noting the failure. */
static struct trace_enum_name *group_names(struct record_values *values, const struct spec_group *g)
{
    struct trace_enum_name *names = malloc((g->count + 1u) * sizeof *names);
    if (names == NULL) {
        values->events.failed = true;
        return NULL;
    }
    for (unsigned i = 0; i < g->count; ++i) {
        const struct spec_enum_value *v = spec_group_name(g, i);
        names[i] = (struct trace_enum_name){.name = spec_string(v->name), .value = v->value};
    }
    return names;
}

static const struct trace_enum_sig *enum_sig(struct record_values *values, unsigned group)
{
    const struct spec_group *g = &spec_groups[group];
    struct trace_enum_sig *sig = &values->enums[group];
    if (sig->names == NULL) {
        const struct trace_enum_name *names = group_names(values, g);
        *sig = (struct trace_enum_sig){group, names != NULL ? g->count : 0, names};
    }
    return sig;
}

static const struct trace_bitmask_sig *bitmask_sig(struct record_values *values, unsigned group)
{
    const struct spec_group *g = &spec_groups[group];
    struct trace_bitmask_sig *sig = &values->bitmasks[group];
    if (sig->flags == NULL) {
        const struct trace_flag_name *flags = (const void *)group_names(values, g);
        *sig = (struct trace_bitmask_sig){group, flags != NULL ? g->count : 0, flags};
    }
    return sig;
}

static const struct trace_struct_sig *struct_sig(struct record_values *values, unsigned index)
{
    const struct spec_struct *s = &spec_structs[index];
    struct trace_struct_sig *sig = &values->structs[index];
    if (sig->name == NULL) {
        const char **names = malloc((s->count + 1u) * sizeof *names);
        if (names == NULL) {
            values->events.failed = true;
            static const struct trace_struct_sig none = {.name = ""};
            return &none;
        }
        for (unsigned i = 0; i < s->count; ++i)
            names[i] = spec_string(spec_members[s->members + i].name);
        *sig = (struct trace_struct_sig){index, spec_string(s->name), s->count, names};
    }
    return sig;
}

/* What names a value in parameter p: glTexParameterf() takes the same names as glTexParameteri(). A fraction,
 * or what is out of range, is -1, which names nothing. */
static int64_t name_of(const struct spec_param *p, union spec_arg v)
{
    if (p->type != SPEC_F32 && p->type != SPEC_F64)
        return v.i;
    double value = p->type == SPEC_F32 ? (double)v.f32 : v.f64;
    if (!(value >= 0 && value <= UINT32_MAX) || value != (double)(uint32_t)value)
        return -1;
    return (uint32_t)value;
}

/* How a scalar is shown. */
struct symbol {
    const struct spec_group *group; /* NULL: as a number */
    bool bitmask;
    int64_t value;
};

/* By the value that selects: a pname, or the key in an attribute list. */
static struct symbol selected_symbol(const struct spec_param *p, int64_t selector, union spec_arg v)
{
    struct symbol s = {.value = name_of(p, v)};
    s.group = spec_symbol_group(p, selector, s.value);
    s.bitmask = s.group != NULL && s.group->bitmask;
    return s;
}

/* A value outside its parameter's group (a newer extension's, or a wrong one) is named from the group of all
 * that GL has; those of GLX and EGL are other enums, whose numbers mean other things. */
static const struct spec_group *enum_group(unsigned group, int64_t value)
{
    const char *name = spec_string(spec_group_name(&spec_groups[group], 0)->name);
    bool is_foreign =
        name != NULL && strncmp(name, "GL_", 3) == 0 && !spec_group_has(&spec_groups[group], value);
    return &spec_groups[is_foreign ? 0 : group];
}

static struct symbol symbol_of(const struct spec_param *p, int64_t selector, union spec_arg v)
{
    struct symbol s = {.group = NULL};
    if (p->selector != SPEC_NO_INDEX)
        s = selected_symbol(p, selector, v);
    if (s.group != NULL || p->group >= spec_group_count)
        return s;
    if ((p->flags & SPEC_PARAM_ENUM) != 0)
        return (struct symbol){enum_group(p->group, v.i), false, v.i};
    if ((p->flags & SPEC_PARAM_BITMASK) != 0)
        return (struct symbol){&spec_groups[p->group], true, v.i};
    return s;
}

/* True if the value is shown by name. */
static bool encode_symbol(struct record_values *values, const struct symbol *s)
{
    if (s->group == NULL)
        return false;
    unsigned group = (unsigned)(s->group - spec_groups);
    if (s->bitmask)
        trace_encode_bitmask(&values->events, bitmask_sig(values, group), (uint64_t)s->value);
    else
        trace_encode_enum(&values->events, enum_sig(values, group), s->value);
    return true;
}

#define SCALAR_ARGUMENT_BYTES (2 * TRACE_SCALAR_BYTES) /* which argument it is, and its value, at most */

/* A value without a signature. */
static uint8_t *put_scalar(uint8_t *p, const struct spec_param *param, union spec_arg v)
{
    switch (param->form == SPEC_FORM_OPAQUE ? SPEC_PTR : (enum spec_type)param->type) {
    case SPEC_I8:
    case SPEC_I16:
    case SPEC_I32:
    case SPEC_I64:
    case SPEC_IPTR:
        return trace_put_sint(p, v.i);
    case SPEC_F32:
        return trace_put_float(p, &v.f32);
    case SPEC_F64:
        return trace_put_double(p, v.f64);
    case SPEC_PTR:
        return trace_put_opaque(p, v.u);
    default:
        return trace_put_uint(p, v.u);
    }
}

static void encode_scalar(struct record_values *values, const struct spec_param *param, union spec_arg v)
{
    struct buf *out = values->events.out;
    if (buf_reserve(out, SCALAR_ARGUMENT_BYTES) != 0) {
        values->events.failed = true;
        return;
    }
    uint8_t *p = out->data + out->len;
    out->len += (size_t)(put_scalar(p, param, v) - p);
}

void record_encode_scalar(struct record_values *values, const struct spec_param *p, union spec_arg v)
{
    const struct symbol s = symbol_of(p, values->selector, v);
    if (!encode_symbol(values, &s))
        encode_scalar(values, p, v);
}

size_t record_put_symbol(const struct record_values *values, const struct spec_param *param, int64_t selector,
                         union spec_arg v, uint8_t *out)
{
    const struct symbol s = symbol_of(param, selector, v);
    if (s.group == NULL)
        return (size_t)(put_scalar(out, param, v) - out);
    uint32_t id = (uint32_t)(s.group - spec_groups);
    if (!trace_id_set_has(s.bitmask ? &values->events.bitmasks : &values->events.enums, id))
        return 0;
    uint8_t *p = trace_put_tagged(out, s.bitmask ? TRACE_BITMASK : TRACE_ENUM, id);
    p = s.bitmask ? p + varint_put(p, (uint64_t)s.value) : trace_put_sint(p, s.value);
    return (size_t)(p - out);
}

int record_bad(void)
{
    return trace_error_set(TRACE_ERR_FORMAT, "a capture record does not fit its function");
}

/* Stands in for a value that the record does not hold, so that the event stays well-formed. */
static int bad_value(struct record_values *values)
{
    trace_encode_null(&values->events);
    return record_bad();
}

/* Of an attribute list: a value, or a key that the list's group does not have, such as the 0 that ends it. */
static void encode_listed(struct record_values *values, const struct spec_param *p, bool is_value,
                          int64_t key, union spec_arg v)
{
    struct symbol s = {.group = NULL};
    if (is_value && p->symbols != SPEC_NO_INDEX)
        s = selected_symbol(p, key, v);
    if (!encode_symbol(values, &s))
        trace_encode_sint(&values->events, v.i);
}

void record_encode_elements(struct record_values *values, const struct spec_param *p,
                            struct record_list_place *place, const uint8_t *elements, uint64_t count)
{
    enum spec_type type = spec_fixed_type(p->type, values->abi);
    if (p->type == SPEC_F32 && p->selector == SPEC_NO_INDEX) {
        trace_encode_floats(&values->events, elements, count);
        return;
    }
    bool attributes = (p->flags & SPEC_PARAM_ATTRIBS) != 0, is_value = place->is_value;
    union spec_arg v = {.i = place->last};
    for (uint64_t i = 0; i < count; ++i) {
        int64_t key = v.i;
        spec_load(type, elements, (size_t)i, &v);
        if (!attributes || (!is_value && spec_group_has(&spec_groups[p->group], v.i)))
            record_encode_scalar(values, p, v);
        else
            encode_listed(values, p, is_value, key, v);
        is_value = attributes && !is_value && spec_attrib_width(p, v.i) == 2;
    }
    *place = (struct record_list_place){v.i, is_value};
}

static int encode_array(struct record_values *values, const struct spec_param *p, struct record_cursor *c,
                        int64_t count)
{
    size_t size = spec_type_size(spec_fixed_type(p->type, values->abi));
    const uint8_t *elements = size > 0 ? take_elements(c, count, size) : NULL;
    struct record_list_place place = {.last = 0};
    if (elements == NULL)
        return bad_value(values);
    trace_encode_array(&values->events, (uint64_t)count);
    record_encode_elements(values, p, &place, elements, (uint64_t)count);
    return 0;
}

static int encode_text(struct record_values *values, struct record_cursor *c, int64_t count, bool blob)
{
    const uint8_t *bytes = take_elements(c, count, 1);
    if (bytes == NULL)
        return bad_value(values);
    if (blob)
        trace_encode_blob(&values->events, bytes, (uint64_t)count);
    else
        trace_encode_string(&values->events, (const char *)bytes, (uint64_t)count);
    return 0;
}

/* One of several strings or blobs. */
static int encode_item(struct record_values *values, struct record_cursor *c, bool blob)
{
    int64_t count;
    uint64_t address;
    if (!record_take(c, &count, sizeof count))
        return bad_value(values);
    if (count == PAYLOAD_NULL) {
        trace_encode_null(&values->events);
        return 0;
    }
    if (count != PAYLOAD_OPAQUE)
        return encode_text(values, c, count, blob);
    if (!record_take(c, &address, sizeof address))
        return bad_value(values);
    trace_encode_opaque(&values->events, address);
    return 0;
}

static int encode_items(struct record_values *values, struct record_cursor *c, int64_t count, bool blobs)
{
    if (count > (c->end - c->at) / (int64_t)sizeof count)
        return bad_value(values);
    int rc = 0;
    trace_encode_array(&values->events, (uint64_t)count);
    for (int64_t i = 0; i < count; ++i)
        if (encode_item(values, c, blobs) != 0)
            rc = TRACE_ERR_FORMAT;
    return rc;
}

/* A pointer to a struct reads as an array of one, as apitrace writes it. */
void record_encode_struct(struct record_values *values, unsigned index, const uint8_t *bytes)
{
    const struct spec_struct *s = &spec_structs[index];
    trace_encode_array(&values->events, 1);
    trace_encode_struct(&values->events, struct_sig(values, index));
    for (unsigned i = 0; i < s->count; ++i) {
        const struct spec_member *m = &spec_members[s->members + i];
        const struct spec_param member = {
            .type = m->type, .group = SPEC_NO_INDEX, .symbols = SPEC_NO_INDEX, .selector = SPEC_NO_INDEX};
        union spec_arg v;
        spec_load(spec_fixed_type(m->type, values->abi), bytes + m->offsets[values->abi], 0, &v);
        record_encode_scalar(values, &member, v);
    }
}

static int encode_struct(struct record_values *values, const struct spec_param *p, struct record_cursor *c)
{
    const uint8_t *bytes =
        p->group < spec_struct_count ? take_elements(c, 1, spec_structs[p->group].sizes[values->abi]) : NULL;
    if (bytes == NULL)
        return bad_value(values);
    record_encode_struct(values, p->group, bytes);
    return 0;
}

int record_encode_payload(struct record_values *values, const struct spec_param *p, struct record_cursor *c)
{
    int64_t count;
    uint64_t word;
    if (!record_take(c, &count, sizeof count))
        return bad_value(values);
    if (count == PAYLOAD_NULL) {
        trace_encode_null(&values->events);
        return 0;
    }
    if (count == PAYLOAD_OPAQUE) {
        if (!record_take(c, &word, sizeof word))
            return bad_value(values);
        trace_encode_opaque(&values->events, word);
        return 0;
    }
    if (count < 0)
        return bad_value(values);
    switch ((enum spec_form)p->form) {
    case SPEC_FORM_ARRAY:
        return encode_array(values, p, c, count);
    case SPEC_FORM_BLOB:
        return encode_text(values, c, count, true);
    case SPEC_FORM_STRING:
        return encode_text(values, c, count, false);
    case SPEC_FORM_STRINGS:
        return encode_items(values, c, count, false);
    case SPEC_FORM_BLOBS:
        return encode_items(values, c, count, true);
    case SPEC_FORM_STRUCT:
        return encode_struct(values, p, c);
    default:
        return bad_value(values);
    }
}

bool record_is_scalar(const struct spec_param *p)
{
    return p->form == SPEC_FORM_VALUE || p->form == SPEC_FORM_OPAQUE;
}

bool record_returns_nothing(const struct spec_function *f)
{
    return f->ret.type == SPEC_VOID && f->ret.form == SPEC_FORM_VALUE;
}

int record_encode_argument(struct record_values *values, const struct spec_function *f, unsigned index,
                           union spec_arg v, struct record_cursor *c)
{
    const struct spec_param *p = spec_param(f, index);
    trace_encode_arg(&values->events, index);
    if (!record_is_scalar(p))
        return record_encode_payload(values, p, c);
    if (p->form == SPEC_FORM_OPAQUE)
        encode_scalar(values, p, v);
    else
        record_encode_scalar(values, p, v);
    return 0;
}

/* Where to write so many scalar arguments; NULL after noting the failure. */
static uint8_t *reserve_arguments(struct record_values *values, unsigned count)
{
    struct buf *out = values->events.out;
    if (buf_reserve(out, count * (size_t)SCALAR_ARGUMENT_BYTES) == 0)
        return out->data + out->len;
    values->events.failed = true;
    return NULL;
}

void record_encode_scalar_arguments(struct record_values *values, const struct spec_function *f,
                                    const union spec_arg *args)
{
    struct buf *out = values->events.out;
    uint8_t *p = reserve_arguments(values, f->param_count);
    for (unsigned i = 0; i < f->param_count && p != NULL; ++i) {
        const struct spec_param *param = spec_param(f, i);
        p = trace_put_argument(p, i);
        bool symbolic =
            (param->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK)) != 0 || param->selector != SPEC_NO_INDEX;
        if (!symbolic || param->form == SPEC_FORM_OPAQUE) {
            p = put_scalar(p, param, args[i]);
            continue;
        }
        out->len = (size_t)(p - out->data);
        record_encode_scalar(values, param, args[i]);
        p = reserve_arguments(values, f->param_count - i);
    }
    if (p != NULL)
        out->len = (size_t)(p - out->data);
}

int record_values_init(struct record_values *values, struct buf *out)
{
    *values = (struct record_values){.abi = SPEC_ABI_OWN};
    trace_encoder_init(&values->events, out);
    values->enums = calloc(spec_group_count, sizeof *values->enums);
    values->bitmasks = calloc(spec_group_count, sizeof *values->bitmasks);
    values->structs = calloc(spec_struct_count + 1u, sizeof *values->structs);
    if (values->enums != NULL && values->bitmasks != NULL && values->structs != NULL)
        return 0;
    record_values_fini(values);
    return trace_error_set(TRACE_ERR_MEMORY, "out of memory: signature tables");
}

void record_values_fini(struct record_values *values)
{
    for (unsigned i = 0; values->structs != NULL && i < spec_struct_count; ++i)
        free((void *)values->structs[i].members);
    for (unsigned i = 0; values->enums != NULL && i < spec_group_count; ++i)
        free((void *)values->enums[i].names);
    for (unsigned i = 0; values->bitmasks != NULL && i < spec_group_count; ++i)
        free((void *)values->bitmasks[i].flags);
    free(values->enums);
    free(values->bitmasks);
    free(values->structs);
    trace_encoder_fini(&values->events);
    *values = (struct record_values){.selector = 0};
}
