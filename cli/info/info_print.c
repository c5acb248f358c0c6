/* SPDX-License-Identifier: MIT */
#include "info/info_print.h"

#include "shell/json_print.h"
#include "trace/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print_frames(const struct trace_info *info)
{
    fputs(",\n  \"Frames\": [{\n", stdout);
    for (uint64_t i = 0; i < info->frame_count; ++i) {
        const struct info_frame *f = &info->frames[i];
        printf("%s    \"FirstCallId\": %" PRIu64 ",\n    \"LastCallId\": %" PRIu64
               ",\n    \"TotalCalls\": %" PRIu64 ",\n    \"SizeInBytes\": %" PRIu64 "\n",
               i == 0 ? "" : "  }, {\n", f->first_call, f->last_call, f->calls, f->bytes);
    }
    fputs("  }]", stdout);
}

static void print_json_counts(const struct info_count *c)
{
    printf("\"Calls\": %" PRIu64 ", \"Bytes\": %" PRIu64 ", \"BlobBytes\": %" PRIu64 "}", c->calls, c->bytes,
           c->blob_bytes);
}

static const struct {
    enum trace_upload kind;
    const char *json;
    const char *text;
} upload_rows[TRACE_UPLOAD_KINDS] = {
    {TRACE_UPLOAD_TEXTURE, "Textures", "textures"},
    {TRACE_UPLOAD_BUFFER, "Buffers", "buffers"},
    {TRACE_UPLOAD_OTHER, "Other", "other data: vertices in the program's memory, ..."},
};

static void print_json_stats(const struct trace_info *info)
{
    printf(",\n  \"Stats\": {\n    \"Calls\": %" PRIu64 ",\n    \"IncompleteCalls\": %" PRIu64
           ",\n    \"Functions\": [",
           info->calls, info->incomplete);
    for (size_t i = 0; i < info->functions.count; ++i) {
        fputs(i == 0 ? "\n      {\"Name\": " : ",\n      {\"Name\": ", stdout);
        json_print_string(info->functions.items[i].name);
        fputs(", ", stdout);
        print_json_counts(&info->functions.items[i]);
    }
    fputs("\n    ],\n    \"Threads\": [", stdout);
    for (size_t i = 0; i < info->threads.count; ++i) {
        printf("%s\n      {\"Thread\": %" PRIu64 ", ", i == 0 ? "" : ",", info->threads.items[i].thread);
        print_json_counts(&info->threads.items[i]);
    }
    fputs("\n    ],\n    \"Uploads\": {", stdout);
    for (int i = 0; i < TRACE_UPLOAD_KINDS; ++i)
        printf("%s\n      \"%s\": {\"Calls\": %" PRIu64 ", \"Bytes\": %" PRIu64 "}", i == 0 ? "" : ",",
               upload_rows[i].json, info->uploads[upload_rows[i].kind].calls,
               info->uploads[upload_rows[i].kind].bytes);
    fputs("\n    }\n  }", stdout);
}

/* What says of the trace that it is not whole. Other traces have no such properties, nor has what apitrace
 * prints. */
static void print_reservations(const struct trace_info *info)
{
    static const char prefix[] = "trace.";
    const char *before = ",\n  \"Properties\": {\n    ";
    bool any = false;
    for (size_t i = 0; i < info->property_count; ++i) {
        const struct trace_property *p = &info->properties[i];
        if (strncmp(p->name, prefix, sizeof prefix - 1) != 0)
            continue;
        fputs(any ? ",\n    " : before, stdout);
        json_print_string(p->name);
        fputs(": ", stdout);
        json_print_string(p->value);
        any = true;
    }
    if (any)
        fputs("\n  }", stdout);
}

void info_print_json(const struct trace_info *info)
{
    fputs("{\n  \"FileName\": ", stdout);
    json_print_string(info->path);
    printf(",\n  \"ContainerVersion\": %u,\n  \"ContainerType\": \"%s\",\n  \"API\": \"%s\",\n"
           "  \"FramesCount\": %" PRIu64 ",\n  \"ActualDataSize\": %" PRIu64
           ",\n  \"ContainerSize\": %" PRIu64,
           info->semantic_version, info->container, info->api, info->frame_count, info->stream_bytes,
           info->file_bytes);
    print_reservations(info);
    if (info->wants_frames)
        print_frames(info);
    if (info->wants_stats)
        print_json_stats(info);
    fputs("\n}\n", stdout);
}

static void print_table_row(const struct info_count *c)
{
    printf("%12" PRIu64 " %15" PRIu64 " %15" PRIu64 "  ", c->calls, c->bytes, c->blob_bytes);
}

void info_print_table(const struct trace_info *info)
{
    printf("%s: %s, version %u, %s\n", info->path, info->container, info->semantic_version, info->api);
    printf("%" PRIu64 " calls (%" PRIu64 " incomplete), %" PRIu64 " frames, %" PRIu64
           " bytes of events in %" PRIu64 " bytes\n",
           info->calls, info->incomplete, info->frame_count, info->stream_bytes, info->file_bytes);
    printf("\n%12s %15s %15s  uploaded\n", "calls", "", "data bytes");
    for (int i = 0; i < TRACE_UPLOAD_KINDS; ++i)
        printf("%12" PRIu64 " %15s %15" PRIu64 "  %s\n", info->uploads[upload_rows[i].kind].calls, "",
               info->uploads[upload_rows[i].kind].bytes, upload_rows[i].text);
    printf("\n%12s %15s %15s  function\n", "calls", "bytes", "data bytes");
    for (size_t i = 0; i < info->functions.count; ++i) {
        print_table_row(&info->functions.items[i]);
        puts(info->functions.items[i].name);
    }
    printf("\n%12s %15s %15s  thread\n", "calls", "bytes", "data bytes");
    for (size_t i = 0; i < info->threads.count; ++i) {
        print_table_row(&info->threads.items[i]);
        printf("%" PRIu64 "\n", info->threads.items[i].thread);
    }
    if (info->wants_frames) {
        printf("\n%12s %15s %15s  frame\n", "calls", "bytes", "first call");
        for (uint64_t i = 0; i < info->frame_count; ++i)
            printf("%12" PRIu64 " %15" PRIu64 " %15" PRIu64 "  %" PRIu64 "\n", info->frames[i].calls,
                   info->frames[i].bytes, info->frames[i].first_call, i);
    }
}
