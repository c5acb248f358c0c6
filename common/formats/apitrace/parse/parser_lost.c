/* SPDX-License-Identifier: MIT
 * Handles signatures whose definitions were lost to damage. An unknown id is followed either by its
 * definition, as usual, or by whatever follows a known id. The names of a definition tell which.
 */
#include "formats/apitrace/parse/parser_lost.h"

#include <ctype.h>

#define MAX_NAME  256  /* the longest plausible name, in bytes */
#define MAX_PATH  4096 /* the longest plausible path of a module, in bytes */
#define LOST_ARGS 256  /* the highest number of arguments of a function whose signature was lost */

/* Returns 1 if a string of text follows at p, 0 if not, or TRACE_PARSE_MORE if that is undecided. */
static int is_text(struct trace_parser *s, const uint8_t *p, uint64_t max, bool *yes)
{
    uint64_t count = 0;
    int used = varint_get(p, s->end, &count);
    *yes = false;
    if (used == 0)
        return trace_parse_more(s, 1);
    if (used < 0 || count == 0 || count > max)
        return 0;
    p += used;
    size_t left = (size_t)(s->end - p);
    for (size_t i = 0; i < count && i < left; ++i)
        if (!isprint(p[i]))
            return 0;
    if (count > left)
        return trace_parse_more(s, (size_t)count - left);
    *yes = true;
    return 0;
}

/* Does the same after a count of names, or after the tag of a frame's detail. */
static int is_text_behind(struct trace_parser *s, uint64_t max, uint64_t max_first, bool *yes)
{
    uint64_t first = 0;
    int used = varint_get(s->p, s->end, &first);
    *yes = false;
    if (used == 0)
        return trace_parse_more(s, 1);
    if (used < 0 || first == 0 || first > max_first)
        return 0;
    return is_text(s, s->p + used, max, yes);
}

int trace_parse_is_defined(struct trace_parser *s, enum trace_sig_kind kind, bool *yes)
{
    *yes = true;
    if (!s->damaged)
        return 0;
    switch (kind) {
    case TRACE_SIG_FUNCTION:
    case TRACE_SIG_STRUCT:
        return is_text(s, s->p, MAX_NAME, yes);
    case TRACE_SIG_FRAME:
        return is_text_behind(s, MAX_PATH, TRACE_FRAME_FILE, yes);
    default:
        if (s->version < 3 && kind == TRACE_SIG_ENUM)
            return is_text(s, s->p, MAX_NAME, yes);
        return is_text_behind(s, MAX_NAME, UINT32_MAX, yes);
    }
}

int trace_parse_lost_function(struct trace_parser *s, uint32_t id, const struct trace_function_sig **out)
{
    struct trace_function_sig *sig = arena_alloc(&s->sigs.arena, sizeof *sig);
    const char **names = arena_alloc(&s->sigs.arena, LOST_ARGS * sizeof *names);
    if (sig == NULL || names == NULL)
        return TRACE_ERR_MEMORY;
    for (uint32_t i = 0; i < LOST_ARGS; ++i)
        names[i] = "?";
    *sig = (struct trace_function_sig){.id = id, .name = "?", .arg_count = LOST_ARGS, .arg_names = names};
    *out = sig;
    return trace_signatures_define(&s->sigs, TRACE_SIG_FUNCTION, id, sig);
}

/* The values are known, only their names are lost. */
int trace_parse_lost_enum(struct trace_parser *s, uint32_t id, const struct trace_enum_sig **out)
{
    struct trace_enum_sig *sig = arena_alloc(&s->sigs.arena, sizeof *sig);
    if (sig == NULL)
        return TRACE_ERR_MEMORY;
    if (s->version < 3)
        return trace_error_set(TRACE_ERR_FORMAT, "the value of enum %u was in a damaged part", id);
    *sig = (struct trace_enum_sig){.id = id};
    *out = sig;
    return trace_signatures_define(&s->sigs, TRACE_SIG_ENUM, id, sig);
}

int trace_parse_lost_bitmask(struct trace_parser *s, uint32_t id, const struct trace_bitmask_sig **out)
{
    struct trace_bitmask_sig *sig = arena_alloc(&s->sigs.arena, sizeof *sig);
    if (sig == NULL)
        return TRACE_ERR_MEMORY;
    *sig = (struct trace_bitmask_sig){.id = id};
    *out = sig;
    return trace_signatures_define(&s->sigs, TRACE_SIG_BITMASK, id, sig);
}

int trace_parse_lost_frame(struct trace_parser *s, uint32_t id, struct trace_frame *out)
{
    struct trace_frame *frame = arena_alloc(&s->sigs.arena, sizeof *frame);
    if (frame == NULL)
        return TRACE_ERR_MEMORY;
    *frame = (struct trace_frame){.id = id, .line = -1, .offset = -1};
    *out = *frame;
    return trace_signatures_define(&s->sigs, TRACE_SIG_FRAME, id, frame);
}
