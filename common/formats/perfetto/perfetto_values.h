/* SPDX-License-Identifier: MIT
 * Values as debug annotations.
 */
#ifndef PERFETTO_VALUES_H
#define PERFETTO_VALUES_H

#include "formats/perfetto/proto_writer.h"
#include "trace/text/call_text_types.h"

#define PERFETTO_TEXT_MAX     65536 /* bytes of a string; longer ones are cut */
#define PERFETTO_ELEMENTS_MAX 1024  /* elements of an array; the rest is left out */

struct perfetto_values {
    struct proto_writer *w;
    struct trace_call_text *text; /* of values that Perfetto has no type for */
    uint64_t cut_texts;
    uint64_t cut_arrays;
};

/* Appends the fields that have the value; the caller has begun the annotation, and named it. */
void perfetto_values_put(struct perfetto_values *p, const struct trace_value *v);

#endif
