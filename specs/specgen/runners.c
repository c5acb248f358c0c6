/* SPDX-License-Identifier: MIT */
#include "specgen/runners.h"

#include "runtime/packed.h"
#include "specgen/arrays.h"
#include "specgen/shapes.h"

/* Returns the number of elements of the array that p points to, if those are counted in arrays and there is
 * one; 0: it is another length, or too long. */
static unsigned packed_length(const struct param *p)
{
    unsigned unit, count;
    return array_length(&p->length, &unit, &count) && unit <= SPEC_PACKED_ELEMENTS ? unit : 0;
}

/* Which names a call creates or deletes has to be noted. */
static bool changes_names(const struct param *p)
{
    return p->object != 0 && (p->flags & (SPEC_PARAM_CREATE | SPEC_PARAM_DELETE)) != 0;
}

/* Addresses mean nothing in another process. */
static bool is_packed_value(const struct param *p)
{
    bool is_number = !is_pointer(p) && p->form == SPEC_FORM_VALUE && p->type != SPEC_PTR;
    bool is_name = p->object != 0 && p->type != SPEC_F32 && p->type != SPEC_F64 && !changes_names(p);
    return is_number && (p->object == 0 || is_name);
}

static bool can_be_packed(const struct function *f)
{
    int array = array_only(f);
    bool can = f->api == SPEC_API_GL && f->replay == NULL && f->param_count <= SPEC_PACKED_PARAMS &&
               !changes_names(&f->ret);
    for (unsigned k = 0; can && k < f->param_count; ++k) {
        const struct param *p = &f->params[k];
        can = is_packed_value(p) || (p->object == 0 && (int)k == array && packed_length(p) > 0);
    }
    return can;
}

/* The type of a member of the struct: a value has 32 or 64 bits, and keeps its sign if it was widened. */
static const char *member_type(const struct param *p)
{
    if (is_pointer(p))
        return abi_type(p->type, false);
    switch (p->type) {
    case SPEC_F32:
        return "float";
    case SPEC_F64:
        return "_Alignas(8) double";
    case SPEC_I8:
    case SPEC_I16:
        return "int32_t";
    case SPEC_I64:
    case SPEC_U64:
    case SPEC_IPTR:
    case SPEC_UPTR:
        return "_Alignas(8) uint64_t";
    default:
        return "uint32_t";
    }
}

/* What makes a runner: its prototype and its struct. */
static void put_signature(struct buf *out, const struct function *f)
{
    buf_printf(out, "%u", f->shape);
    for (unsigned k = 0; k < f->param_count; ++k)
        buf_printf(out, ",%s %u", member_type(&f->params[k]),
                   is_pointer(&f->params[k]) ? packed_length(&f->params[k]) : 0);
}

void runners_assign(struct specgen *g)
{
    struct string_map runners = {NULL, 0, 0};
    for (size_t i = 0; i < g->functions.count; ++i) {
        struct function *f = LIST_AT(struct function *, g->functions, i);
        struct buf text = BUF_INIT;
        uint64_t id = 0;
        put_signature(&text, f);
        if (can_be_packed(f) && !string_map_get(&runners, (const char *)text.data, &id))
            index_set(g, &runners, (const char *)text.data, id = runners.len + 1);
        f->runner = (unsigned)id;
        buf_fini(&text);
    }
    string_map_fini(&runners);
}

static void emit_members(struct buf *out, const struct function *f)
{
    if (f->param_count == 0)
        return;
    buf_printf(out, "    const struct {\n");
    for (unsigned k = 0; k < f->param_count; ++k) {
        buf_printf(out, "        %s p%u", member_type(&f->params[k]), k);
        if (is_pointer(&f->params[k]))
            buf_printf(out, "[%u]", packed_length(&f->params[k]));
        buf_printf(out, ";\n");
    }
    buf_printf(out, "    } *a = args;\n");
}

static void emit_runner(struct buf *out, const struct function *f)
{
    buf_printf(
        out,
        "\n/* %s */\nstatic void run_%u(const struct spec_function *f, void (*fn)(void), const void *args,\n"
        "    size_t count)\n{\n",
        f->name, f->runner);
    emit_members(out, f);
    buf_printf(out, "    (void)f;\n%s    for (size_t i = 0; i < count; ++i)\n        ((%s (*)(",
               f->param_count == 0 ? "    (void)args;\n" : "", abi_type(f->ret.type, is_pointer(&f->ret)));
    for (unsigned k = 0; k < f->param_count; ++k) {
        const struct param *p = &f->params[k];
        buf_printf(out, "%s%s%s", k > 0 ? ", " : "", is_pointer(p) ? "const " : "",
                   abi_type(p->type, is_pointer(p)));
    }
    buf_printf(out, "%s))fn)(", f->param_count == 0 ? "void" : "");
    for (unsigned k = 0; k < f->param_count; ++k) {
        const struct param *p = &f->params[k];
        buf_printf(out, "%s", k > 0 ? ", " : "");
        if (!is_pointer(p))
            buf_printf(out, "(%s)", abi_type(p->type, false));
        buf_printf(out, "a[i].p%u", k);
    }
    buf_printf(out, ");\n}\n");
}

void emit_runners(struct specgen *g, struct buf *out)
{
    unsigned last = 0;
    emit_banner(out, "Calls functions with packed arguments.");
    buf_printf(out, "#include \"runtime/packed.h\"\n");
    for (size_t i = 0; i < g->functions.count; ++i) {
        const struct function *f = LIST_AT(const struct function *, g->functions, i);
        if (f->runner == last + 1) {
            emit_runner(out, f);
            last++;
        }
    }
    buf_printf(out, "\nspec_runner spec_find_runner(const struct spec_function *f)\n{\n"
                    "    static const spec_runner runners[] = {\n        NULL,\n");
    for (unsigned i = 1; i <= last; ++i)
        buf_printf(out, "        run_%u,\n", i);
    buf_printf(out, "    };\n    return runners[f->runner];\n}\n");
}
