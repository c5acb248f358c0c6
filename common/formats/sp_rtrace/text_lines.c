/* SPDX-License-Identifier: MIT */
#include "formats/sp_rtrace/text_lines.h"

#include "formats/sp_rtrace/text_heap.h"

#include <string.h>

#define HOURS_MAX 999999 /* a higher value is not a time of day, and would overflow nanoseconds */

/* --- pieces of a line ------------------------------------------------------------------------------ */

static void advance(struct text_slice *s, size_t count)
{
    s->text += count;
    s->length -= count;
}

static bool skip(struct text_slice *s, const char *literal)
{
    size_t length = strlen(literal);
    if (s->length < length || memcmp(s->text, literal, length) != 0)
        return false;
    advance(s, length);
    return true;
}

static bool ends_with(const struct text_slice *s, char c)
{
    return s->length > 0 && s->text[s->length - 1] == c;
}

/* Each digit's value plus 1; 0: the character is not a digit. */
static const uint8_t digits[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

/* Returns a large value if the character is not a digit. */
static inline unsigned digit_of(char c)
{
    return digits[(uint8_t)c] - 1u;
}

#define DIGITS_SAFE 16 /* a number of so many digits, in either base, fits into 64 bits */

/* Parses a number of base 10 or 16, up to max. */
static inline bool take_number(struct text_slice *s, unsigned base, uint64_t max, uint64_t *out)
{
    uint64_t value = 0;
    const char *p = s->text, *end = p + s->length, *safe = s->length > DIGITS_SAFE ? p + DIGITS_SAFE : end;
    unsigned digit;
    for (; p < safe && (digit = digit_of(*p)) < base; ++p)
        value = value * base + digit;
    for (end = p == safe ? end : p; p < end && (digit = digit_of(*p)) < base; ++p) {
        if (value > (max - digit) / base)
            return false;
        value = value * base + digit;
    }
    bool found = p > s->text && value <= max;
    *out = value;
    if (found)
        advance(s, (size_t)(p - s->text));
    return found;
}

static bool take_u32(struct text_slice *s, unsigned base, uint32_t *out)
{
    uint64_t value;
    if (!take_number(s, base, UINT32_MAX, &value))
        return false;
    *out = (uint32_t)value;
    return true;
}

static bool take_address(struct text_slice *s, uint64_t *out)
{
    return skip(s, "0x") && take_number(s, 16, UINT64_MAX, out);
}

/* Returns the offset of literal (the last one if `last` is set), or SIZE_MAX if there is none. */
static size_t find(const struct text_slice *s, const char *literal, bool last)
{
    size_t length = strlen(literal), found = SIZE_MAX;
    for (size_t i = 0; i + length <= s->length; ++i) {
        const char *at = memchr(s->text + i, literal[0], s->length - length + 1 - i);
        if (at == NULL)
            break;
        i = (size_t)(at - s->text);
        if (memcmp(at, literal, length) != 0)
            continue;
        found = i;
        if (!last)
            break;
    }
    return found;
}

/* Splits s at literal, which is dropped. */
static bool split(const struct text_slice *s, const char *literal, bool last, struct text_slice *before,
                  struct text_slice *behind)
{
    size_t at = find(s, literal, last);
    if (at == SIZE_MAX)
        return false;
    struct text_slice rest = *s;
    *before = (struct text_slice){s->text, at};
    advance(&rest, at + strlen(literal));
    *behind = rest;
    return true;
}

/* --- calls ----------------------------------------------------------------------------------------- */

/* The programs print sizes as signed numbers, so those of 2^31 and above are negative. */
static bool take_size(struct text_slice *s, uint64_t *out)
{
    if (!skip(s, "-"))
        return take_number(s, 10, UINT64_MAX, out);
    if (!take_number(s, 10, UINT64_C(1) << 31, out) || *out == 0)
        return false;
    *out = (UINT64_C(1) << 32) - *out;
    return true;
}

/* Parses the decimals of a second as nanoseconds. Further digits are dropped. */
static bool take_fraction(struct text_slice *s, uint64_t *nanoseconds)
{
    uint64_t unit = 100000000;
    size_t i = 0;
    for (*nanoseconds = 0; i < s->length && digit_of(s->text[i]) < 10; ++i, unit /= 10)
        *nanoseconds += unit * digit_of(s->text[i]);
    advance(s, i);
    return i > 0;
}

/* Parses "[HH:MM:SS.mmm] ", or nothing. */
static void take_time(struct text_slice *s, int64_t *out)
{
    struct text_slice rest = *s;
    uint64_t hours, minutes, seconds, nanoseconds = 0;
    *out = TRACE_NO_TIME;
    if (!skip(&rest, "[") || !take_number(&rest, 10, HOURS_MAX, &hours) || !skip(&rest, ":") ||
        !take_number(&rest, 10, 59, &minutes) || !skip(&rest, ":") || !take_number(&rest, 10, 59, &seconds))
        return;
    if (skip(&rest, ".") && !take_fraction(&rest, &nanoseconds))
        return;
    if (!skip(&rest, "] "))
        return;
    *out = (int64_t)(((hours * 60 + minutes) * 60 + seconds) * 1000000000 + nanoseconds);
    *s = rest;
}

static void take_contexts(struct text_slice *s, uint32_t *out)
{
    struct text_slice rest = *s;
    *out = 0;
    if (skip(&rest, "@") && take_u32(&rest, 16, out) && *out != 0 && skip(&rest, " "))
        *s = rest;
    else
        *out = 0;
}

/* Parses "(SIZE) = 0xID" or "(0xID)". The name before it may contain parentheses, too. */
static bool parse_resource(struct text_call *call, struct text_slice rest)
{
    struct text_slice name, tail;
    if (!split(&rest, "(", true, &name, &tail))
        return false;
    call->name = name;
    rest = tail;
    call->allocates = !(take_address(&rest, &call->id) && skip(&rest, ")"));
    if (call->allocates) {
        rest = tail;
        if (!take_size(&rest, &call->size) || !skip(&rest, ") = ") || !take_address(&rest, &call->id))
            return false;
    }
    return rest.length == 0;
}

/* "INDEX. [@CONTEXT ][[TIME] ]NAME…" */
static bool parse_call(struct text_line *out, struct text_slice line)
{
    struct text_call *call = &out->u.call;
    call->size = 0;
    if (!take_number(&line, 10, UINT64_MAX, &call->index) || !skip(&line, ". "))
        return false;
    take_contexts(&line, &call->contexts);
    take_time(&line, &call->time);
    return parse_resource(call, line);
}

bool text_split_type(struct text_slice *name, struct text_slice *type)
{
    struct text_slice rest = *name, before, behind;
    if (!ends_with(&rest, '>'))
        return false;
    --rest.length;
    if (!split(&rest, "<", true, &before, &behind) || behind.length == 0 ||
        memchr(behind.text, '>', behind.length) != NULL)
        return false;
    *name = before;
    *type = behind;
    return true;
}

/* --- what belongs to a call ------------------------------------------------------------------------ */

/* "NAME = VALUE". An empty value may have lost the blank before it, as editors remove blanks at the ends of
 * lines. */
static bool parse_arg(struct text_line *out, struct text_slice line)
{
    if (!skip(&line, "$"))
        return false;
    if (split(&line, " = ", false, &out->u.arg.name, &out->u.arg.value))
        return true;
    if (!ends_with(&line, '=') || line.length < 2 || line.text[line.length - 2] != ' ')
        return false;
    out->u.arg.name = (struct text_slice){line.text, line.length - 2};
    out->u.arg.value = (struct text_slice){"", 0};
    return true;
}

static bool parse_frame(struct text_line *out, struct text_slice line)
{
    if (!take_address(&line, &out->u.frame.address))
        return false;
    out->u.frame.place = line;
    return line.length == 0 || skip(&out->u.frame.place, " ");
}

/* --- what is declared ------------------------------------------------------------------------------ */

static bool parse_attachment(struct text_line *out, struct text_slice line)
{
    return skip(&line, "& ") && split(&line, " : ", false, &out->u.attachment.name, &out->u.attachment.path);
}

/* "[ID] NAME (MAJOR.MINOR)" */
static bool parse_module(struct text_line *out, struct text_slice line)
{
    struct text_slice version;
    return skip(&line, "## tracing module: [") && take_u32(&line, 16, &out->u.module.id) &&
           skip(&line, "] ") && split(&line, " (", true, &out->u.module.name, &version) &&
           take_u32(&version, 10, &out->u.module.major) && skip(&version, ".") &&
           take_u32(&version, 10, &out->u.module.minor) && skip(&version, ")") && version.length == 0;
}

static bool parse_context(struct text_line *out, struct text_slice line)
{
    if (!skip(&line, "@ ") || !take_u32(&line, 16, &out->u.context.id) || !skip(&line, " : "))
        return false;
    out->u.context.name = line;
    return true;
}

/* "<BIT> : TYPE (DESCRIPTION)[ [FLAGS]]" */
static bool parse_resource_type(struct text_line *out, struct text_slice line)
{
    struct text_slice rest;
    if (!skip(&line, "<") || !take_number(&line, 16, UINT64_MAX, &out->u.resource.bit) ||
        !skip(&line, "> : "))
        return false;
    if ((out->u.resource.bit & (out->u.resource.bit - 1)) != 0)
        out->u.resource.bit = 0;
    out->u.resource.flags = (struct text_slice){"", 0};
    if (ends_with(&line, ']')) {
        if (!split(&line, ") [", true, &rest, &out->u.resource.flags))
            return false;
        --out->u.resource.flags.length;
        line.length = rest.length + 1;
    }
    if (!split(&line, " (", false, &out->u.resource.name, &rest) || !ends_with(&rest, ')'))
        return false;
    --rest.length;
    out->u.resource.description = rest;
    return true;
}

static bool parse_mapping(struct text_line *out, struct text_slice line)
{
    struct text_slice range;
    return skip(&line, ": ") && split(&line, " => ", true, &out->u.mapping.path, &range) &&
           take_address(&range, &out->u.mapping.from) && skip(&range, "-") &&
           take_address(&range, &out->u.mapping.to) && range.length == 0;
}

bool text_line_parse_heap(struct text_slice line, size_t number, struct trace_heap *heap)
{
    const struct text_heap_line *expected = &text_heap_lines[number];
    uint64_t *value = text_heap_value(heap, number);
    if (!skip(&line, "##   ") || !skip(&line, expected->name) || !skip(&line, " "))
        return false;
    return (expected->is_address ? take_address(&line, value) : take_size(&line, value)) && line.length == 0;
}

/* --- lines ----------------------------------------------------------------------------------------- */

static enum text_line_kind when(bool parsed, enum text_line_kind kind)
{
    return parsed ? kind : TEXT_LINE_COMMENT;
}

static enum text_line_kind parse_indented(struct text_line *out, struct text_slice line)
{
    advance(&line, 1);
    return line.length > 0 && line.text[0] == '$' ? when(parse_arg(out, line), TEXT_LINE_ARG)
                                                  : when(parse_frame(out, line), TEXT_LINE_FRAME);
}

static enum text_line_kind parse_number_sign(struct text_line *out, struct text_slice line)
{
    if (line.length == strlen(TEXT_HEAP_TITLE) && memcmp(line.text, TEXT_HEAP_TITLE, line.length) == 0)
        return TEXT_LINE_HEAP;
    return when(parse_module(out, line), TEXT_LINE_MODULE);
}

void text_line_parse(struct text_line *out, struct text_slice line)
{
    out->kind = TEXT_LINE_EMPTY;
    if (line.length == 0)
        return;
    switch (line.text[0]) {
    case '\t':
        out->kind = parse_indented(out, line);
        return;
    case '&':
        out->kind = when(parse_attachment(out, line), TEXT_LINE_ATTACHMENT);
        return;
    case '#':
        out->kind = parse_number_sign(out, line);
        return;
    case '@':
        out->kind = when(parse_context(out, line), TEXT_LINE_CONTEXT);
        return;
    case '<':
        out->kind = when(parse_resource_type(out, line), TEXT_LINE_RESOURCE);
        return;
    case ':':
        out->kind = when(parse_mapping(out, line), TEXT_LINE_MAPPING);
        return;
    default:
        out->kind = when(parse_call(out, line), TEXT_LINE_CALL);
    }
}
