/* SPDX-License-Identifier: MIT
 * Conditions of --field against values of all types.
 */
#include "cmocka_all.h"
#include "input/field_filter.h"

static bool holds(const char *text, const struct trace_event *event)
{
    struct field_filter f = {.count = 0};
    assert_int_equal(field_filter_add(&f, text), 0);
    return field_filter_matches(&f, event);
}

/* Whether a condition on the only argument, "v", holds. */
static bool holds_of(const char *text, struct trace_value v)
{
    static const char *const names[] = {"v"};
    const struct trace_function_sig sig = {.name = "f", .arg_count = 1, .arg_names = names};
    const struct trace_call call = {.sig = &sig, .arg_count = 1, .args = &v, .ret = {.type = TRACE_NONE}};
    const struct trace_event event = {.kind = TRACE_EVENT_CALL, .call = &call};
    return holds(text, &event);
}

static struct trace_value uint_value(uint64_t value)
{
    return (struct trace_value){.type = TRACE_UINT, .u.uint = value};
}

static struct trace_value sint_value(int64_t value)
{
    return (struct trace_value){.type = TRACE_SINT, .u.sint = value};
}

static void test_integers(void **state)
{
    (void)state;
    assert_true(holds_of("v=18446744073709551615", uint_value(UINT64_MAX)));
    assert_false(holds_of("v=18446744073709551614", uint_value(UINT64_MAX)));
    assert_false(holds_of("v=-1", uint_value(UINT64_MAX)));
    assert_true(holds_of("v=-1", sint_value(-1)));
    assert_true(holds_of("v=-9223372036854775808", sint_value(INT64_MIN)));
    assert_true(holds_of("v<0", sint_value(-1)));
    assert_false(holds_of("v<-5", sint_value(-5)));
    assert_true(holds_of("v<=-5", sint_value(-5)));
    assert_true(holds_of("v<-4", sint_value(-5)));
    assert_true(holds_of("v>-6", uint_value(0)));
    assert_true(holds_of("v>9223372036854775808", uint_value(UINT64_MAX)));
    assert_true(holds_of("v>=0x10", uint_value(16)));
    assert_false(holds_of("v>0x10", uint_value(16)));
    assert_true(holds_of("v!=15", uint_value(16)));
    assert_false(holds_of("v!=16", uint_value(16)));
    assert_true(holds_of("v<16.5", uint_value(16)));
    assert_false(holds_of("v=text", uint_value(16)));
    assert_true(holds_of("v!=text", uint_value(16)));
}

static void test_results(void **state)
{
    static const char *const names[] = {"v"};
    struct trace_value v = uint_value(1);
    const struct trace_function_sig sig = {.name = "f", .arg_count = 1, .arg_names = names};
    const struct trace_call call = {.sig = &sig, .arg_count = 1, .args = &v, .ret = uint_value(7)};
    const struct trace_event whole = {.kind = TRACE_EVENT_CALL, .call = &call},
                             end = {.kind = TRACE_EVENT_EXIT, .call = &call};
    (void)state;
    assert_true(holds("ret=7", &whole));
    assert_true(holds("ret!=8", &whole));
    assert_false(holds("ret=8", &whole));
    assert_false(holds("ret=7", &end));
    assert_false(holds_of("ret=7", uint_value(7)));
    assert_false(holds_of("ret!=7", uint_value(7)));
}

static void test_reals(void **state)
{
    const struct trace_value single = {.type = TRACE_FLOAT, .u.f32 = 0.1f},
                             twice = {.type = TRACE_DOUBLE, .u.f64 = 0.1},
                             not_one = {.type = TRACE_DOUBLE, .u.f64 = __builtin_nan("")};
    (void)state;
    assert_true(holds_of("v=0.1", single));
    assert_true(holds_of("v=0.1", twice));
    assert_true(holds_of("v=1e-1", twice));
    assert_true(holds_of("v<1", twice));
    assert_false(holds_of("v>0.1", single));
    assert_false(holds_of("v<1", not_one));
    assert_false(holds_of("v>=1", not_one));
    assert_true(holds_of("v!=1", not_one));
}

static void test_texts(void **state)
{
    const struct trace_value text = {.type = TRACE_STRING, .count = 5, .u.string = "hello"},
                             digits = {.type = TRACE_STRING, .count = 2, .u.string = "10"};
    (void)state;
    assert_true(holds_of("v=hello", text));
    assert_true(holds_of("v=h*o", text));
    assert_true(holds_of("v=@(a|hello)", text));
    assert_false(holds_of("v=hell", text));
    assert_false(holds_of("v!=h*", text));
    assert_true(holds_of("v=10", digits));
    assert_false(holds_of("v>=10", digits));
    assert_true(holds_of("v=true", (struct trace_value){.type = TRACE_TRUE}));
    assert_true(holds_of("v=1", (struct trace_value){.type = TRACE_TRUE}));
    assert_true(holds_of("v=NULL", (struct trace_value){.type = TRACE_NULL}));
    assert_true(holds_of("v=", (struct trace_value){.type = TRACE_STRING, .u.string = ""}));
    assert_true(holds_of("v=a=b", (struct trace_value){.type = TRACE_STRING, .u.string = "a=b"}));
}

static void test_names(void **state)
{
    static const struct trace_enum_name names[] = {{"GL_LINES", 1}, {"GL_MINUS", -2}};
    static const struct trace_enum_sig enumeration = {.count = 2, .names = names};
    static const struct trace_flag_name flags[] = {{"NOTHING", 0}, {"COLOR", 0x4000}, {"DEPTH", 0x100}};
    static const struct trace_bitmask_sig bitmask = {.count = 3, .flags = flags};
    static const struct trace_range_label labels[] = {{"LOW", 0, 4}, {"THREE", 3, 3}};
    static const struct trace_range_sig ranges = {.count = 2, .labels = labels};
    const struct trace_value lines = {.type = TRACE_ENUM, .u.sint = 1, .sig.enumeration = &enumeration},
                             minus = {.type = TRACE_ENUM,
                                      .negative = true,
                                      .u.sint = -2,
                                      .sig.enumeration = &enumeration},
                             mask = {.type = TRACE_BITMASK, .u.uint = 0x4000, .sig.bitmask = &bitmask},
                             three = {.type = TRACE_RANGED, .u.uint = 3, .sig.ranges = &ranges};
    (void)state;
    assert_true(holds_of("v=GL_LINES", lines));
    assert_true(holds_of("v=1", lines));
    assert_false(holds_of("v=GL_M*", lines));
    assert_true(holds_of("v=GL_M*", minus));
    assert_true(holds_of("v<0", minus));
    assert_true(holds_of("v=COLOR", mask));
    assert_true(holds_of("v=0x4000", mask));
    assert_false(holds_of("v=DEPTH", mask));
    assert_false(holds_of("v=NOTHING", mask));
    assert_true(holds_of("v=THREE", three));
    assert_true(holds_of("v=LOW", three));
    assert_true(holds_of("v=3", three));
}

static void test_paths(void **state)
{
    static const char *const members[] = {"x", "in.ner"};
    static const struct trace_struct_sig sig = {.name = "s", .count = 2, .members = members};
    static const uint64_t numbers[] = {7, 8};
    const struct trace_value array = {
        .type = TRACE_ARRAY, .element = TRACE_UINT, .count = 2, .u.uints = numbers};
    const struct trace_value items[] = {{.type = TRACE_UINT, .u.uint = 5}, array};
    const struct trace_value s = {.type = TRACE_STRUCT, .count = 2, .u.items = items, .sig.structure = &sig};
    const struct trace_value list = {.type = TRACE_ARRAY, .element = TRACE_NONE, .count = 1, .u.items = &s};
    const struct trace_value choice = {.type = TRACE_CHOICE, .u.items = &s};
    const struct trace_value pair[] = {{.type = TRACE_STRING, .u.string = "read"}, uint_value(4)};
    const struct trace_value repr = {.type = TRACE_REPR, .count = 2, .u.items = pair};
    (void)state;
    assert_true(holds_of("v.x=5", s));
    assert_true(holds_of("v.in.ner.1=8", s));
    assert_true(holds_of("v.0.in.ner.0=7", list));
    assert_true(holds_of("v.x=5", choice));
    assert_false(holds_of("v.in.ner.2!=8", s));
    assert_false(holds_of("v.0.y!=8", list));
    assert_false(holds_of("v.1.x=5", list));
    assert_false(holds_of("w!=5", s));
    assert_true(holds_of("v=read", repr));
    assert_true(holds_of("v=4", repr));
    assert_false(holds_of("v!=9", (struct trace_value){.type = TRACE_NONE}));
}

/* The payload's fields are first, then those of contexts; all conditions must hold. */
static void test_scopes(void **state)
{
    static const char *const members[] = {"n"}, *const others[] = {"n", "cpu_id"};
    static const struct trace_struct_sig one = {.count = 1, .members = members},
                                         two = {.count = 2, .members = others};
    const struct trace_value payload[] = {{.type = TRACE_UINT, .u.uint = 1}},
                             packet[] = {{.type = TRACE_UINT, .u.uint = 2},
                                         {.type = TRACE_UINT, .u.uint = 3}};
    struct trace_record record = {.file = "s"};
    const struct trace_event event = {.kind = TRACE_EVENT_MARK, .record = &record};
    struct field_filter both = {.count = 0};
    (void)state;
    for (int i = 0; i < TRACE_SCOPES; ++i)
        record.scopes[i].type = TRACE_NONE;
    record.scopes[TRACE_SCOPE_PACKET] =
        (struct trace_value){.type = TRACE_STRUCT, .count = 2, .u.items = packet, .sig.structure = &two};
    assert_true(holds("n=2", &event));
    record.scopes[TRACE_SCOPE_PAYLOAD] =
        (struct trace_value){.type = TRACE_STRUCT, .count = 1, .u.items = payload, .sig.structure = &one};
    assert_true(holds("n=1", &event));
    assert_false(holds("n=2", &event));
    assert_true(holds("cpu_id=3", &event));
    assert_int_equal(field_filter_add(&both, "n=1"), 0);
    assert_true(field_filter_matches(&both, &event));
    assert_int_equal(field_filter_add(&both, "cpu_id=4"), 0);
    assert_false(field_filter_matches(&both, &event));
}

static void test_errors(void **state)
{
    static const char *const wrong[] = {"", "v", "=1", "v!", "v!1", "v<", "v<x", "v>=1x", "v> 1"};
    struct field_filter f = {.count = 0};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        assert_int_not_equal(field_filter_add(&f, wrong[i]), 0);
    assert_int_equal(f.count, 0);
    for (int i = 0; i < FIELD_CONDITIONS_MAX; ++i)
        assert_int_equal(field_filter_add(&f, "v=1"), 0);
    assert_int_not_equal(field_filter_add(&f, "v=1"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers), cmocka_unit_test(test_results), cmocka_unit_test(test_reals),
        cmocka_unit_test(test_texts),    cmocka_unit_test(test_names),   cmocka_unit_test(test_paths),
        cmocka_unit_test(test_scopes),   cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
