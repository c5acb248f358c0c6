/* SPDX-License-Identifier: MIT
 * Tests events as JSON: each kind with all its members, and without those that may be missing.
 */
#include "trace/text/trace_json_events.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect(const struct trace_event *event, const char *wanted)
{
    struct trace_json *j = malloc(sizeof *j);
    assert_non_null(j);
    trace_json_init(j, TRACE_JSON_BLOBS_SUMMARY);
    assert_int_equal(trace_json_event(j, event, 0), 0);
    assert_int_equal(buf_append_byte(&j->out, 0), 0);
    assert_string_equal((const char *)j->out.data, wanted);
    trace_json_fini(j);
    free(j);
}

static void test_facts(void **state)
{
    static const struct trace_resource_type type = {1, "fd", "file", true, "0x6|new"}, bare = {.id = 2};
    static const struct trace_function_sig outer = {.name = "outer"}, inner = {.name = "inner"};
    static const struct trace_function_sig *const path[] = {&inner, &outer};
    static const struct trace_heap heap = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    static const struct {
        struct trace_event event;
        const char *text;
    } facts[] = {
        {{.kind = TRACE_EVENT_RESOURCE_TYPE, .u.resource_type = &type},
         "{\"event\":\"resource "
         "type\",\"type\":1,\"name\":\"fd\",\"description\":\"file\",\"refcounted\":true,\"flags\":\"0x6|"
         "new\"}\n"},
        {{.kind = TRACE_EVENT_RESOURCE_TYPE, .u.resource_type = &bare},
         "{\"event\":\"resource type\",\"type\":2,\"refcounted\":false}\n"},
        {{.kind = TRACE_EVENT_CONTEXT, .u.context = {4, "c"}},
         "{\"event\":\"context\",\"context\":4,\"name\":\"c\"}\n"},
        {{.kind = TRACE_EVENT_TRACER, .u.tracer = {1, 2, 3, "m"}},
         "{\"event\":\"tracing module\",\"module\":1,\"name\":\"m\",\"major\":2,\"minor\":3}\n"},
        {{.kind = TRACE_EVENT_MAPPING, .u.mapping = {16, 32, 5, "/x"}},
         "{\"event\":\"memory mapping\",\"from\":\"0x10\",\"to\":\"0x20\",\"offset\":5,\"path\":\"/x\"}\n"},
        {{.kind = TRACE_EVENT_MAPPING, .u.mapping = {16, 32, TRACE_NO_OFFSET, NULL}},
         "{\"event\":\"memory mapping\",\"from\":\"0x10\",\"to\":\"0x20\"}\n"},
        {{.kind = TRACE_EVENT_HEAP, .u.heap = &heap},
         "{\"event\":\"heap "
         "statistics\",\"bottom\":\"0x1\",\"top\":\"0x2\",\"arena\":5,\"ordblks\":6,\"smblks\":7,"
         "\"hblks\":8,\"hblkhd\":9,\"usmblks\":10,\"fsmblks\":11,\"uordblks\":12,\"fordblks\":13,"
         "\"keepcost\":14}\n"},
        {{.kind = TRACE_EVENT_ATTACHMENT, .u.attachment = {"n", "p"}},
         "{\"event\":\"attachment\",\"name\":\"n\",\"path\":\"p\"}\n"},
        {{.kind = TRACE_EVENT_LOSS, .u.loss = {3, "why"}},
         "{\"event\":\"loss\",\"count\":3,\"reason\":\"why\"}\n"},
        {{.kind = TRACE_EVENT_CLOCK, .time = 7, .u.clock_reading = {"wall", 9}},
         "{\"event\":\"clock reading\",\"clock\":\"wall\",\"reading_ns\":9,\"time_ns\":7}\n"},
        {{.kind = TRACE_EVENT_SUM, .u.sum = {path, 2, 3, 40}},
         "{\"event\":\"sum of calls\",\"functions\":[\"outer\",\"inner\"],\"count\":3,\"ticks\":40}\n"},
        {{.kind = TRACE_EVENT_MARK, .time = 7, .u.text = "t"},
         "{\"event\":\"mark\",\"text\":\"t\",\"time_ns\":7}\n"},
        {{.kind = TRACE_EVENT_COMMENT, .u.text = "t"}, "{\"event\":\"comment\",\"text\":\"t\"}\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; ++i) {
        struct trace_event event = facts[i].event;
        event.time = event.time == 0 ? TRACE_NO_TIME : event.time;
        expect(&event, facts[i].text);
    }
}

static const char *const arg_names[] = {"a", "b"};
static const struct trace_function_sig sig = {.name = "f", .arg_count = 2, .arg_names = arg_names};
static struct trace_value args[] = {{.type = TRACE_UINT, .u.uint = 1},
                                    {.type = TRACE_BLOB, .count = 3, .u.blob = (const uint8_t *)"xyz"}};
static const struct trace_resource_type memory = {.id = 1, .name = "memory"};

static void test_resources(void **state)
{
    static const struct trace_origin origin = {.process = 5,
                                               .thread = 6,
                                               .cpu = 7,
                                               .stream = 8,
                                               .contexts = 9},
                                     zero = {0, 0, 0, 0, 0}, unknown = {-1, -1, -1, -1, 0};
    static const struct trace_frame frame = {.address = 16, .line = -1, .offset = -1};
    const struct trace_call bare = {.sig = &(const struct trace_function_sig){.name = "g"},
                                    .ret = {.type = TRACE_NONE}};
    const struct trace_call call = {
        .sig = bare.sig, .ret = {.type = TRACE_UINT, .u.uint = 2}, .frame_count = 1, .frames = &frame};
    struct trace_event event = {.kind = TRACE_EVENT_ALLOC,
                                .number = 3,
                                .time = 4,
                                .origin = &origin,
                                .call = &call,
                                .u.resource = {&memory, 255, 10}};
    (void)state;
    expect(&event,
           "{\"event\":\"allocation\",\"number\":3,\"time_ns\":4,\"process\":5,\"thread\":6,\"cpu\":7,"
           "\"stream\":8,\"contexts\":9,\"name\":\"g\",\"args\":[],\"ret\":{\"type\":\"uint\",\"value\":2},"
           "\"resource\":{\"type\":1,\"name\":\"memory\",\"id\":\"0xff\",\"size\":10},"
           "\"backtrace\":[{\"address\":\"0x10\"}]}\n");
    event.kind = TRACE_EVENT_FREE;
    event.call = &bare;
    event.origin = &zero;
    event.u.resource.type = NULL;
    expect(&event, "{\"event\":\"release\",\"number\":3,\"time_ns\":4,\"process\":0,\"thread\":0,\"cpu\":0,"
                   "\"stream\":0,\"name\":\"g\",\"args\":[],\"resource\":{\"id\":\"0xff\"}}\n");
    event.kind = TRACE_EVENT_INSTANT;
    event.origin = &unknown;
    event.time = TRACE_NO_TIME;
    expect(&event, "{\"event\":\"instant\",\"number\":3,\"name\":\"g\",\"args\":[]}\n");
}

/* The names of blob files contain the number of the event, and count from 0 for each event. */
static void test_blob_files(void **state)
{
    static const char *const paths[] = {"blob_call41.bin", "blob_call42.bin", "blob_call41_1.bin"};
    const struct trace_call call = {.sig = &sig, .arg_count = 2, .args = args, .ret = args[1]};
    struct trace_json *j = malloc(sizeof *j);
    char directory[] = "/tmp/test_trace_json.XXXXXX";
    (void)state;
    assert_non_null(j);
    assert_non_null(mkdtemp(directory));
    assert_int_equal(chdir(directory), 0);
    trace_json_init(j, TRACE_JSON_BLOBS_FILES);
    for (uint64_t number = 41; number <= 42; ++number) {
        const struct trace_event event = {
            .kind = TRACE_EVENT_ENTER, .number = number, .time = TRACE_NO_TIME, .call = &call};
        assert_int_equal(trace_json_event(j, &event, 0), 0);
    }
    assert_int_equal(buf_append_byte(&j->out, 0), 0);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
        assert_non_null(strstr((const char *)j->out.data, paths[i]));
        assert_int_equal(unlink(paths[i]), 0);
    }
    assert_int_equal(unlink("blob_call42_1.bin"), 0);
    assert_int_equal(rmdir(directory), 0);
    trace_json_fini(j);
    free(j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts),
        cmocka_unit_test(test_resources),
        cmocka_unit_test(test_blob_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
