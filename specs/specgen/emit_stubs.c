/* SPDX-License-Identifier: MIT */
#include "specgen/emit_stubs.h"
#include "specgen/shapes.h"

static bool widens_signed(enum spec_type type)
{
    return type == SPEC_I8 || type == SPEC_I16 || type == SPEC_I32 || type == SPEC_I64 || type == SPEC_IPTR;
}

/* The member of union spec_arg that holds the parameter. */
static const char *member_of(const struct param *p)
{
    if (is_pointer(p) || p->type == SPEC_PTR)
        return "p";
    if (p->type == SPEC_F32)
        return "f32";
    if (p->type == SPEC_F64)
        return "f64";
    return widens_signed(p->type) ? "i" : "u";
}

static const char *type_of(const struct param *p)
{
    return abi_type(p->type, is_pointer(p));
}

static bool returns(const struct function *f)
{
    return is_pointer(&f->ret) || f->ret.type != SPEC_VOID;
}

/* "uint32_t target" or "void *data" */
static void emit_parameter(struct buf *out, const struct param *p)
{
    const char *type = type_of(p);
    bool pointer = is_pointer(p) || p->type == SPEC_PTR;
    buf_printf(out, "%s%s%s", type, pointer ? "" : " ", p->name);
}

static void emit_prototype(struct buf *out, const struct function *f)
{
    bool pointer = is_pointer(&f->ret) || f->ret.type == SPEC_PTR;
    buf_printf(out, "CAPTURE_EXPORT %s%s%s(", type_of(&f->ret), pointer ? "" : " ", f->name);
    for (unsigned k = 0; k < f->param_count; ++k) {
        buf_printf(out, "%s", k > 0 ? ", " : "");
        emit_parameter(out, &f->params[k]);
    }
    buf_printf(out, "%s)", f->param_count == 0 ? "void" : "");
}

/* Initialising the float or pointer member alone would leave the other half of the union unspecified. */
static void emit_arguments(struct buf *out, const struct function *f)
{
    buf_printf(out, "    union spec_arg args[%u] = {", f->param_count);
    for (unsigned k = 0; k < f->param_count; ++k) {
        const struct param *p = &f->params[k];
        buf_printf(out, "%s", k > 0 ? ", " : "");
        if (!is_pointer(p) && p->type == SPEC_F32)
            buf_printf(out, "spec_arg_f32(%s)", p->name);
        else if (member_of(p)[0] == 'p')
            buf_printf(out, "spec_arg_ptr(%s)", p->name);
        else
            buf_printf(out, "{.%s = %s}", member_of(p), p->name);
    }
    buf_printf(out, "};\n");
}

static void emit_real_call(struct buf *out, const struct function *f)
{
    buf_printf(out, "    ");
    if (returns(f))
        buf_printf(out, "ret.%s = ", member_of(&f->ret));
    buf_printf(out, "((%s (*)(", type_of(&f->ret));
    for (unsigned k = 0; k < f->param_count; ++k)
        buf_printf(out, "%s%s", k > 0 ? ", " : "", type_of(&f->params[k]));
    buf_printf(out, "%s))real)(", f->param_count == 0 ? "void" : "");
    for (unsigned k = 0; k < f->param_count; ++k) {
        const struct param *p = &f->params[k];
        const char *member = member_of(p);
        bool cast = (member[0] == 'i' || member[0] == 'u') &&
                    (spec_type_size(p->type) < 8 || p->type == SPEC_IPTR || p->type == SPEC_UPTR);
        buf_printf(out, "%s%s%s%sargs[%u].%s", k > 0 ? ", " : "", cast ? "(" : "", cast ? type_of(p) : "",
                   cast ? ")" : "", k, member);
    }
    buf_printf(out, ");\n");
}

static void emit_stub(struct buf *out, const struct function *f)
{
    const char *args = f->param_count > 0 ? "args" : "NULL";
    buf_printf(out, "\n");
    emit_prototype(out, f);
    buf_printf(out, "\n{\n");
    if (f->param_count > 0)
        emit_arguments(out, f);
    if (returns(f))
        buf_printf(out, "    union spec_arg ret = {.u = 0};\n");
    buf_printf(out,
               "    struct capture_call call;\n    capture_function real = capture_enter(&call, SPEC_FN_%s, "
               "%s, __builtin_dwarf_cfa());\n",
               f->name, args);
    emit_real_call(out, f);
    buf_printf(out, "    capture_leave(&call, %s, %s);\n", args, returns(f) ? "&ret" : "NULL");
    if (returns(f))
        buf_printf(out, "    return %s%s%sret.%s;\n", is_pointer(&f->ret) ? "" : "(",
                   is_pointer(&f->ret) ? "" : type_of(&f->ret), is_pointer(&f->ret) ? "" : ")",
                   member_of(&f->ret));
    buf_printf(out, "}\n");
}

void emit_stubs(struct specgen *g, struct buf *out)
{
    emit_banner(out,
                "The exported functions: each hands its arguments to the capture core around the real call.");
    buf_printf(out,
               "#include \"capture/capture.h\"\n\n#include \"runtime/spec.h\"\n#include \"spec_ids.h\"\n\n"
               "/* The public headers declare these with the APIs' own types, which are not wanted here. */\n"
               "#pragma GCC diagnostic ignored \"-Wmissing-prototypes\"\n");
    for (size_t i = 0; i < g->functions.count; ++i) {
        const struct function *f = LIST_AT(struct function *, g->functions, i);
        if (f->api != SPEC_API_C)
            emit_stub(out, f);
    }
    buf_printf(out, "\n/* By function id; NULL for functions that are not wrapped. */\n"
                    "void (*const capture_stubs[SPEC_FUNCTION_COUNT])(void) = {\n");
    for (size_t i = 0; i < g->functions.count; ++i) {
        const struct function *f = LIST_AT(struct function *, g->functions, i);
        if (f->api != SPEC_API_C)
            buf_printf(out, "    [SPEC_FN_%s] = (void (*)(void))%s,\n", f->name, f->name);
    }
    buf_printf(out, "};\n");
}
