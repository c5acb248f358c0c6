/* SPDX-License-Identifier: MIT */
#include "formats/ctf/metadata/tsdl_attributes.h"

#include "base/error.h"

#include <inttypes.h>

/* The attributes of any of the three. */
struct attributes {
    uint64_t size;
    uint32_t align; /* 0: not declared */
    uint64_t exponent_digits;
    uint64_t mantissa_digits;
    bool is_signed;
    bool is_text;
    uint8_t order;
    uint8_t base;
    const struct ctf_clock *clock;
};

/* --- values ---------------------------------------------------------------------------------------- */

int tsdl_parse_unsigned(struct tsdl_parser *p, uint64_t *out)
{
    uint32_t line = p->token.line;
    bool is_negative;
    int rc = tsdl_take_number(p, out, &is_negative);
    return rc == 0 && is_negative ? tsdl_fail(p, line, "a number must not be negative here") : rc;
}

int tsdl_parse_alignment(struct tsdl_parser *p, uint32_t *out)
{
    uint32_t line = p->token.line;
    uint64_t align;
    int rc = tsdl_parse_unsigned(p, &align);
    if (rc == 0 && (align == 0 || align > UINT32_C(1) << 31 || (align & (align - 1)) != 0))
        rc = tsdl_fail(p, line, "an alignment of %" PRIu64 " bits is not a power of two", align);
    *out = (uint32_t)align;
    return rc;
}

/* Finds the value's word in a list, in which each word is preceded by its meaning. */
static int parse_word(struct tsdl_parser *p, const char *const words[][2], size_t count, const char *what,
                      uint8_t *out)
{
    for (size_t i = 0; i < count; ++i)
        if (tsdl_at_word(p, words[i][1])) {
            *out = (uint8_t)words[i][0][0];
            return tsdl_advance(p);
        }
    return tsdl_fail_expected(p, what);
}

#define PARSE_WORD(p, words, what, out) parse_word(p, words, sizeof(words) / sizeof(words)[0], what, out)

int tsdl_parse_byte_order(struct tsdl_parser *p, uint8_t *out)
{
    static const char *const words[][2] = {{"\0", "native"}, {"\1", "le"}, {"\2", "be"}, {"\2", "network"}};
    _Static_assert(CTF_ORDER_DEFAULT == 0 && CTF_LITTLE_ENDIAN == 1 && CTF_BIG_ENDIAN == 2, "as above");
    return PARSE_WORD(p, words, "le, be, network or native", out);
}

static int parse_base(struct tsdl_parser *p, uint8_t *out)
{
    static const char *const words[][2] = {
        {"\12", "decimal"}, {"\12", "dec"},         {"\12", "d"},   {"\12", "i"}, {"\12", "u"},
        {"\20", "x"},       {"\20", "hexadecimal"}, {"\20", "hex"}, {"\20", "X"}, {"\20", "p"},
        {"\10", "octal"},   {"\10", "oct"},         {"\10", "o"},   {"\2", "b"},  {"\2", "binary"}};
    uint64_t base;
    if (p->token.kind == TSDL_WORD)
        return PARSE_WORD(p, words, "a base", out);
    uint32_t line = p->token.line;
    int rc = tsdl_parse_unsigned(p, &base);
    if (rc == 0 && base != 2 && base != 8 && base != 10 && base != 16)
        rc = tsdl_fail(p, line, "a base must be 2, 8, 10 or 16, not %" PRIu64, base);
    *out = (uint8_t)base;
    return rc;
}

static int parse_bool(struct tsdl_parser *p, bool *out)
{
    static const char *const words[][2] = {{"\1", "true"}, {"\1", "TRUE"}, {"\0", "false"}, {"\0", "FALSE"}};
    uint64_t number;
    uint8_t value = 0;
    int rc;
    if (p->token.kind == TSDL_WORD) {
        rc = PARSE_WORD(p, words, "true or false", &value);
        *out = value != 0;
        return rc;
    }
    rc = tsdl_parse_unsigned(p, &number);
    *out = rc == 0 && number != 0;
    return rc;
}

static int parse_encoding(struct tsdl_parser *p, bool *is_text)
{
    static const char *const words[][2] = {{"\1", "UTF8"},  {"\1", "utf8"}, {"\1", "ASCII"},
                                           {"\1", "ascii"}, {"\0", "none"}, {"\0", "NONE"}};
    uint8_t value = 0;
    int rc = PARSE_WORD(p, words, "UTF8, ASCII or none", &value);
    *is_text = value != 0;
    return rc;
}

/* Finds a clock, which may be declared later. */
static int find_clock(struct tsdl_parser *p, const char *name, uint32_t line, const struct ctf_clock **out)
{
    struct ctf_clock *clock = ctf_trace_find_clock(p->trace, name);
    if (clock == NULL && (clock = ctf_trace_add_clock(p->trace)) != NULL) {
        clock->name = name;
        clock->line = line;
    }
    *out = clock;
    return clock != NULL ? 0 : trace_error_prefix(TRACE_ERR_FORMAT, "%s:%u", p->lexer.file, (unsigned)line);
}

/* clock.NAME.value, or clock.NAME */
static int parse_clock(struct tsdl_parser *p, const struct ctf_clock **out)
{
    uint32_t line = p->token.line;
    const char *path;
    int rc = tsdl_take_path(p, &path);
    if (rc != 0)
        return rc;
    size_t length = strlen(path);
    if (length < 7 || memcmp(path, "clock.", 6) != 0)
        return tsdl_fail(p, line, "\"%s\" is not clock.NAME.value", path);
    bool has_value = length > 12 && strcmp(path + length - 6, ".value") == 0;
    char *name = ctf_trace_copy_text(p->trace, path + 6, length - (has_value ? 12 : 6));
    return name != NULL ? find_clock(p, name, line, out) : TRACE_ERR_MEMORY;
}

int tsdl_skip_value(struct tsdl_parser *p)
{
    const char *ignored;
    uint64_t number;
    bool is_negative;
    if (p->token.kind == TSDL_WORD)
        return tsdl_take_path(p, &ignored);
    if (p->token.kind == TSDL_STRING)
        return tsdl_take_string(p, &ignored);
    return tsdl_take_number(p, &number, &is_negative);
}

/* --- blocks ---------------------------------------------------------------------------------------- */

static int parse_attribute(struct tsdl_parser *p, const char *name, struct attributes *a)
{
    if (strcmp(name, "size") == 0)
        return tsdl_parse_unsigned(p, &a->size);
    if (strcmp(name, "align") == 0)
        return tsdl_parse_alignment(p, &a->align);
    if (strcmp(name, "signed") == 0)
        return parse_bool(p, &a->is_signed);
    if (strcmp(name, "byte_order") == 0)
        return tsdl_parse_byte_order(p, &a->order);
    if (strcmp(name, "base") == 0)
        return parse_base(p, &a->base);
    if (strcmp(name, "encoding") == 0)
        return parse_encoding(p, &a->is_text);
    if (strcmp(name, "map") == 0)
        return parse_clock(p, &a->clock);
    if (strcmp(name, "exp_dig") == 0)
        return tsdl_parse_unsigned(p, &a->exponent_digits);
    if (strcmp(name, "mant_dig") == 0)
        return tsdl_parse_unsigned(p, &a->mantissa_digits);
    return tsdl_skip_value(p);
}

static int parse_attributes(struct tsdl_parser *p, struct attributes *a)
{
    const char *name;
    *a = (struct attributes){.base = 10};
    int rc = tsdl_expect_sign(p, '{');
    while (rc == 0 && !tsdl_at_sign(p, '}')) {
        rc = tsdl_take_word(p, &name, "an attribute");
        if (rc == 0)
            rc = tsdl_expect_sign(p, '=');
        if (rc == 0)
            rc = parse_attribute(p, name, a);
        if (rc == 0)
            rc = tsdl_expect_sign(p, ';');
    }
    return rc == 0 ? tsdl_expect_sign(p, '}') : rc;
}

int tsdl_parse_integer(struct tsdl_parser *p, const struct ctf_class **out)
{
    uint32_t line = p->token.line;
    struct attributes a;
    int rc = parse_attributes(p, &a);
    if (rc != 0)
        return rc;
    if (a.size < 1 || a.size > 64)
        return tsdl_fail(p, line, "the size of an integer must be 1 to 64 bits, not %" PRIu64, a.size);
    uint32_t align = a.align != 0 ? a.align : a.size % 8 == 0 ? 8 : 1;
    struct ctf_class *c = ctf_trace_new_class(p->trace, CTF_INTEGER, align);
    if (c == NULL)
        return TRACE_ERR_MEMORY;
    c->u.integer = (struct ctf_integer){.size = (uint8_t)a.size,
                                        .base = a.base,
                                        .order = a.order,
                                        .is_signed = a.is_signed,
                                        .is_character = a.is_text && a.size == 8 && align == 8,
                                        .clock = a.clock};
    *out = c;
    return 0;
}

int tsdl_parse_float(struct tsdl_parser *p, const struct ctf_class **out)
{
    uint32_t line = p->token.line;
    struct attributes a;
    int rc = parse_attributes(p, &a);
    if (rc != 0)
        return rc;
    uint8_t size = ctf_float_size(a.exponent_digits, a.mantissa_digits);
    if (size == 0)
        return tsdl_fail(
            p, line,
            "exp_dig and mant_dig must be 5 and 11, 8 and 24, 11 and 53, or 15 and 113, not %" PRIu64
            " and %" PRIu64,
            a.exponent_digits, a.mantissa_digits);
    struct ctf_class *c = ctf_trace_new_class(p->trace, CTF_FLOAT, a.align != 0 ? a.align : 1);
    if (c == NULL)
        return TRACE_ERR_MEMORY;
    c->u.real = (struct ctf_float){.size = size, .order = a.order};
    *out = c;
    return 0;
}

int tsdl_parse_string(struct tsdl_parser *p, const struct ctf_class **out)
{
    struct attributes a;
    int rc = tsdl_at_sign(p, '{') ? parse_attributes(p, &a) : 0;
    if (rc == 0)
        *out = ctf_trace_new_class(p->trace, CTF_STRING, 8);
    return rc == 0 && *out == NULL ? TRACE_ERR_MEMORY : rc;
}
