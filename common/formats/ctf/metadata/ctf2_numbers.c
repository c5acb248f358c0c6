/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/ctf2_numbers.h"

#include "base/error.h"

/* --- ranges and names of values ---------------------------------------------------------------------- */

/* Numbers of 64 bits are signed if they have a minus sign. */
static bool is_below(const struct json_value *a, uint64_t a_bits, const struct json_value *b, uint64_t b_bits)
{
    bool a_negative = a->text[0] == '-' && a_bits != 0, b_negative = b->text[0] == '-' && b_bits != 0;
    return a_negative != b_negative ? a_negative : a_bits < b_bits;
}

static int take_range(struct ctf2_parser *p, const struct json_value *pair, struct ctf_range *out)
{
    if (pair->kind != JSON_ARRAY || pair->count != 2)
        return ctf2_fail(p, "a range of integers must be an array of two");
    int rc = ctf2_take_integer(p, &pair->items[0], &out->from);
    if (rc == 0)
        rc = ctf2_take_integer(p, &pair->items[1], &out->to);
    if (rc == 0 && is_below(&pair->items[1], out->to, &pair->items[0], out->from))
        rc = ctf2_fail(p, "the range [%s, %s] ends before it begins", pair->items[0].text,
                       pair->items[1].text);
    return rc;
}

int ctf2_take_ranges(struct ctf2_parser *p, const struct json_value *set, const struct ctf_range **out,
                     uint32_t *count)
{
    if (set->kind != JSON_ARRAY || set->count == 0)
        return ctf2_fail(p, "a set of ranges must be an array, and not empty");
    struct ctf_range *ranges = arena_alloc(&p->trace->arena, set->count * sizeof *ranges);
    int rc = ranges != NULL ? 0 : TRACE_ERR_MEMORY;
    for (size_t i = 0; rc == 0 && i < set->count; ++i)
        rc = take_range(p, &set->items[i], &ranges[i]);
    *out = ranges;
    *count = (uint32_t)set->count;
    return rc;
}

static size_t count_ranges(const struct json_value *names)
{
    size_t count = 0;
    for (size_t i = 0; i < names->count; ++i)
        count += names->members[i].value->kind == JSON_ARRAY ? names->members[i].value->count : 0;
    return count;
}

static int add_labels(struct ctf2_parser *p, const struct json_member *m, struct ctf_label *out)
{
    const char *name = ctf_trace_copy_text(p->trace, m->name, m->name_size);
    const struct ctf_range *ranges;
    uint32_t count;
    int rc = name != NULL ? ctf2_take_ranges(p, m->value, &ranges, &count) : TRACE_ERR_MEMORY;
    for (uint32_t i = 0; rc == 0 && i < count; ++i)
        out[i] = (struct ctf_label){name, ranges[i]};
    return rc;
}

/* An object whose properties are names, and their values sets of ranges. */
static int take_labels(struct ctf2_parser *p, const struct json_value *type, const char *property,
                       struct ctf_integer *out)
{
    const struct json_value *names;
    int rc = ctf2_take_object(p, type, property, JSON_OBJECT, CTF2_OPTIONAL, &names);
    if (rc != 0 || names == NULL || names->count == 0)
        return rc;
    struct ctf_label *labels = arena_alloc(&p->trace->arena, count_ranges(names) * sizeof *labels);
    if (labels == NULL)
        return TRACE_ERR_MEMORY;
    out->labels = labels;
    out->is_enum = true;
    for (size_t i = 0; rc == 0 && i < names->count; ++i) {
        rc = add_labels(p, &names->members[i], labels);
        labels += names->members[i].value->count;
    }
    out->label_count = (uint32_t)(labels - out->labels);
    return rc;
}

/* --- roles ----------------------------------------------------------------------------------------- */

struct role_name {
    const char *name;
    enum ctf_scope scope;
    enum ctf_role role;
};

static const struct role_name role_names[] = {
    {"packet-magic-number", CTF_PACKET_HEADER, CTF_MAGIC},
    {"metadata-stream-uuid", CTF_PACKET_HEADER, CTF_UUID},
    {"data-stream-class-id", CTF_PACKET_HEADER, CTF_STREAM_CLASS_ID},
    {"data-stream-id", CTF_PACKET_HEADER, CTF_STREAM_ID},
    {"packet-total-length", CTF_PACKET_CONTEXT, CTF_PACKET_SIZE},
    {"packet-content-length", CTF_PACKET_CONTEXT, CTF_CONTENT_SIZE},
    {"default-clock-timestamp", CTF_PACKET_CONTEXT, CTF_BEGIN_TIME},
    {"packet-end-default-clock-timestamp", CTF_PACKET_CONTEXT, CTF_END_TIME},
    {"discarded-event-record-counter-snapshot", CTF_PACKET_CONTEXT, CTF_DISCARDED_EVENTS},
    {"packet-sequence-number", CTF_PACKET_CONTEXT, CTF_SEQUENCE_NUMBER},
    {"default-clock-timestamp", CTF_EVENT_HEADER, CTF_TIMESTAMP},
    {"event-record-class-id", CTF_EVENT_HEADER, CTF_EVENT_CLASS_ID},
};

static uint8_t find_role_name(enum ctf_scope scope, const struct json_value *name)
{
    for (size_t i = 0; i < sizeof role_names / sizeof *role_names; ++i)
        if (role_names[i].scope == scope && ctf2_is(name, role_names[i].name))
            return (uint8_t)role_names[i].role;
    return CTF_NO_ROLE;
}

uint8_t ctf2_find_role(const struct ctf2_parser *p, const struct json_value *type)
{
    const struct json_value *roles = ctf2_find(type, "roles");
    uint8_t role = CTF_NO_ROLE;
    for (size_t i = 0; roles != NULL && roles->kind == JSON_ARRAY && role == CTF_NO_ROLE && i < roles->count;
         ++i)
        role = find_role_name(p->scope, &roles->items[i]);
    return role;
}

/* --- numbers --------------------------------------------------------------------------------------- */

static int take_order(struct ctf2_parser *p, const struct json_value *type, uint8_t *out)
{
    const struct json_value *order = ctf2_find(type, "byte-order");
    if (!ctf2_is(order, "big-endian") && !ctf2_is(order, "little-endian"))
        return ctf2_fail(p, "the property \"byte-order\" must be \"big-endian\" or \"little-endian\"");
    *out = ctf2_is(order, "big-endian") ? CTF_BIG_ENDIAN : CTF_LITTLE_ENDIAN;
    return 0;
}

/* By default, the first bit is the lowest one in little endian, and the highest one in big endian. */
static int take_bit_order(struct ctf2_parser *p, const struct json_value *type, uint8_t order,
                          bool *is_reversed)
{
    const struct json_value *bits = ctf2_find(type, "bit-order");
    bool is_last = ctf2_is(bits, "last-to-first");
    if (bits != NULL && !is_last && !ctf2_is(bits, "first-to-last"))
        return ctf2_fail(p, "the property \"bit-order\" must be \"first-to-last\" or \"last-to-first\"");
    *is_reversed = bits != NULL && is_last != (order == CTF_BIG_ENDIAN);
    return 0;
}

static int take_size(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out,
                     uint64_t most, uint64_t *size)
{
    int rc = ctf2_take_number(p, type, "length", CTF2_REQUIRED, most, size);
    if (rc == 0 && *size == 0)
        rc = ctf2_fail(p, "a number has no bits: \"length\" is 0");
    return rc == 0 ? ctf2_take_alignment(p, type, "alignment", &out->align) : rc;
}

static int take_base(struct ctf2_parser *p, const struct json_value *type, uint8_t usual, uint8_t *out)
{
    uint64_t base = usual;
    int rc = ctf2_take_number(p, type, "preferred-display-base", CTF2_OPTIONAL, 16, &base);
    if (rc == 0 && base != 2 && base != 8 && base != 10 && base != 16)
        rc = ctf2_fail(p, "the property \"preferred-display-base\" must be 2, 8, 10 or 16");
    *out = (uint8_t)base;
    return rc;
}

static int fill_fixed(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    struct ctf_integer *i = &out->u.integer;
    uint64_t size;
    int rc = take_size(p, type, out, 64, &size);
    if (rc == 0)
        rc = take_order(p, type, &i->order);
    if (rc == 0)
        rc = take_bit_order(p, type, i->order, &i->is_reversed);
    i->size = rc == 0 ? (uint8_t)size : 0;
    return rc;
}

int ctf2_fill_integer(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    struct ctf_integer *i = &out->u.integer;
    const char *name = ctf2_find(type, "type")->text;
    i->is_variable = strncmp(name, "variable-length-", 16) == 0;
    i->is_signed = strstr(name, "-signed-") != NULL;
    if (i->is_variable) {
        i->size = 64;
        out->align = 8;
    }
    int rc = i->is_variable ? 0 : fill_fixed(p, type, out);
    if (rc == 0)
        rc = take_base(p, type, out->kind == CTF_BITS ? 16 : 10, &i->base);
    if (rc == 0)
        rc = take_labels(p, type, out->kind == CTF_BITS ? "flags" : "mappings", i);
    i->role = i->is_signed ? (uint8_t)CTF_NO_ROLE : ctf2_find_role(p, type);
    return rc;
}

int ctf2_fill_float(struct ctf2_parser *p, const struct json_value *type, struct ctf_class *out)
{
    uint64_t size;
    int rc = take_size(p, type, out, UINT16_MAX, &size);
    if (rc == 0 && size != 16 && size != 32 && size != 64 && size != 128)
        rc = ctf2_fail(p, "a floating-point number of %u bits is not supported", (unsigned)size);
    if (rc == 0)
        rc = take_order(p, type, &out->u.real.order);
    if (rc == 0)
        rc = take_bit_order(p, type, out->u.real.order, &out->u.real.is_reversed);
    if (rc == 0)
        out->u.real.size = (uint8_t)size;
    return rc;
}
