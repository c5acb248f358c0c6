/* SPDX-License-Identifier: MIT */
#include "specgen/shapes.h"

#include <string.h>

/* A shape is a function's signature in terms of what ABIs distinguish: pointers and integers of their size
 * are one kind, and so are 32-bit integers and 64-bit integers of either sign as parameters. Narrower ones
 * keep their sign because callees may rely on the caller's extension; return values keep theirs because the
 * caller widens them. */
const char *abi_type(enum spec_type type, bool pointer)
{
    static const char *const names[SPEC_TYPE_COUNT] = {
        "void",    "int8_t",   "uint8_t",  "int16_t",   "uint16_t", "int32_t", "uint32_t",
        "int64_t", "uint64_t", "intptr_t", "uintptr_t", "float",    "double",  "void *"};
    return pointer ? names[SPEC_PTR] : names[type];
}

static enum spec_type shape_type(const struct param *p, bool is_return)
{
    enum spec_type type = is_pointer(p) ? SPEC_PTR : p->type;
    if (type == SPEC_PTR)
        return SPEC_UPTR;
    if (type == SPEC_I64)
        return SPEC_U64;
    if (type == SPEC_IPTR && !is_return)
        return SPEC_UPTR;
    return type == SPEC_I32 && !is_return ? SPEC_U32 : type;
}

static const char *signature(struct specgen *g, struct function *f)
{
    char *text = specgen_alloc(g, f->param_count + 2);
    for (unsigned k = 0; k <= f->param_count; ++k)
        text[k] = (char)('a' + shape_type(param_at(f, k), k == f->param_count));
    return text;
}

unsigned shapes_assign(struct specgen *g)
{
    struct string_map shapes = {NULL, 0, 0};
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        const char *text = signature(g, f);
        uint64_t id;
        if (!string_map_get(&shapes, text, &id)) {
            id = shapes.len;
            index_set(g, &shapes, text, id);
        }
        f->shape = (unsigned)id;
    }
    unsigned count = (unsigned)shapes.len;
    string_map_fini(&shapes);
    return count;
}

/* Writes a case of the switch: the call through a pointer of the shape's type. */
static void emit_case(struct buf *out, struct function *f)
{
    enum spec_type ret = shape_type(&f->ret, true);
    bool narrow_signed = ret == SPEC_I8 || ret == SPEC_I16 || ret == SPEC_I32 || ret == SPEC_IPTR;
    buf_printf(out, "    case %u: /* %s */\n        ", f->shape, f->name);
    if (ret == SPEC_F32 || ret == SPEC_F64)
        buf_printf(out, "ret->%s = ", ret == SPEC_F32 ? "f32" : "f64");
    else if (ret != SPEC_VOID)
        buf_printf(out, "ret->%c = ", narrow_signed ? 'i' : 'u');
    buf_printf(out, "((%s (*)(", abi_type(ret, false));
    for (unsigned k = 0; k < f->param_count; ++k)
        buf_printf(out, "%s%s", k > 0 ? ", " : "", abi_type(shape_type(&f->params[k], false), false));
    buf_printf(out, "%s))fn)(", f->param_count == 0 ? "void" : "");
    for (unsigned k = 0; k < f->param_count; ++k) {
        enum spec_type type = shape_type(&f->params[k], false);
        buf_printf(out, "%s", k > 0 ? ", " : "");
        if (type == SPEC_F32 || type == SPEC_F64)
            buf_printf(out, "a[%u].%s", k, type == SPEC_F32 ? "f32" : "f64");
        else if (type == SPEC_U64)
            buf_printf(out, "a[%u].u", k);
        else
            buf_printf(out, "(%s)a[%u].u", abi_type(type, false), k);
    }
    buf_printf(out, ");\n        break;\n");
}

void emit_invokers(struct specgen *g, struct buf *out)
{
    emit_banner(out, "Calls functions by ABI shape.");
    buf_printf(out,
               "#include \"runtime/invoke.h\"\n\n"
               "void spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *a,\n"
               "                 union spec_arg *ret)\n{\n    ret->u = 0;\n    switch (f->shape) {\n");
    unsigned next = 0;
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        if (f->shape != next) /* shapes are numbered in the order of their first function */
            continue;
        emit_case(out, f);
        next++;
    }
    buf_printf(out, "    }\n}\n");
}
