/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/ctf_roles.h"

#include "base/error.h"

#define FIELDS_MAX 65536 /* a small text can declare a type of more fields than there is memory */

struct role_name {
    const char *name;
    enum ctf_role role;
};

static const struct role_name packet_header_names[] = {
    {"magic", CTF_MAGIC},
    {"uuid", CTF_UUID},
    {"stream_id", CTF_STREAM_CLASS_ID},
    {"stream_instance_id", CTF_STREAM_ID},
    {NULL, CTF_NO_ROLE},
};
static const struct role_name packet_context_names[] = {
    {"packet_size", CTF_PACKET_SIZE},
    {"content_size", CTF_CONTENT_SIZE},
    {"timestamp_begin", CTF_BEGIN_TIME},
    {"timestamp_end", CTF_END_TIME},
    {"events_discarded", CTF_DISCARDED_EVENTS},
    {"packet_seq_num", CTF_SEQUENCE_NUMBER},
    {"cpu_id", CTF_CPU},
    {NULL, CTF_NO_ROLE},
};
static const struct role_name event_header_names[] = {
    {"id", CTF_EVENT_CLASS_ID},
    {"timestamp", CTF_TIMESTAMP},
    {NULL, CTF_NO_ROLE},
};

struct role_setter {
    struct ctf_trace *trace;
    const struct role_name *names;
    bool is_header; /* every integer that is mapped to a clock is a timestamp */
    uint32_t fields;
};

static int set_roles(struct role_setter *s, const struct ctf_class **type, const char *name);

static enum ctf_role find_role(const struct role_setter *s, const struct ctf_class *type, const char *name)
{
    for (const struct role_name *n = s->names; n->name != NULL; ++n)
        if (strcmp(n->name, name) == 0)
            return n->role;
    bool is_mapped = type->kind == CTF_INTEGER && type->u.integer.clock != NULL;
    return is_mapped && s->is_header ? CTF_TIMESTAMP : CTF_NO_ROLE;
}

static struct ctf_class *copy_class(struct role_setter *s, const struct ctf_class *type)
{
    return arena_copy(&s->trace->arena, type, sizeof *type);
}

static bool is_time(enum ctf_role role)
{
    return role == CTF_BEGIN_TIME || role == CTF_END_TIME || role == CTF_TIMESTAMP;
}

/* Timestamps count in the only clock. If there is none, they are taken to be nanoseconds. */
static int map_to_clock(struct role_setter *s, struct ctf_class *type)
{
    if (s->trace->clock_count == 0 && ctf_trace_add_clock(s->trace) == NULL)
        return TRACE_ERR_MEMORY;
    if (s->trace->clock_count == 1)
        type->u.integer.clock = s->trace->clocks[0];
    return 0;
}

static int set_role(struct role_setter *s, const struct ctf_class **type, enum ctf_role role)
{
    struct ctf_class *copy;
    bool is_integer = (*type)->kind == CTF_INTEGER && role != CTF_UUID;
    bool is_uuid = role == CTF_UUID && (*type)->kind == CTF_ARRAY && (*type)->u.array.length == 16;
    if (!is_integer && !is_uuid)
        return 0;
    if ((copy = copy_class(s, *type)) == NULL)
        return TRACE_ERR_MEMORY;
    *type = copy;
    if (is_uuid) {
        copy->u.array.role = (uint8_t)role;
        return 0;
    }
    copy->u.integer.role = (uint8_t)role;
    return is_time(role) && copy->u.integer.clock == NULL ? map_to_clock(s, copy) : 0;
}

static int set_member_roles(struct role_setter *s, const struct ctf_class **type)
{
    uint32_t count = (*type)->u.structure.count;
    struct ctf_class *copy = copy_class(s, *type);
    struct ctf_member *members =
        arena_copy(&s->trace->arena, (*type)->u.structure.members, count * sizeof *members);
    int rc = copy != NULL && members != NULL ? 0 : TRACE_ERR_MEMORY;
    for (uint32_t i = 0; rc == 0 && i < count; ++i)
        rc = set_roles(s, &members[i].type, members[i].name);
    if (rc == 0)
        copy->u.structure.members = members;
    *type = copy;
    return rc;
}

static int set_option_roles(struct role_setter *s, const struct ctf_class **type)
{
    uint32_t count = (*type)->u.variant.count;
    struct ctf_class *copy = copy_class(s, *type);
    struct ctf_option *options =
        arena_copy(&s->trace->arena, (*type)->u.variant.options, count * sizeof *options);
    int rc = copy != NULL && options != NULL ? 0 : TRACE_ERR_MEMORY;
    for (uint32_t i = 0; rc == 0 && i < count; ++i)
        rc = set_roles(s, &options[i].type, options[i].name);
    if (rc == 0)
        copy->u.variant.options = options;
    *type = copy;
    return rc;
}

/* Fields within structures and variants have roles, too, but not those of packets. */
static int set_roles(struct role_setter *s, const struct ctf_class **type, const char *name)
{
    if (++s->fields > FIELDS_MAX)
        return trace_error_set(TRACE_ERR_FORMAT, "the header has more than %d fields", FIELDS_MAX);
    if ((*type)->kind == CTF_STRUCT)
        return set_member_roles(s, type);
    if ((*type)->kind == CTF_VARIANT)
        return set_option_roles(s, type);
    enum ctf_role role = find_role(s, *type, name);
    return role != CTF_NO_ROLE ? set_role(s, type, role) : 0;
}

static int set_scope_roles(struct ctf_trace *t, const struct role_name *names, const struct ctf_class **type)
{
    struct role_setter s = {.trace = t, .names = names, .is_header = names == event_header_names};
    return *type != NULL ? set_roles(&s, type, "") : 0;
}

int ctf_roles_set_by_names(struct ctf_trace *t)
{
    int rc = set_scope_roles(t, packet_header_names, &t->packet_header);
    for (size_t i = 0; rc == 0 && i < t->stream_count; ++i) {
        struct ctf_stream_class *stream = t->streams[i];
        rc = set_scope_roles(t, packet_context_names, &stream->packet_context);
        if (rc == 0)
            rc = set_scope_roles(t, event_header_names, &stream->event_header);
        if (t->clock_count == 1)
            stream->clock = t->clocks[0];
    }
    return rc;
}
