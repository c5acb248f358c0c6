/* SPDX-License-Identifier: MIT
 * The fields of an event that is written, and its class, which is made of them.
 */
#ifndef CTF_FIELDS_H
#define CTF_FIELDS_H

#include "formats/ctf/write/ctf_sink_state.h"

/* Fields of a structure, as they are collected. */
struct ctf_fields {
    const char **names; /* constants, or as long-lived as signatures */
    struct trace_value *values;
    uint32_t count;
    uint32_t room;
};

/* Makes room for so many fields in the scratch arena. Errors: TRACE_ERR_MEMORY. */
int ctf_fields_init(struct ctf_fields *f, struct ctf_sink *s, uint32_t room);

/* Add a field. There must be room. The first leaves out one without a value. */
void ctf_fields_add(struct ctf_fields *f, const char *name, struct trace_value value);
void ctf_fields_add_any(struct ctf_fields *f, const char *name, struct trace_value value);

/* Adds the fields of `inner` as one field, a structure. There must be room. Errors: TRACE_ERR_MEMORY. */
int ctf_fields_append_structure(struct ctf_sink *s, struct ctf_fields *f, const struct ctf_fields *inner);

static inline struct trace_value ctf_fields_value(const struct ctf_fields *f)
{
    return (struct trace_value){.type = TRACE_STRUCT, .count = f->count, .u.items = f->values};
}

static inline struct trace_value ctf_uint_value(uint64_t number)
{
    return (struct trace_value){.type = TRACE_UINT, .u.uint = number};
}

static inline struct trace_value ctf_address_value(uint64_t address)
{
    return (struct trace_value){.type = TRACE_OPAQUE, .u.uint = address};
}

/* text may be NULL: no value. */
struct trace_value ctf_text_value(const char *text);

/* A value of an enumeration that grows. Errors: TRACE_ERR_MEMORY. */
int ctf_label_value(struct ctf_sink *s, struct ctf_labels *l, uint64_t key, const char *name,
                    struct trace_value *out);

/* Finds or adds the event class of this name with such fields. args: fields of a structure "args", at the end
 * of the payload, if it has any. Errors: TRACE_ERR_MEMORY. */
int ctf_sink_find_event(struct ctf_sink *s, struct ctf_out_class *class, const char *name,
                        const struct ctf_fields *specific, const struct ctf_fields *payload,
                        const struct ctf_fields *args, struct ctf_out_event **out);

#endif
