/* SPDX-License-Identifier: MIT
 * What a call's pointers refer to, measured before anything is copied. A record is as large as was measured
 * then, whatever other threads do to the memory meanwhile.
 *
 * A call says how much its pointers refer to; whether GL reads as much, or anything, is not known. What
 * cannot be read is recorded as zeros, since a replay reads as much as the call says, but not more than 64
 * KiB of it behind what can: there the recorded length ends. A pointer that nothing can be read at is
 * recorded as an address if it is to be a blob, as NULL if it is one of several strings, else as an array or
 * string without elements.
 */
#ifndef CAPTURE_RECORD_PAYLOADS_H
#define CAPTURE_RECORD_PAYLOADS_H

#include "capture/capture_thread.h"

#include "runtime/spec.h"
#include "spec_ids.h"

/* Memory that stands in for what one of a call's pointers refers to: count elements (bytes of a blob) at
 * memory, whatever the length rule says. */
struct capture_override {
    unsigned parameter;
    const void *memory;
    int64_t count;
};

/* One of the strings or blobs of SPEC_FORM_STRINGS and SPEC_FORM_BLOBS. */
struct payload_item {
    const void *memory;
    int64_t count; /* bytes; or as in record.h */
    bool gaps;
};

struct payload {
    const struct spec_param *param;
    const void *memory;
    struct payload_item *items; /* STRINGS and BLOBS with a count above 0: count of them; else NULL */
    int64_t count;              /* as in record.h */
    uint64_t size;              /* bytes at memory that are recorded */
    uint16_t index;             /* of the parameter; SPEC_NO_INDEX for the return value */
    bool gaps;                  /* some of the memory cannot be read */
};

#define PAYLOAD_ITEMS 8 /* that are kept without an allocation */

struct payload_list {
    unsigned count;
    unsigned items_used;
    bool has_gaps;  /* in what the call reads: some of it cannot be read */
    uint64_t bytes; /* that the payloads take in a record, headers and padding included */
    struct payload payloads[SPEC_MAX_PAYLOADS];
    struct payload_item items[PAYLOAD_ITEMS];
};

static inline bool is_payload(const struct spec_param *p)
{
    return p->form != SPEC_FORM_VALUE && p->form != SPEC_FORM_OPAQUE;
}

/* Measures what the call reads. memory: NULL or what stands in for one of the parameters; zeros may begin it,
 * up to 16 MiB, for arrays whose first elements are not there. */
void payload_list_init(struct payload_list *list, const struct capture_thread *t,
                       const struct spec_function *f, const union spec_arg *args,
                       const struct capture_override *memory);

/* Measures what the call has written, and what the pointer refers to that it has returned; with_inputs: and,
 * in the order of parameters, what it has read. */
void payload_list_init_results(struct payload_list *list, const struct capture_thread *t,
                               const struct spec_function *f, const union spec_arg *args,
                               const union spec_arg *ret, bool with_inputs);

void payload_list_fini(struct payload_list *list);

#endif
