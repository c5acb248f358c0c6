/* SPDX-License-Identifier: MIT */
#include "specgen/annotation.h"
#include "specgen/declare.h"
#include "specgen/derive.h"
#include "specgen/emit_stubs.h"
#include "specgen/emit_tables.h"
#include "specgen/objects.h"
#include "specgen/registry.h"
#include "specgen/report.h"
#include "specgen/rules.h"
#include "specgen/runners.h"
#include "specgen/shapes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: specgen [--report] [-o DIRECTORY] FILE.xml… FILE.annot…\n"
    "Writes tables, stubs and invokers for the commands of Khronos registries into DIRECTORY.\n"
    "  --report   list the pointers that no rule describes\n";

static bool has_suffix(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcmp(path + n - m, suffix) == 0;
}

static void init(struct specgen *g)
{
    *g = (struct specgen){.errors = 0};
    arena_init(&g->arena);
    group_intern(g, "GLenum", false);
    object_intern(g, "none");
}

static void fini(struct specgen *g)
{
    string_map_fini(&g->function_index);
    string_map_fini(&g->enum_index);
    string_map_fini(&g->group_index);
    string_map_fini(&g->type_index);
    arena_fini(&g->arena);
}

/* Functions of plain C come first, so that their ids do not change when a registry grows. */
static void number_functions(struct specgen *g)
{
    struct list ordered = {NULL, 0, 0};
    for (int pass = 0; pass < 2; ++pass) {
        for (size_t i = 0; i < g->functions.count; ++i) {
            struct function *f = LIST_AT(struct function *, g->functions, i);
            if ((f->api == SPEC_API_C) == (pass == 0)) {
                f->id = (unsigned)ordered.count;
                list_push(g, &ordered, &f, sizeof f);
            }
        }
    }
    g->functions = ordered;
    g->shape_count = shapes_assign(g);
    runners_assign(g);
}

static void read_all(struct specgen *g, char **files, int count)
{
    for (int i = 0; i < count; ++i)
        if (has_suffix(files[i], ".xml"))
            registry_read(g, files[i]);
    for (int i = 0; i < count; ++i)
        if (has_suffix(files[i], ".annot"))
            annotation_read(g, files[i]);
    registry_finish(g);
    for (size_t i = 0; i < g->rules.count; ++i)
        if (declare_is(LIST_AT(struct rule, g->rules, i).kind))
            declare_apply(g, &LIST_AT(struct rule, g->rules, i));
    if (g->errors > 0)
        return; /* further messages would repeat these errors */
    derive_all(g);
    if (g->errors == 0)
        rules_apply(g);
    if (g->errors == 0)
        objects_check(g);
    if (g->errors == 0)
        number_functions(g);
}

/* Returns true if the file at path already has this contents. */
static bool holds(const char *path, const struct buf *text)
{
    FILE *file = fopen(path, "r");
    bool same = file != NULL;
    for (size_t at = 0; same;) {
        char block[4096];
        size_t n = fread(block, 1, sizeof block, file);
        same = n <= text->len - at && memcmp(block, text->data + at, n) == 0;
        at += n;
        if (n < sizeof block) {
            same = same && at == text->len && !ferror(file);
            break;
        }
    }
    if (file != NULL)
        fclose(file);
    return same;
}

/* Does not write a file that would not change, so that what depends on it is not built again. */
static int write_file(const char *directory, const char *name, const struct buf *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    if (holds(path, text))
        return 0;
    FILE *file = fopen(path, "w");
    bool ok = file != NULL && fwrite(text->data, 1, text->len, file) == text->len;
    int saved = errno;
    if (file != NULL && fclose(file) != 0 && ok) {
        ok = false;
        saved = errno;
    }
    if (!ok)
        fprintf(stderr, "%s: error: %s\n", path, strerror(saved));
    return ok ? 0 : 1;
}

static void emit_hooks(struct specgen *g, struct buf *out)
{
    emit_names(g, out, "WRAPPER_HOOK", &g->hooks);
}

static void emit_handlers(struct specgen *g, struct buf *out)
{
    emit_names(g, out, "REPLAY_HANDLER", &g->handlers);
}

static int write_all(struct specgen *g, const char *directory)
{
    static const struct {
        const char *name;
        void (*emit)(struct specgen *, struct buf *);
    } outputs[] = {
        {"spec_tables.c", emit_tables},
        {"spec_ids.h", emit_ids},
        {"stubs.c", emit_stubs},
        {"invokers.c", emit_invokers},
        {"runners.c", emit_runners},
        {"wrapper_hooks.inc", emit_hooks},
        {"replay_handlers.inc", emit_handlers},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; ++i) {
        struct buf text = BUF_INIT;
        outputs[i].emit(g, &text);
        failed |= write_file(directory, outputs[i].name, &text);
        buf_fini(&text);
    }
    return failed;
}

int main(int argc, char **argv)
{
    const char *directory = NULL;
    bool report = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; ++first) {
        if (strcmp(argv[first], "--report") == 0) {
            report = true;
        } else if (strcmp(argv[first], "-o") == 0 && first + 1 < argc) {
            directory = argv[++first];
        } else {
            fputs(usage, stderr);
            return 2;
        }
    }
    if (first == argc) {
        fputs(usage, stderr);
        return 2;
    }
    struct specgen g;
    init(&g);
    read_all(&g, argv + first, argc - first);
    int failed = g.errors > 0;
    if (!failed && report)
        report_print(&g);
    if (!failed && directory != NULL)
        failed = write_all(&g, directory);
    fini(&g);
    return failed;
}
