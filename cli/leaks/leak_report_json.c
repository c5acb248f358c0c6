/* SPDX-License-Identifier: MIT */
#include "leaks/leak_report.h"

#include "shell/json_print.h"
#include "runtime/spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_handle(const char *key, uint64_t handle)
{
    printf(", \"%s\": ", key);
    if (handle != 0)
        printf("\"0x%" PRIx64 "\"", handle);
    else
        fputs("null", stdout);
}

/* Prints what the object belongs to. */
static void print_place(const struct leak_object *o)
{
    printf(", \"ShareGroup\": ");
    if (o->group != 0)
        printf("%" PRIu32, o->group);
    else
        fputs("null", stdout);
    bool of_display = spec_object_kinds[o->kind].scope == SPEC_SCOPE_DISPLAY;
    print_handle(of_display ? "Display" : "Context", o->owner);
}

static void print_backtrace(const char *lines)
{
    const char *before = ", \"Backtrace\": [";
    for (const char *end; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        fputs(before, stdout);
        json_print_bytes(lines, (size_t)(end - lines));
        before = ", ";
    }
    putchar(']');
}

static void print_object(const struct leak_report *r, const struct leak_finding *f)
{
    const struct leak_object *o = &f->object;
    bool is_address = r->tracker->kinds[o->kind].is_address;
    printf("    {\"Kind\": \"%s\", \"Name\": ", spec_string(spec_object_kinds[o->kind].name));
    printf(is_address ? "\"0x%" PRIx64 "\"" : "%" PRIu64, o->name);
    if (o->label != NULL) {
        fputs(", \"Label\": ", stdout);
        json_print_string(o->label->text);
    }
    print_place(o);
    printf(", \"FreedBy\": ");
    if (f->until != LEAK_AT_END)
        printf("%" PRIu64, f->until);
    else
        fputs("null", stdout);
    printf(", \"Call\": %" PRIu64 ", \"Function\": \"%s\"", o->call,
           spec_string(spec_functions[o->function].name));
    if (o->text != NULL) {
        fputs(", \"Text\": ", stdout);
        json_print_string(o->text->text);
    }
    if (o->backtrace != 0)
        print_backtrace(r->tracker->creators.backtraces[o->backtrace]);
    putchar('}');
}

void leak_report_print_json(const struct leak_report *r)
{
    fputs("{\n  \"FileName\": ", stdout);
    json_print_string(r->path);
    printf(",\n  \"Leaked\": %zu,\n  \"FreedWithContext\": %zu,\n  \"Objects\": [", r->alive_count,
           r->count - r->alive_count);
    for (size_t i = 0; i < r->count; ++i) {
        fputs(i == 0 ? "\n" : ",\n", stdout);
        print_object(r, r->items[i]);
    }
    puts(r->count > 0 ? "\n  ]\n}" : "]\n}");
}
