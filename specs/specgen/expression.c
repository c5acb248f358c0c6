/* SPDX-License-Identifier: MIT */
#include "runtime/length_code.h"
#include "specgen/expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Grammar, loosest first:
 *   choice  = compare [ "?" choice ":" choice ]
 *   compare = sum [ ("==" | "!=" | "<") sum ]
 *   sum     = product { ("+" | "-") product }
 *   product = operand { ("*" | "/") operand }
 *   operand = NUMBER | ENUM | PARAMETER | PARAMETER "[" choice "]" | STATE | NAME "(" [list] ")"
 *           | "result" | "offset" | "unknown" | "(" choice ")"
 * A pointer parameter's name stands for the first element it points at.
 * The parser writes code as it reads, and keeps count of the stack's depth. */
struct compiler {
    struct specgen *g;
    const struct function *f;
    const char *s;
    const char *error;
    struct list code;        /* uint16_t */
    unsigned depth, deepest; /* number of values on the stack */
    unsigned nesting;        /* nesting of choice(), which is recursive */
};

#define MAX_NESTING 64

static void choice(struct compiler *c);

static void fail(struct compiler *c, const char *message)
{
    if (c->error == NULL)
        c->error = message;
}

static void word(struct compiler *c, unsigned value)
{
    uint16_t w = (uint16_t)value;
    list_push(c->g, &c->code, &w, sizeof w);
}

/* Adds an instruction that leaves `change` more values on the stack. */
static void op(struct compiler *c, enum length_op code, int change)
{
    word(c, code);
    c->depth = (unsigned)((int)c->depth + change);
    if (c->depth > c->deepest)
        c->deepest = c->depth;
}

static void skip_blanks(struct compiler *c)
{
    while (isspace((unsigned char)*c->s))
        c->s++;
}

static bool accept(struct compiler *c, const char *token)
{
    skip_blanks(c);
    size_t n = strlen(token);
    if (strncmp(c->s, token, n) != 0)
        return false;
    c->s += n;
    return true;
}

static void expect(struct compiler *c, const char *token)
{
    if (!accept(c, token))
        fail(c, *c->s == '\0' ? specgen_format(c->g, "'%s' expected at the end", token)
                              : specgen_format(c->g, "'%s' expected at '%s'", token, c->s));
}

static void constant(struct compiler *c, int64_t value)
{
    if (value < INT32_MIN || value > INT32_MAX)
        fail(c, "number does not fit in 32 bits");
    op(c, LENGTH_CONST, 1);
    word(c, (uint32_t)value & 0xffff);
    word(c, (uint32_t)value >> 16);
}

static void number(struct compiler *c)
{
    char *end;
    long long value = strtoll(c->s, &end, 0);
    c->s = end;
    constant(c, value);
}

/* attribs(TERMINATOR, KEY…): the keys are those that have no value after them. */
static void attribs(struct compiler *c)
{
    op(c, LENGTH_ATTRIBS, 1);
    size_t at = c->code.count;
    word(c, 0);
    do {
        skip_blanks(c);
        size_t n = strcspn(c->s, ",) \t");
        const char *name = specgen_strndup(c->g, c->s, n);
        const struct enum_value *e = find_enum(c->g, name);
        char *end;
        long long value = e != NULL ? e->value : strtoll(name, &end, 0);
        if (e == NULL && (n == 0 || *end != '\0'))
            fail(c, specgen_format(c->g, "'%s' is neither an enum nor a number", name));
        if (value < 0 || value > UINT16_MAX)
            fail(c, specgen_format(c->g, "%s does not fit in 16 bits", name));
        c->s += n;
        word(c, (unsigned)value);
    } while (accept(c, ","));
    LIST_AT(uint16_t, c->code, at) = (uint16_t)(c->code.count - at - 1);
    expect(c, ")");
}

/* present(PARAMETER): whether an optional pointer was given */
static void present(struct compiler *c)
{
    skip_blanks(c);
    size_t n = strcspn(c->s, ") \t");
    int index = find_param(c->f, c->s, n);
    if (index < 0 || c->f->params[index].c.pointers == 0)
        fail(c, specgen_format(c->g, "'%.*s' is not a pointer parameter of %s", (int)n, c->s, c->f->name));
    c->s += n;
    op(c, LENGTH_PRESENT, 1);
    word(c, index < 0 ? 0 : (unsigned)index);
    expect(c, ")");
}

static unsigned arguments(struct compiler *c)
{
    unsigned n = 0;
    if (accept(c, ")"))
        return 0;
    do {
        choice(c);
        ++n;
    } while (c->error == NULL && accept(c, ","));
    expect(c, ")");
    return n;
}

static void want_operands(struct compiler *c, const char *name, unsigned count, unsigned want)
{
    if (count != want)
        fail(c, specgen_format(c->g, "%s() takes %u operand%s, not %u", name, want, want == 1 ? "" : "s",
                               count));
}

static void call(struct compiler *c, const char *name)
{
    static const struct {
        const char *name;
        unsigned operands;
    } calls[] = {
#define X(id, operands) {#id, operands},
        LENGTH_CALLS(X)
#undef X
    };
    if (strcmp(name, "attribs") == 0) {
        attribs(c);
        return;
    }
    if (strcmp(name, "present") == 0) {
        present(c);
        return;
    }
    unsigned n = arguments(c);
    if (strcmp(name, "max") == 0 || strcmp(name, "min") == 0) {
        want_operands(c, name, n, 2);
        op(c, name[1] == 'a' ? LENGTH_MAX : LENGTH_MIN, -1);
        return;
    }
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; ++i) {
        if (strcmp(name, calls[i].name) != 0)
            continue;
        want_operands(c, name, n, calls[i].operands);
        op(c, LENGTH_CALL, 1 - (int)n);
        word(c, i);
        return;
    }
    for (unsigned i = 0; i < c->g->tables.count; ++i) {
        if (strcmp(name, LIST_AT(struct count_table *, c->g->tables, i)->name) != 0)
            continue;
        want_operands(c, name, n, 1);
        op(c, LENGTH_LOOKUP, 0);
        word(c, i);
        return;
    }
    fail(c, specgen_format(c->g, "unknown function or count table '%s'", name));
}

static void parameter(struct compiler *c, unsigned index)
{
    const struct param *p = &c->f->params[index];
    bool pointer = p->c.pointers > 0;
    if (accept(c, "[")) {
        choice(c);
        expect(c, "]");
        op(c, LENGTH_ELEMENT, 0);
        if (!pointer)
            fail(c, specgen_format(c->g, "'%s' is not a pointer", p->name));
    } else {
        op(c, pointer ? LENGTH_LOAD : LENGTH_ARG, 1);
    }
    word(c, index);
}

static void result(struct compiler *c)
{
    const struct c_type *type = &c->f->ret.c;
    if (type->pointers > 0 || strcmp(type->base, "void") == 0)
        fail(c, specgen_format(c->g, "%s does not return a number", c->f->name));
    op(c, LENGTH_RESULT, 1);
}

static void name_operand(struct compiler *c)
{
    static const char *const states[] = {
#define X(id) #id,
        LENGTH_STATES(X)
#undef X
    };
    size_t n = 0;
    while (isalnum((unsigned char)c->s[n]) || c->s[n] == '_')
        ++n;
    const char *name = specgen_strndup(c->g, c->s, n);
    c->s += n;
    int index = find_param(c->f, name, n);
    if (accept(c, "(")) {
        call(c, name);
    } else if (index >= 0) {
        parameter(c, (unsigned)index);
    } else if (strcmp(name, "result") == 0) {
        result(c);
    } else if (strcmp(name, "offset") == 0) {
        op(c, LENGTH_OFFSET, 1);
    } else if (strcmp(name, "unknown") == 0) {
        op(c, LENGTH_UNKNOWN, 1);
    } else if (find_enum(c->g, name) != NULL) {
        constant(c, find_enum(c->g, name)->value);
    } else {
        for (unsigned i = 0; i < sizeof states / sizeof *states; ++i) {
            if (strcmp(name, states[i]) == 0) {
                op(c, LENGTH_STATE, 1);
                word(c, i);
                return;
            }
        }
        fail(c, specgen_format(c->g, "'%s' is neither a parameter of %s nor a name known here", name,
                               c->f->name));
    }
}

static void operand(struct compiler *c)
{
    skip_blanks(c);
    if (isdigit((unsigned char)*c->s)) {
        number(c);
    } else if (isalpha((unsigned char)*c->s) || *c->s == '_') {
        name_operand(c);
    } else if (accept(c, "(")) {
        choice(c);
        expect(c, ")");
    } else {
        fail(c, *c->s == '\0' ? "an operand is missing at the end"
                              : specgen_format(c->g, "an operand is expected at '%s'", c->s));
    }
}

static void product(struct compiler *c)
{
    operand(c);
    while (c->error == NULL) {
        enum length_op code = accept(c, "*") ? LENGTH_MUL : accept(c, "/") ? LENGTH_DIV : LENGTH_END;
        if (code == LENGTH_END)
            return;
        operand(c);
        op(c, code, -1);
    }
}

static void sum(struct compiler *c)
{
    product(c);
    while (c->error == NULL) {
        enum length_op code = accept(c, "+") ? LENGTH_ADD : accept(c, "-") ? LENGTH_SUB : LENGTH_END;
        if (code == LENGTH_END)
            return;
        product(c);
        op(c, code, -1);
    }
}

static void compare(struct compiler *c)
{
    sum(c);
    enum length_op code = accept(c, "==")   ? LENGTH_EQ
                          : accept(c, "!=") ? LENGTH_NE
                          : accept(c, "<")  ? LENGTH_LT
                                            : LENGTH_END;
    if (code != LENGTH_END) {
        sum(c);
        op(c, code, -1);
    }
}

static size_t jump(struct compiler *c, enum length_op code, int change)
{
    op(c, code, change);
    word(c, 0);
    return c->code.count;
}

static void land(struct compiler *c, size_t after_jump)
{
    LIST_AT(uint16_t, c->code, after_jump - 1) = (uint16_t)(c->code.count - after_jump);
}

static void alternatives(struct compiler *c)
{
    compare(c);
    if (c->error != NULL || !accept(c, "?"))
        return;
    size_t otherwise = jump(c, LENGTH_JUMP_IF_ZERO, -1);
    choice(c);
    expect(c, ":");
    size_t end = jump(c, LENGTH_JUMP, -1);
    land(c, otherwise);
    choice(c);
    land(c, end);
}

static void choice(struct compiler *c)
{
    c->nesting++;
    if (c->nesting > MAX_NESTING)
        fail(c, "the expression nests too deeply");
    else
        alternatives(c);
    c->nesting--;
}

bool expression_compile(struct specgen *g, const char *text, const struct function *f, struct length *out,
                        const char **error)
{
    struct compiler c = {.g = g, .f = f, .s = text};
    choice(&c);
    skip_blanks(&c);
    if (c.error == NULL && *c.s != '\0')
        fail(&c, specgen_format(g, "cannot understand '%s'", c.s));
    op(&c, LENGTH_END, 0);
    if (c.error == NULL && c.deepest > LENGTH_STACK)
        fail(&c, "the expression nests too deeply");
    *out = (struct length){c.code.items, (unsigned)c.code.count};
    *error = c.error;
    return c.error == NULL;
}
