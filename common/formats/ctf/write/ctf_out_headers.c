/* SPDX-License-Identifier: MIT
 * The headers of 1.8 and 2. Their names are those that readers of 1.8 look for.
 */
#include "formats/ctf/write/ctf_out_types.h"

#include "base/error.h"

#define FIELDS_MAX 16

struct header {
    struct ctf_member members[FIELDS_MAX];
    size_t count;
    bool has_failed;
};

static void add(struct header *h, const char *name, const struct ctf_class *type)
{
    h->has_failed |= type == NULL;
    h->members[h->count++] = (struct ctf_member){name, name, type};
}

static const struct ctf_class *end(struct header *h, struct ctf_trace *t)
{
    struct ctf_class *c = h->has_failed ? NULL : ctf_trace_new_class(t, CTF_STRUCT, 1);
    return c != NULL && ctf_struct_set_members(t, c, h->members, h->count) == 0 ? c : NULL;
}

static const struct ctf_class *make_uuid(struct ctf_trace *t)
{
    struct ctf_class *c = ctf_trace_new_class(t, t->dialect == CTF_2 ? CTF_BLOB : CTF_ARRAY, 8);
    if (c == NULL)
        return NULL;
    c->u.array.length = 16;
    c->u.array.role = CTF_UUID;
    if (c->kind == CTF_BLOB)
        return c;
    c->u.array.element = ctf_out_integer(t, 8, false, 10);
    return c->u.array.element != NULL ? c : NULL;
}

int ctf_out_set_packet_header(struct ctf_trace *t)
{
    struct header h = {.count = 0};
    add(&h, "magic", ctf_out_role(t, 32, 16, CTF_MAGIC, NULL));
    if (t->has_uuid || t->dialect == CTF_1)
        add(&h, "uuid", make_uuid(t));
    add(&h, "stream_id", ctf_out_role(t, 32, 10, CTF_STREAM_CLASS_ID, NULL));
    add(&h, "stream_instance_id", ctf_out_role(t, 64, 10, CTF_STREAM_ID, NULL));
    t->packet_header = end(&h, t);
    return t->packet_header != NULL ? 0 : TRACE_ERR_MEMORY;
}

/* Readers of 1.8 tell the fields of a packet by their names. */
static bool is_reserved(const char *name)
{
    static const char *const names[] = {"timestamp_begin", "timestamp_end",  "content_size",
                                        "packet_size",     "packet_seq_num", "events_discarded"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* A field of the user's that has such a name gets another one. */
static bool add_extra(struct ctf_trace *t, const struct ctf_member *m, struct ctf_member *out)
{
    static const char suffix[] = "_field";
    *out = *m;
    if (!is_reserved(m->name))
        return true;
    size_t length = strlen(m->written);
    char *written = arena_alloc(&t->arena, length + sizeof suffix);
    if (written == NULL)
        return false;
    memcpy(written, m->written, length);
    memcpy(written + length, suffix, sizeof suffix);
    out->written = written;
    return true;
}

static const struct ctf_class *make_context(struct ctf_trace *t, const struct ctf_clock *clock,
                                            const struct ctf_class *extra)
{
    struct header h = {.count = 0};
    if (clock != NULL) {
        add(&h, "timestamp_begin", ctf_out_role(t, 64, 10, CTF_BEGIN_TIME, clock));
        add(&h, "timestamp_end", ctf_out_role(t, 64, 10, CTF_END_TIME, clock));
    }
    add(&h, "content_size", ctf_out_role(t, 64, 10, CTF_CONTENT_SIZE, NULL));
    add(&h, "packet_size", ctf_out_role(t, 64, 10, CTF_PACKET_SIZE, NULL));
    add(&h, "packet_seq_num", ctf_out_role(t, 64, 10, CTF_SEQUENCE_NUMBER, NULL));
    add(&h, "events_discarded", ctf_out_role(t, 64, 10, CTF_DISCARDED_EVENTS, NULL));
    size_t own = h.count, count = own + (extra != NULL ? extra->u.structure.count : 0);
    struct ctf_member *all = arena_alloc(&t->arena, count * sizeof *all);
    struct ctf_class *c = ctf_trace_new_class(t, CTF_STRUCT, 1);
    if (h.has_failed || all == NULL || c == NULL)
        return NULL;
    memcpy(all, h.members, own * sizeof *all);
    for (size_t i = own; i < count; ++i)
        if (!add_extra(t, &extra->u.structure.members[i - own], &all[i]))
            return NULL;
    return ctf_struct_set_members(t, c, all, count) == 0 ? c : NULL;
}

int ctf_out_set_stream_headers(struct ctf_trace *t, struct ctf_stream_class *stream, size_t events,
                               const struct ctf_class *extra)
{
    (void)events;
    struct header h = {.count = 0};
    add(&h, "id", ctf_out_role(t, 16, 10, CTF_EVENT_CLASS_ID, NULL));
    if (stream->clock != NULL)
        add(&h, "timestamp", ctf_out_role(t, 64, 10, CTF_TIMESTAMP, stream->clock));
    stream->event_header = end(&h, t);
    stream->packet_context = make_context(t, stream->clock, extra);
    return stream->event_header != NULL && stream->packet_context != NULL ? 0 : TRACE_ERR_MEMORY;
}
