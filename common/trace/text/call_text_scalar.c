/* SPDX-License-Identifier: MIT */
#include "trace/text/call_text_scalar.h"

const struct trace_call_text_enum_name *
trace_call_text_find_enum_name(struct trace_call_text *f, const struct trace_enum_sig *sig, int64_t value)
{
    uint64_t hash = ((uint64_t)value + (uintptr_t)sig) * UINT64_C(0x9e3779b97f4a7c15);
    struct trace_call_text_enum_name *cached =
        &f->enum_cache[hash >> 54]; /* ten bits, for CALL_TEXT_ENUM_CACHE_SIZE */
    const size_t i = (size_t)(cached - f->enum_cache);
    if (cached->sig == sig && cached->value == value)
        return cached;
    f->enum_used[i / 64] |= UINT64_C(1) << i % 64;
    *cached = (struct trace_call_text_enum_name){
        .sig = sig, .value = value, .name = trace_enum_find_name(sig, value)};
    if (cached->name == NULL)
        return cached;
    cached->length = (uint32_t)strlen(cached->name);
    if (cached->length <= CALL_TEXT_SHORT)
        memcpy(cached->text, cached->name, cached->length);
    return cached;
}
