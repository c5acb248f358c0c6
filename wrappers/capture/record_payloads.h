/* SPDX-License-Identifier: MIT
 * The memory that a call's pointers refer to. It is measured before anything is copied. The size of a record
 * is then fixed, even if other threads change the memory.
 *
 * A call says how much memory its pointers refer to, but GL may read less, or nothing. Unreadable bytes are
 * recorded as zeros, since a replay reads as many bytes as the call says; but only up to 64 KiB of them after
 * the last readable byte, and the recorded length ends there. A pointer to entirely unreadable memory is
 * recorded as an address if it is a blob, as NULL if it is one of several strings, and otherwise as an array
 * or string without elements.
 */
#ifndef CAPTURE_RECORD_PAYLOADS_H
#define CAPTURE_RECORD_PAYLOADS_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"
#include "spec_ids.h"

/* Memory that replaces what a pointer of the call refers to: count elements (of a blob: bytes) at memory. The
 * length rule of the parameter does not apply. */
struct capture_override {
    unsigned parameter;
    const void *memory;
    int64_t count;
};

/* One string or blob of SPEC_FORM_STRINGS and SPEC_FORM_BLOBS. */
struct payload_item {
    const void *memory;
    int64_t count; /* bytes, or a negative code as in record.h */
    bool gaps;
};

struct payload {
    const struct spec_param *param;
    const void *memory;
    struct payload_item *items; /* for strings and blobs with a count above 0: count items; otherwise NULL */
    int64_t count;              /* as in record.h */
    uint64_t size;              /* number of bytes at memory that are recorded */
    uint16_t index;             /* index of the parameter; SPEC_NO_INDEX for the return value */
    bool gaps;                  /* some of the memory cannot be read */
};

#define PAYLOAD_ITEMS 8 /* number of items that need no allocation */

struct payload_list {
    unsigned count;
    unsigned items_used;
    bool has_gaps;  /* some of the memory that the call reads is unreadable */
    uint64_t bytes; /* size of the payloads in a record, including headers and padding */
    struct payload payloads[SPEC_MAX_PAYLOADS];
    struct payload_item items[PAYLOAD_ITEMS];
};

static inline bool is_payload(const struct spec_param *p)
{
    return p->form != SPEC_FORM_VALUE && p->form != SPEC_FORM_OPAQUE;
}

/* Measures what the call reads. memory: NULL, or memory that replaces what one of the parameters refers to.
 * It may begin with up to 16 MiB of zeros, for arrays whose first elements are unreadable. */
void payload_list_init(struct payload_list *list, const struct capture_thread *t,
                       const struct spec_function *f, const union spec_arg *args,
                       const struct capture_override *memory);

/* Measures what the call has written, and what the pointer that it returned refers to. with_inputs: also
 * measures what it has read, in the order of parameters. */
void payload_list_init_results(struct payload_list *list, const struct capture_thread *t,
                               const struct spec_function *f, const union spec_arg *args,
                               const union spec_arg *ret, bool with_inputs);

void payload_list_fini(struct payload_list *list);

#endif
