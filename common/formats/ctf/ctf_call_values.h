/* SPDX-License-Identifier: MIT
 * Values of the calls that trace-cli has written, as they were before: enumerations, flags, addresses, blobs.
 */
#ifndef CTF_CALL_VALUES_H
#define CTF_CALL_VALUES_H

#include "base/arena.h"
#include "base/hash_map.h"
#include "formats/ctf/decode/ctf_layout.h"

/* Enumerations and bitmasks, each once. Zero-initialise it before use. */
struct ctf_values {
    struct arena arena;
    struct int_map by_ranges; /* maps addresses of labels to those of signatures */
    uint32_t count;
};

void ctf_values_fini(struct ctf_values *v);

/* Sets *to to what `from` was. type: its class, or NULL: unknown. Errors: TRACE_ERR_MEMORY. */
int ctf_value_take(struct ctf_values *v, const struct ctf_class *type, struct arena *arena,
                   const struct trace_value *from, struct trace_value *to);

/* Makes the call's backtrace of an array of addresses, or of structures with all that is known of a frame.
 * Errors: TRACE_ERR_MEMORY. */
int ctf_frames_take(struct arena *arena, const struct trace_value *from, struct trace_call *call);

#endif
