/* SPDX-License-Identifier: MIT
 * trace-cli diff-state: what differs between state dumps, which retrace -D makes.
 */
#include "shell/command.h"

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json_reader.h"
#include "diff/state_print.h"
#include "diff/state_tree.h"
#include "shell/color_mode.h"
#include "shell/pager.h"
#include "shell/write_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATUS_SAME = 0, STATUS_DIFFER = 1, STATUS_ERROR = 2 };

struct diff_state_options {
    bool ignore_added, keep_images;
    enum color_mode color;
};

/* The dumps of a file. */
struct dumps {
    struct arena arena;
    struct buf bytes;
    struct json_value *values;
    size_t count, room;
};

static int read_file(struct buf *out, const char *path)
{
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(path, "rb");
    int rc = 0;
    if (file == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    for (;;) {
        if ((rc = buf_reserve(out, 65536)) != 0)
            break;
        size_t n = fread(out->data + out->len, 1, out->cap - out->len, file);
        out->len += n;
        if (n == 0)
            break;
    }
    if (rc == 0 && ferror(file))
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    if (!is_stdin)
        fclose(file);
    return rc;
}

static int parse(struct dumps *d, bool keep_images)
{
    struct json_reader reader;
    bool found = true;
    json_reader_init(&reader, &d->arena, d->bytes.data, d->bytes.len);
    for (;;) {
        if (ARRAY_RESERVE(d->values, d->count, d->room) != 0)
            return TRACE_ERR_MEMORY;
        int rc = json_reader_next(&reader, &d->values[d->count], &found);
        if (rc != 0)
            return rc;
        if (!found)
            return d->count > 0 ? 0 : trace_error_set(TRACE_ERR_FORMAT, "there is no state dump in it");
        state_tree_prepare(&d->values[d->count++], keep_images);
    }
}

static int load(struct dumps *d, const char *path, bool keep_images)
{
    arena_init(&d->arena);
    int rc = read_file(&d->bytes, path);
    if (rc != 0)
        return rc;
    rc = parse(d, keep_images);
    return rc != 0 ? trace_error_prefix(rc, "%s", path) : 0;
}

static void dumps_fini(struct dumps *d)
{
    arena_fini(&d->arena);
    buf_fini(&d->bytes);
    free(d->values);
}

/* --- comparison ------------------------------------------------------------------------------------ */

/* Prints the differences of the dumps that are at the same place in both files. *differ: whether there are
 * any. */
static int compare(const struct diff_state_options *o, const struct dumps *a, const struct dumps *b,
                   struct buf *out, bool *differ)
{
    size_t count = a->count > b->count ? a->count : b->count;
    struct state_print p = {
        .out = out, .color = color_mode_wants_color(o->color), .ignore_added = o->ignore_added};
    for (size_t i = 0; i < count; ++i) {
        const struct json_value *av = i < a->count ? &a->values[i] : NULL;
        const struct json_value *bv = i < b->count ? &b->values[i] : NULL;
        if (state_tree_equal(av, bv, o->ignore_added))
            continue;
        *differ = true;
        if (count > 1)
            p.failed |= buf_printf(out, "dump %zu:\n", i + 1) != 0;
        if (av == NULL || bv == NULL)
            p.failed |= buf_printf(out, "only in the %s file\n", av != NULL ? "first" : "second") != 0;
        else
            state_print_difference(&p, av, bv);
        if (out->len > 0 && out->data[out->len - 1] != '\n')
            p.failed |= buf_append_byte(out, '\n') != 0;
    }
    return p.failed ? trace_error_set(TRACE_ERR_MEMORY, "out of memory for the differences") : 0;
}

static int print(const struct diff_state_options *o, struct buf *text, bool differ)
{
    bool wants_pager = text->len > 0 && color_mode_is_interactive(o->color);
    pid_t pager = wants_pager ? pager_start(differ ? STATUS_DIFFER : STATUS_SAME) : 0;
    int rc = write_output(text);
    if (pager != 0)
        pager_finish(pager);
    return rc;
}

static int diff_files(const struct diff_state_options *o, const char *first, const char *second)
{
    struct dumps a = {.count = 0}, b = {.count = 0};
    struct buf text = BUF_INIT;
    bool differ = false;
    int rc = load(&a, first, o->keep_images);
    if (rc == 0)
        rc = load(&b, second, o->keep_images);
    if (rc == 0)
        rc = compare(o, &a, &b, &text, &differ);
    if (rc == 0)
        rc = print(o, &text, differ);
    buf_fini(&text);
    dumps_fini(&a);
    dumps_fini(&b);
    if (rc == 0)
        return differ ? STATUS_DIFFER : STATUS_SAME;
    cli_print_error();
    return STATUS_ERROR;
}

static int run_diff_state(const struct cli_command *self, int argc, char **argv)
{
    struct diff_state_options o = {.color = COLOR_AUTO};
    struct cli_operands operands;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &o, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : STATUS_ERROR;
    if (operands.count != 2) {
        cli_usage_error(self, "diff-state needs two files, not %d", operands.count);
        return STATUS_ERROR;
    }
    if (!cli_reads_input_once(self, operands.values, operands.count))
        return STATUS_ERROR;
    return diff_files(&o, operands.values[0], operands.values[1]);
}

static int set_color(void *options, const char *value)
{
    return color_mode_parse(value, &((struct diff_state_options *)options)->color);
}

#define MEMBER(name) offsetof(struct diff_state_options, name)

static const struct cli_option diff_state_options[] = {
    {.kind = CLI_OPTION_FLAG,
     .name = "ignore-added",
     .member = MEMBER(ignore_added),
     .help = "ignore what only the second dump has"},
    {.kind = CLI_OPTION_FLAG,
     .name = "keep-images",
     .member = MEMBER(keep_images),
     .help = "compare pictures, too"},
    {.kind = CLI_OPTION_OPTIONAL,
     .name = "color",
     .alias = "colour",
     .value = "auto|always|never",
     .help = "red for the first dump, green for the second (default: auto, on a\nterminal)",
     .set = set_color},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_diff_state = {
    .name = "diff-state",
    .group = CLI_GROUP_LOOK,
    .summary = "Compare state dumps",
    .operands = "[OPTION...] FILE FILE",
    .details = "A FILE has state dumps of retrace -D, or of apitrace, in JSON or UBJSON; \"-\" is the "
               "standard input. If\n"
               "there are several, the first is compared with the first, and so on.\n"
               "Exit status: 0 if they are equal, 1 if they differ, 2 on errors.",
    .examples = "trace-cli diff-state old.json new.json\n"
                "trace-cli diff-state --ignore-added reference.json new.json\n",
    .options = diff_state_options,
    .run = run_diff_state,
};
