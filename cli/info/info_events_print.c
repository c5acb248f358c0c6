/* SPDX-License-Identifier: MIT */
#include "info/info_events.h"

#include "shell/json_print.h"

#include <inttypes.h>
#include <stdio.h>

static const char unknown[] = "(unknown)";

static bool is_used(const struct resource_count *c)
{
    return c->allocations != 0 || c->releases != 0;
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void print_text(const char *text)
{
    if (text == NULL)
        fputs("null", stdout);
    else
        json_print_string(text);
}

static void print_properties(const struct event_info *info)
{
    fputs(",\n  \"Properties\": {", stdout);
    for (size_t i = 0; i < info->property_count; ++i) {
        fputs(i == 0 ? "\n    " : ",\n    ", stdout);
        json_print_string(info->properties[i].name);
        fputs(": ", stdout);
        print_text(info->properties[i].value);
    }
    fputs(info->property_count == 0 ? "}" : "\n  }", stdout);
}

static void print_kinds(const struct event_info *info)
{
    bool any = false;
    fputs(",\n  \"Events\": {", stdout);
    for (int i = TRACE_EVENT_END + 1; i < TRACE_EVENT_KINDS; ++i) {
        if (info->kinds[i] == 0)
            continue;
        fputs(any ? ",\n    " : "\n    ", stdout);
        json_print_string(trace_event_kind_name((enum trace_event_kind)i));
        printf(": %" PRIu64, info->kinds[i]);
        any = true;
    }
    fputs(any ? "\n  }" : "}", stdout);
}

static void print_allocated(const struct resource_count *c)
{
    printf("\"Allocations\": %" PRIu64 ", \"Releases\": %" PRIu64 ", \"Size\": %" PRIu64, c->allocations,
           c->releases, c->size);
}

static void print_live(const struct resource_count *c)
{
    print_allocated(c);
    printf(", \"PeakSize\": %" PRIu64 ", \"Live\": %" PRIu64 ", \"LiveSize\": %" PRIu64, c->peak_size,
           c->live, c->live_size);
}

static void print_types(const struct resource_stats *stats)
{
    fputs(",\n    \"Types\": [", stdout);
    for (size_t i = 0; i < stats->type_count; ++i) {
        fputs(i == 0 ? "\n      {\"Name\": " : ",\n      {\"Name\": ", stdout);
        print_text(stats->types[i].name);
        fputs(", ", stdout);
        print_live(&stats->types[i]);
        fputs("}", stdout);
    }
    fputs("\n    ]", stdout);
}

static void print_contexts(const struct event_info *info)
{
    bool any = false;
    fputs(",\n    \"Contexts\": [", stdout);
    for (unsigned i = 0; i < RESOURCE_CONTEXTS; ++i) {
        const struct resource_count *c = &info->stats.contexts[i];
        if (!is_used(c))
            continue;
        printf("%s\n      {\"Context\": %" PRIu32 ", \"Name\": ", any ? "," : "", c->context);
        print_text(info->context_names[i]);
        fputs(", ", stdout);
        print_live(c);
        fputs("}", stdout);
        any = true;
    }
    fputs("\n    ]", stdout);
}

static void print_functions(const struct resource_stats *stats)
{
    fputs(",\n    \"Functions\": [", stdout);
    for (size_t i = 0; i < stats->function_count; ++i) {
        fputs(i == 0 ? "\n      {\"Name\": " : ",\n      {\"Name\": ", stdout);
        print_text(stats->functions[i].name);
        fputs(", ", stdout);
        print_allocated(&stats->functions[i]);
        fputs("}", stdout);
    }
    fputs("\n    ]", stdout);
}

void event_info_print_json(struct event_info *info)
{
    fputs("{\n  \"FileName\": ", stdout);
    json_print_string(info->path);
    fputs(",\n  \"Format\": ", stdout);
    json_print_string(info->format);
    printf(",\n  \"EventsCount\": %" PRIu64, info->events);
    print_properties(info);
    print_kinds(info);
    if (info->wants_stats) {
        resource_stats_sort(&info->stats);
        fputs(",\n  \"Stats\": {\n    ", stdout);
        print_live(&info->stats.all);
        print_types(&info->stats);
        print_contexts(info);
        print_functions(&info->stats);
        fputs("\n  }", stdout);
    }
    fputs("\n}\n", stdout);
}

/* --- tables ---------------------------------------------------------------------------------------- */

static void print_live_row(const struct resource_count *c, const char *name)
{
    printf("%12" PRIu64 " %12" PRIu64 " %15" PRIu64 " %15" PRIu64 " %12" PRIu64 " %15" PRIu64 "  %s\n",
           c->allocations, c->releases, c->size, c->peak_size, c->live, c->live_size, name);
}

static void print_live_title(const char *what)
{
    printf("\n%12s %12s %15s %15s %12s %15s  %s\n", "allocations", "releases", "size", "peak size", "live",
           "live size", what);
}

static const char *name_context(const struct event_info *info, unsigned i, char *buffer, size_t size)
{
    if (i == 0)
        return "(none)";
    if (info->context_names[i] != NULL)
        return info->context_names[i];
    snprintf(buffer, size, "%" PRIx32, info->stats.contexts[i].context);
    return buffer;
}

static void print_context_table(const struct event_info *info)
{
    char buffer[16];
    bool any = false;
    for (unsigned i = 1; i < RESOURCE_CONTEXTS; ++i)
        any |= is_used(&info->stats.contexts[i]);
    if (!any)
        return;
    print_live_title("context");
    for (unsigned i = 0; i < RESOURCE_CONTEXTS; ++i)
        if (is_used(&info->stats.contexts[i]))
            print_live_row(&info->stats.contexts[i], name_context(info, i, buffer, sizeof buffer));
}

void event_info_print_table(struct event_info *info)
{
    const struct resource_stats *stats = &info->stats;
    resource_stats_sort(&info->stats);
    printf("%s: %s, %" PRIu64 " events\n", info->path, info->format, info->events);
    print_live_title("resource type");
    for (size_t i = 0; i < stats->type_count; ++i)
        print_live_row(&stats->types[i], stats->types[i].name != NULL ? stats->types[i].name : unknown);
    print_context_table(info);
    printf("\n%12s %12s %15s  function\n", "allocations", "releases", "size");
    for (size_t i = 0; i < stats->function_count; ++i)
        printf("%12" PRIu64 " %12" PRIu64 " %15" PRIu64 "  %s\n", stats->functions[i].allocations,
               stats->functions[i].releases, stats->functions[i].size,
               stats->functions[i].name != NULL ? stats->functions[i].name : unknown);
}
