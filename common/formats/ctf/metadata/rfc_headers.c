/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/rfc_headers.h"

#include "base/error.h"
#include "formats/ctf/metadata/rfc_types.h"

struct header_field {
    const char *name;
    uint8_t size;  /* bits */
    uint8_t role;  /* enum ctf_role */
    uint8_t align; /* bits; 0: the natural one */
};

/* Section 5, in which the last field has the name of the fifth. */
static const struct header_field packet_fields[] = {
    {"magic", 32, CTF_MAGIC, 0},
    {"session_id", 32, CTF_SESSION, 0},
    {"content_size", 32, CTF_CONTENT_SIZE, 0},
    {"packet_size", 32, CTF_PACKET_SIZE, 0},
    {"checksum", 32, CTF_CHECKSUM, 0},
    {"section_packet_count", 32, CTF_SEQUENCE_NUMBER, 0},
    {"timestamp_begin", 64, CTF_BEGIN_TIME, 0},
    {"timestamp_end", 64, CTF_END_TIME, 0},
    {"events_discarded", 32, CTF_DISCARDED_EVENTS, 0},
    {"section_packet_count_bits", 8, CTF_SEQUENCE_BITS, 0},
    {"compression_scheme", 8, CTF_COMPRESSION, 0},
    {"encryption_scheme", 8, CTF_ENCRYPTION, 0},
    {"checksum_scheme", 8, CTF_CHECKSUM_SCHEME, 0},
};
/* Section 6.1.1: the id occupies the low bits of a little-endian word, and the high ones of a big-endian. */
static const struct header_field type1_fields[] = {{"id", 5, CTF_EVENT_CLASS_ID, 32},
                                                   {"timestamp", 27, CTF_TIMESTAMP, 1}};
/* Section 6.1.2 has no alignment between the two, because 96 bits follow a word without a hole. */
static const struct header_field type1_extension[] = {{"id", 32, CTF_EVENT_CLASS_ID, 32},
                                                      {"timestamp", 64, CTF_TIMESTAMP, 32}};
static const struct header_field type2_fields[] = {{"timestamp", 32, CTF_TIMESTAMP, 32},
                                                   {"id", 16, CTF_EVENT_CLASS_ID, 16}};
static const struct header_field type2_extension[] = {{"timestamp", 64, CTF_TIMESTAMP, 64},
                                                      {"id", 32, CTF_EVENT_CLASS_ID, 32}};

static bool is_time(uint8_t role)
{
    return role == CTF_BEGIN_TIME || role == CTF_END_TIME || role == CTF_TIMESTAMP;
}

static int fill_members(struct ctf_trace *trace, const struct header_field *fields, size_t count,
                        struct ctf_member *out)
{
    for (size_t i = 0; i < count; ++i) {
        struct ctf_class *type = rfc_type_new_unsigned(trace, fields[i].size);
        if (type == NULL)
            return TRACE_ERR_MEMORY;
        if (fields[i].align == 1 || (fields[i].align > 1 && !trace->is_byte_packed))
            type->align = fields[i].align;
        type->u.integer.role = fields[i].role;
        if (is_time(fields[i].role) && trace->clock_count > 0)
            type->u.integer.clock = trace->clocks[0];
        out[i] = (struct ctf_member){.name = fields[i].name, .written = fields[i].name, .type = type};
    }
    return 0;
}

static struct ctf_class *make_struct(struct ctf_trace *trace, const struct ctf_member *members, size_t count)
{
    struct ctf_class *made = ctf_trace_new_class(trace, CTF_STRUCT, 1);
    if (made == NULL || ctf_struct_set_members(trace, made, members, count) != 0)
        return NULL;
    return made;
}

int rfc_set_packet_header(struct ctf_trace *trace)
{
    enum { COUNT = sizeof packet_fields / sizeof *packet_fields };
    struct ctf_member members[COUNT];
    int rc = fill_members(trace, packet_fields, COUNT, members);
    if (rc == 0 && (trace->packet_header = make_struct(trace, members, COUNT)) == NULL)
        rc = TRACE_ERR_MEMORY;
    return rc;
}

/* A structure that is only there if the id has its reserved value. */
static struct ctf_class *make_extension(struct ctf_trace *trace, const struct header_field *fields,
                                        uint64_t reserved)
{
    static const char *const selector[] = {"id"};
    struct ctf_range range = {reserved, reserved};
    struct ctf_member members[2];
    struct ctf_class *made = ctf_trace_new_class(trace, CTF_OPTIONAL, 1);
    const struct ctf_class *part;
    if (made == NULL || fill_members(trace, fields, 2, members) != 0 ||
        (part = make_struct(trace, members, 2)) == NULL)
        return NULL;
    made->u.optional.selector = (struct ctf_reference){.scope = CTF_NO_SCOPE, .count = 1, .names = selector};
    made->u.optional.range_count = 1;
    made->u.optional.ranges = arena_copy(&trace->arena, &range, sizeof range);
    made->u.optional.type = part;
    return made->u.optional.ranges != NULL ? made : NULL;
}

int rfc_make_event_header(struct ctf_trace *trace, unsigned type, const struct ctf_class **out)
{
    struct ctf_member members[3];
    struct ctf_class *extension = type == 1 ? make_extension(trace, type1_extension, 31)
                                            : make_extension(trace, type2_extension, 65535);
    int rc = fill_members(trace, type == 1 ? type1_fields : type2_fields, 2, members);
    if (rc != 0 || extension == NULL)
        return TRACE_ERR_MEMORY;
    members[2] = (struct ctf_member){.name = "extension", .written = "extension", .type = extension};
    *out = make_struct(trace, members, 3);
    return *out != NULL ? 0 : TRACE_ERR_MEMORY;
}
