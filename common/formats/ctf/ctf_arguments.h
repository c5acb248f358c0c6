/* SPDX-License-Identifier: MIT
 * What trace-cli writes of a call besides the address of its function: the function's name, arguments, and
 * the return value, as fields of the event (docs/ctf.md, "Calls").
 */
#ifndef CTF_ARGUMENTS_H
#define CTF_ARGUMENTS_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "formats/ctf/ctf_call_values.h"

/* Signatures, once for each function and structure of arguments. Zero-initialise it before use. */
struct ctf_functions {
    struct arena arena;
    struct int_map by_key;
    struct ctf_values values;
};

void ctf_functions_fini(struct ctf_functions *f);

/* Returns the label of a value of an enumeration that trace-cli writes, or NULL. */
const char *ctf_label_of(const struct trace_value *value);

/* Sets *out to the signature of a call that an event with these fields begins, or NULL if they do not name
 * it. Errors: TRACE_ERR_MEMORY. */
int ctf_functions_find(struct ctf_functions *f, const struct ctf_event_layout *layout,
                       const struct trace_value *fields, const struct trace_function_sig **out);

/* Replaces the call's arguments, which are the event's fields, by those in them, and sets its return value,
 * flags and backtrace. Errors: TRACE_ERR_MEMORY. */
int ctf_arguments_take(struct ctf_functions *f, const struct ctf_event_layout *layout, struct arena *arena,
                       struct trace_call *call);

#endif
