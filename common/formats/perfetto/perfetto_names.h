/* SPDX-License-Identifier: MIT
 * What packets refer to by number instead of repeating it: names, and the numbers of functions. What is new
 * is collected, and goes with the next packet.
 */
#ifndef PERFETTO_NAMES_H
#define PERFETTO_NAMES_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "formats/perfetto/proto_writer.h"
#include "trace/model.h"

/* The kinds of names, each with numbers of its own, from 1. */
enum perfetto_kind {
    PERFETTO_EVENT_NAME,
    PERFETTO_ANNOTATION_NAME,
    PERFETTO_FUNCTION_NAME,
    PERFETTO_MAPPING_PATH,
    PERFETTO_SOURCE_PATH,
    PERFETTO_MAPPING,
    PERFETTO_FRAME,
    PERFETTO_CALLSTACK,
    PERFETTO_KINDS,
};

/* A function's numbers. */
struct perfetto_function {
    uint64_t name;
    uint64_t args[]; /* those of its arguments' names */
};

struct perfetto_names {
    struct string_map known[PERFETTO_KINDS];
    struct int_map functions; /* addresses of signatures to addresses of struct perfetto_function */
    struct arena arena;
    struct proto_writer fresh; /* the fields of InternedData that are new */
};

void perfetto_names_init(struct perfetto_names *n);
void perfetto_names_fini(struct perfetto_names *n);

/* Returns true and the number of the key if it is known. Otherwise *iid is its new number, and the caller
 * describes it in n->fresh. Errors: n->fresh.failed. */
bool perfetto_names_find(struct perfetto_names *n, enum perfetto_kind kind, const char *key, uint64_t *iid);

/* Returns the number of a text. kind: one of the five first. */
uint64_t perfetto_names_text(struct perfetto_names *n, enum perfetto_kind kind, const char *text);

/* Returns NULL if there is no memory. */
const struct perfetto_function *perfetto_names_function(struct perfetto_names *n,
                                                        const struct trace_function_sig *sig);

#endif
