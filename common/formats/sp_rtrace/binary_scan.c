/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/binary_scan.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>

void log_summary_fini(struct log_summary *s)
{
    free(s->process);
    declared_fini(&s->declared);
}

bool packet_declares(uint32_t type, enum declared_kind *kind)
{
    switch (type) {
    case PACKET_FILE:
        *kind = DECLARED_ATTACHMENT;
        return true;
    case PACKET_HINF:
        *kind = DECLARED_HEAP;
        return true;
    case PACKET_MINF:
        *kind = DECLARED_MODULE;
        return true;
    case PACKET_CTXR:
        *kind = DECLARED_CONTEXT;
        return true;
    case PACKET_RESR:
        *kind = DECLARED_RESOURCE;
        return true;
    case PACKET_MMAP:
        *kind = DECLARED_MAPPING;
        return true;
    default:
        return false;
    }
}

/* A null string becomes "". */
static char *copy_string(struct packet_string s)
{
    char *copy = malloc(s.length + 1);
    if (copy == NULL) {
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
        return NULL;
    }
    if (s.length > 0)
        memcpy(copy, s.text, s.length);
    copy[s.length] = '\0';
    return copy;
}

static char *print_flags(uint32_t flags)
{
    char *text = malloc(16);
    if (text == NULL)
        trace_error_set(TRACE_ERR_MEMORY, "out of memory");
    else
        snprintf(text, 16, "0x%x", (unsigned)flags);
    return text;
}

int packet_resource(const struct packet_style *style, const uint8_t *data, struct trace_resource_type *out)
{
    uint32_t flags = 0;
    *out = (struct trace_resource_type){.id = packet_u32(style, data)};
    data += 4;
    if (packet_style_has_flags(style)) {
        flags = packet_u32(style, data);
        data += 4;
    }
    out->refcounted = (flags & RESOURCE_REFCOUNTED) != 0;
    flags &= ~(uint32_t)RESOURCE_REFCOUNTED;
    struct packet_string name = packet_read_string(style, &data),
                         description = packet_read_string(style, &data);
    out->name = copy_string(name);
    out->description = description.text != NULL ? copy_string(description) : NULL;
    out->flags = flags != 0 ? print_flags(flags) : NULL;
    if (out->name != NULL && (description.text == NULL || out->description != NULL) &&
        (flags == 0 || out->flags != NULL))
        return 0;
    packet_resource_fini(out);
    return TRACE_ERR_MEMORY;
}

void packet_resource_fini(struct trace_resource_type *type)
{
    free((char *)(uintptr_t)type->name);
    free((char *)(uintptr_t)type->description);
    free((char *)(uintptr_t)type->flags);
}

static int declare_resource(struct log_names *names, const struct packet_style *style, const uint8_t *data)
{
    struct trace_resource_type type;
    int rc = packet_resource(style, data, &type);
    if (rc != 0)
        return rc;
    rc = log_names_declare(names, &type);
    packet_resource_fini(&type);
    return rc;
}

static int see_process(struct log_summary *s, const struct packet_style *style, const uint8_t *data)
{
    s->has_process = true;
    s->pid = packet_u32(style, data);
    s->seconds = packet_u32(style, data + 4);
    s->microseconds = packet_u32(style, data + 8);
    data += 12;
    s->depth = NO_DEPTH;
    if (packet_style_has_depth(style)) {
        s->depth = packet_u32(style, data);
        data += 4;
    }
    free(s->process);
    s->process = copy_string(packet_read_string(style, &data));
    return s->process != NULL ? 0 : TRACE_ERR_MEMORY;
}

static void see_call(struct log_summary *s, const struct packet_style *style, const uint8_t *data)
{
    if (packet_u32(style, data + 12) != CALL_ALLOCATES)
        return;
    const uint8_t *end = data + 16 + packet_string_size(packet_u16(style, data + 16));
    uint64_t id = packet_pointer(style, style->document_order ? end : end + 4);
    if (!s->has_allocations || id < s->lowest_block)
        s->lowest_block = id;
    if (!s->has_allocations || id > s->highest_block)
        s->highest_block = id;
    s->has_allocations = true;
}

static int see_packet(struct log_summary *s, struct log_names *names, const struct packet_style *style,
                      const struct packet *packet)
{
    struct declared_place place = {.offset = packet->offset, .style = *style};
    s->unknown_packets += !packet->known;
    if (!packet->known || !packet_declares(packet->type, &place.kind))
        return packet->known && packet->type == PACKET_PINF ? see_process(s, style, packet->data) : 0;
    if (packet->type == PACKET_RESR) {
        int rc = declare_resource(names, style, packet->data);
        if (rc != 0)
            return rc;
    }
    return declared_add(&s->declared, &place);
}

int binary_scan(struct log_summary *out, struct log_names *names, struct trace_file *file,
                const struct packet_style *style, uint64_t offset)
{
    struct packet_walk walk;
    struct packet packet;
    int rc;
    memset(out, 0, sizeof *out);
    packet_walk_init(&walk, file, style, offset);
    do {
        rc = packet_walk_next(&walk, &packet);
        if (rc == TRACE_ERR_DAMAGED || rc == TRACE_ERR_TRUNCATED)
            continue;
        if (rc == 0 && packet.type == PACKET_CALL)
            see_call(out, &walk.style, packet.data);
        else if (rc == 0)
            rc = see_packet(out, names, &walk.style, &packet);
        if (rc != 0)
            break;
    } while (rc != 0 || packet.type != PACKET_NONE);
    out->has_other_logs = walk.met_log;
    packet_walk_fini(&walk);
    return rc;
}
