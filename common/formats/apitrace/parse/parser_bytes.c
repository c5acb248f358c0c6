/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/parse/parser_bytes.h"

#include <string.h>

void trace_parser_init(struct trace_parser *s)
{
    memset(s, 0, sizeof *s);
    trace_signatures_init(&s->sigs);
}

void trace_parser_fini(struct trace_parser *s)
{
    trace_signatures_fini(&s->sigs);
}

/* The numbers of calls have two to four bytes, and the same size for long runs. Branches let the processor
 * predict where the next event begins, whereas a computed length would have to be waited for. */
int trace_parse_long_uint(struct trace_parser *s, uint64_t *out)
{
    const size_t foreseen = 4;
    size_t left = trace_parser_left(s);
    uint64_t value = left > 0 ? *s->p & 0x7fu : 0;
    for (size_t i = 1; i < foreseen && i < left; ++i) {
        value |= (uint64_t)(s->p[i] & 0x7fu) << 7 * i;
        if (s->p[i] < 0x80) {
            *out = value;
            s->p += i + 1;
            return 0;
        }
    }
    int used = varint_get(s->p, s->end, out);
    if (used == 0)
        return trace_parse_more(s, 1);
    if (used < 0)
        return trace_error_set(TRACE_ERR_FORMAT, "an integer of more than 64 bits");
    s->p += used;
    return 0;
}

int trace_parse_bounded(struct trace_parser *s, uint64_t max, const char *what, uint32_t *out)
{
    uint64_t value;
    int rc = trace_parse_uint(s, &value);
    if (rc == 0 && value > max)
        rc = trace_error_set(TRACE_ERR_FORMAT, "%s %llu is out of range", what, (unsigned long long)value);
    *out = rc == 0 ? (uint32_t)value : 0;
    return rc;
}

int trace_parse_string(struct trace_parser *s, struct arena *arena, const char **out, uint64_t *count)
{
    uint64_t n;
    int rc = trace_parse_count(s, &n);
    if (rc != 0)
        return rc;
    char *copy = arena_alloc(arena, (size_t)n + 1);
    if (copy == NULL)
        return TRACE_ERR_MEMORY;
    memcpy(copy, s->p, (size_t)n);
    copy[n] = '\0';
    s->p += n;
    *out = copy;
    if (count != NULL)
        *count = n;
    return 0;
}
