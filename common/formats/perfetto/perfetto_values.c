/* SPDX-License-Identifier: MIT */
#include "formats/perfetto/perfetto_values.h"

#include "formats/perfetto/perfetto_fields.h"
#include "trace/text/call_text_values.h"

static void put_text(struct perfetto_values *p, const char *text, uint64_t count)
{
    if (count > PERFETTO_TEXT_MAX) {
        p->cut_texts++;
        count = PERFETTO_TEXT_MAX;
    }
    proto_put_text(p->w, ANNOTATION_STRING, text, (size_t)count);
}

/* As `dump` prints it. */
static void put_printed(struct perfetto_values *p, const struct trace_value *v)
{
    buf_clear(&p->text->out);
    trace_call_text_put_value(p->text, v);
    p->w->failed |= p->text->error != 0;
    put_text(p, (const char *)p->text->out.data, p->text->out.len);
}

static void put_enum(struct perfetto_values *p, const struct trace_value *v)
{
    const char *name = trace_enum_find_name(v->sig.enumeration, v->u.sint);
    if (name != NULL)
        put_text(p, name, strlen(name));
    else
        proto_put_uint(p->w, ANNOTATION_INT, v->u.uint);
}

static void put_array(struct perfetto_values *p, const struct trace_value *v)
{
    uint64_t count = v->count < PERFETTO_ELEMENTS_MAX ? v->count : PERFETTO_ELEMENTS_MAX;
    struct trace_value element;
    p->cut_arrays += count < v->count;
    for (uint64_t i = 0; i < count; ++i) {
        size_t mark = proto_begin(p->w, ANNOTATION_ARRAY);
        trace_array_get(v, i, &element);
        perfetto_values_put(p, &element);
        proto_end(p->w, mark);
    }
    if (v->count == 0)
        put_text(p, "{}", 2);
}

static void put_struct(struct perfetto_values *p, const struct trace_value *v)
{
    const struct trace_struct_sig *sig = v->sig.structure;
    for (uint32_t i = 0; i < sig->count; ++i) {
        const char *name = sig->members[i][0] != '\0' ? sig->members[i] : "-";
        size_t mark = proto_begin(p->w, ANNOTATION_DICT);
        proto_put_text(p->w, ANNOTATION_NAME, name, strlen(name));
        perfetto_values_put(p, &v->u.items[i]);
        proto_end(p->w, mark);
    }
}

void perfetto_values_put(struct perfetto_values *p, const struct trace_value *v)
{
    switch (v->type) {
    case TRACE_FALSE:
    case TRACE_TRUE:
        proto_put_uint(p->w, ANNOTATION_BOOL, v->type == TRACE_TRUE);
        break;
    case TRACE_SINT:
        proto_put_uint(p->w, ANNOTATION_INT, v->u.uint);
        break;
    case TRACE_UINT:
        proto_put_uint(p->w, ANNOTATION_UINT, v->u.uint);
        break;
    case TRACE_FLOAT:
        proto_put_double(p->w, ANNOTATION_DOUBLE, (double)v->u.f32);
        break;
    case TRACE_DOUBLE:
        proto_put_double(p->w, ANNOTATION_DOUBLE, v->u.f64);
        break;
    case TRACE_NULL:
        proto_put_uint(p->w, ANNOTATION_POINTER, 0);
        break;
    case TRACE_OPAQUE:
        proto_put_uint(p->w, ANNOTATION_POINTER, v->u.uint);
        break;
    case TRACE_STRING:
        put_text(p, v->u.string, v->count);
        break;
    case TRACE_ENUM:
        put_enum(p, v);
        break;
    case TRACE_ARRAY:
        put_array(p, v);
        break;
    case TRACE_STRUCT:
        put_struct(p, v);
        break;
    default: /* bitmasks, blobs, wide strings, values in two forms */
        put_printed(p, v);
        break;
    }
}
