/* SPDX-License-Identifier: MIT
 * Tests the extensions that are offered although the driver does not have them, and program binaries, which
 * are hidden. The offered extensions are those of apitrace. Limits are the minimum that GL_KHR_debug allows
 * (table 21.1).
 */
#include "stub_driver.h"

#include "gl/gl_offered_functions.h"
#include "gl/gltrace_conf.h"
#include "lookup/stubs.h"

#include "cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXTENSIONS = 0x1F03, COUNT = 0x821D };

static const char *const all[] = {"GL_GREMEDY_string_marker",
                                  "GL_GREMEDY_frame_terminator",
                                  "GL_ARB_debug_output",
                                  "GL_AMD_debug_output",
                                  "GL_KHR_debug",
                                  "GL_EXT_debug_marker",
                                  "GL_EXT_debug_label",
                                  "GL_VMWX_map_buffer_debug"};

/* --- the driver ----------------------------------------------------------------------------------------- */

static int32_t binary_size, binary_format, binary_length;
static bool driver_fails;

static uint32_t nameless = UINT32_MAX; /* an extension whose name the driver does not know */

/* Returns the index-th word of the driver's list, or NULL after the last one. */
static const char *get_extension(uint32_t name, uint32_t index)
{
    static char word[64];
    const char *at = stub.extensions;
    assert_int_equal(name, EXTENSIONS);
    if (index == nameless)
        return NULL;
    for (; index > 0 && *at != '\0'; --index) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
    return *at != '\0' ? word : NULL;
}

static void get_program(uint32_t program, uint32_t pname, int32_t *value)
{
    (void)program;
    assert_int_equal(pname, 0x8741);
    if (!driver_fails)
        *value = 1234;
}

static void get_binary(uint32_t program, int32_t size, int32_t *length, uint32_t *format, void *binary)
{
    (void)program;
    (void)format;
    (void)binary;
    binary_size = size;
    if (length != NULL)
        *length = 77;
}

static void load_binary(uint32_t program, uint32_t format, const void *binary, int32_t length)
{
    (void)program;
    (void)binary;
    binary_format = (int32_t)format;
    binary_length = length;
}

static capture_function find_more(uint32_t id)
{
    switch (id) {
    case SPEC_FN_glGetStringi:
        return (capture_function)get_extension;
    case SPEC_FN_glGetProgramiv:
        return (capture_function)get_program;
    case SPEC_FN_glGetProgramBinary:
    case SPEC_FN_glGetProgramBinaryOES:
        return (capture_function)get_binary;
    case SPEC_FN_glProgramBinary:
    case SPEC_FN_glProgramBinaryOES:
        return (capture_function)load_binary;
    default:
        return NULL;
    }
}

static void start(const char *version, const char *extensions)
{
    stub_start(version);
    stub.extensions = extensions;
    stub.more = find_more;
    int32_t words = *extensions != '\0';
    for (const char *at = extensions; *at != '\0'; ++at)
        words += at[0] == ' ' && at[1] != '\0';
    stub.integers[COUNT] = words;
}

static const char *get_list(void)
{
    STUB_MAKE(glGetString, NULL, EXTENSIONS);
    assert_non_null(stub.replacement);
    return ((const char *(*)(uint32_t))stub.replacement)(EXTENSIONS);
}

static unsigned occurrences(const char *list, const char *name)
{
    unsigned count = 0;
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        count += (at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0');
    return count;
}

/* A missing configuration file does not change errno. */
static void test_errno(void **state)
{
    (void)state;
    errno = EDOM;
    gltrace_conf_get();
    assert_int_equal(errno, EDOM);
}

/* --- lists ------------------------------------------------------------------------------------------------
 */

static const struct {
    const char *version, *extensions;
    bool es;
} drivers[] = {
    {"2.1 Mesa", "GL_ARB_a GL_ARB_b ", false},
    {"2.1", "GL_ARB_a GL_KHR_debug", false},
    {"1.4", "", false},
    {"2.0", "GL_KHR_debug_not GL_KHR_debu GL_not_GL_KHR_debug", false},
    {"3.0", "GL_AMD_debug_output GL_EXT_debug_label GL_ARB_a", false},
    {"4.6", "GL_KHR_debug", false},
    {"4.6", "GL_ARB_a", false},
    {"OpenGL ES 2.0", "GL_OES_a GL_EXT_debug_marker", true},
    {"OpenGL ES 3.2", "GL_OES_a", true},
    {"OpenGL ES-CM 1.1", "GL_OES_a", true},
};
#define DRIVERS (sizeof drivers / sizeof drivers[0])

static bool is_offered(unsigned driver, unsigned extension)
{
    return !drivers[driver].es || (extension >= 4 && extension <= 6);
}

static void test_lists(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DRIVERS; ++d) {
        start(drivers[d].version, drivers[d].extensions);
        const char *list = get_list();
        assert_memory_equal(list, drivers[d].extensions, strlen(drivers[d].extensions));
        assert_null(strstr(list, "  "));
        assert_false(list[0] == ' ');
        for (unsigned e = 0; e < 8; ++e)
            assert_int_equal(occurrences(list, all[e]),
                             is_offered(d, e) || occurrences(drivers[d].extensions, all[e]) != 0);
        assert_ptr_equal(list, get_list()); /* programs may keep the pointer */
        STUB_MAKE(glGetString, NULL, 0x1F00);
        assert_null(stub.replacement);
        stub_stop();
    }
}

/* Indexed lists have the same order. */
static void test_indexed_lists(void **state)
{
    (void)state;
    for (unsigned d = 0; d < DRIVERS; ++d) {
        if (strstr(drivers[d].version, "3.") == NULL && drivers[d].version[0] != '4')
            continue;
        start(drivers[d].version, drivers[d].extensions);
        char list[2048] = "";
        int32_t count = -1;
        STUB_MAKE(glGetIntegerv, NULL, COUNT, STUB_P(&count));
        assert_non_null(stub.replacement);
        for (int32_t i = 0; i < count; ++i) {
            STUB_MAKE(glGetStringi, NULL, EXTENSIONS, (uint64_t)i);
            const char *name =
                ((const char *(*)(uint32_t, uint32_t))stub.replacement)(EXTENSIONS, (uint32_t)i);
            assert_non_null(name);
            strcat(list, i > 0 ? " " : "");
            strcat(list, name);
        }
        assert_string_equal(list, get_list());
        STUB_MAKE(glGetStringi, NULL, EXTENSIONS, (uint64_t)count);
        assert_null(((const char *(*)(uint32_t, uint32_t))stub.replacement)(EXTENSIONS, (uint32_t)count));
        stub_stop();
    }
}

/* If a driver does not know the name of one of its extensions, nothing is offered in its place. */
static void test_nameless_extension(void **state)
{
    (void)state;
    start("3.1", "GL_ARB_a GL_ARB_b");
    nameless = 1;
    stub.integers[COUNT] = 2;
    for (uint32_t i = 0; i < 8; ++i) {
        STUB_MAKE(glGetStringi, NULL, EXTENSIONS, 2 + i);
        assert_non_null(stub.replacement);
        assert_string_equal(((const char *(*)(uint32_t, uint32_t))stub.replacement)(EXTENSIONS, 2 + i),
                            all[i]);
    }
    nameless = UINT32_MAX;
    stub_stop();
}

/* Without a current context, the driver cannot be queried. What is found out then is queried again in a
 * context. */
static void test_no_context(void **state)
{
    (void)state;
    start("2.1", "GL_ARB_a");
    struct gl_context *context = capture_self.context;
    capture_self.context = gl_context_get(NULL);
    stub.extensions = NULL; /* glGetString() is NULL then */
    const char *version = stub.version;
    stub.version = NULL;
    STUB_MAKE(glGetString, NULL, EXTENSIONS);
    if (stub.replacement != NULL)
        assert_null(((const char *(*)(uint32_t))stub.replacement)(EXTENSIONS));
    stub.version = version;
    stub.extensions = "GL_ARB_debug_output"; /* by a context whose start and end were not seen */
    STUB_MAKE(glGetString, NULL, EXTENSIONS);
    stub.extensions = "GL_ARB_a";
    const char *list = get_list();
    for (unsigned e = 0; e < 8; ++e)
        assert_int_equal(occurrences(list, all[e]), 1);
    stub.extensions = "GL_KHR_debug GL_ARB_a";
    list = get_list();
    for (unsigned e = 0; e < 8; ++e)
        assert_int_equal(occurrences(list, all[e]), 1);
    capture_self.context = context;
    stub.extensions = "GL_ARB_a";
    list = get_list();
    assert_memory_equal(list, "GL_ARB_a ", 9);
    for (unsigned e = 0; e < 8; ++e)
        assert_int_equal(occurrences(list, all[e]), 1);
    stub_stop();
}

/* --- addresses --------------------------------------------------------------------------------------------
 */

/* The offered functions. */
#define OFFERED(X)                                                                                           \
    X(glDebugMessageControl)                                                                                 \
    X(glDebugMessageControlARB)                                                                              \
    X(glDebugMessageInsertAMD)                                                                               \
    X(glDebugMessageCallbackKHR)                                                                             \
    X(glGetDebugMessageLogARB)                                                                               \
    X(glPushDebugGroup)                                                                                      \
    X(glPopDebugGroupKHR)                                                                                    \
    X(glObjectLabel)                                                                                         \
    X(glGetObjectLabelKHR)                                                                                   \
    X(glObjectPtrLabel)                                                                                      \
    X(glGetObjectPtrLabelKHR)                                                                                \
    X(glGetObjectLabelEXT)                                                                                   \
    X(glLabelObjectEXT)                                                                                      \
    X(glInsertEventMarkerEXT)                                                                                \
    X(glPushGroupMarkerEXT)                                                                                  \
    X(glPopGroupMarkerEXT)                                                                                   \
    X(glStringMarkerGREMEDY)                                                                                 \
    X(glFrameTerminatorGREMEDY)                                                                              \
    X(glDebugMessageEnableAMD)

#define X(name)                                                                                              \
    static void stub_of_##name(void)                                                                         \
    {                                                                                                        \
    }
OFFERED(X)
X(glClear)
#undef X

#define X(name) [SPEC_FN_##name] = stub_of_##name,
void (*const capture_stubs[SPEC_FUNCTION_COUNT])(void) = {OFFERED(X) X(glClear)};
#undef X

static bool gives(const char *name, void *real, void (*expected)(void))
{
    void *found = gl_offers_address(name, real);
    return *(capture_function *)&found == expected;
}

/* glXGetProcAddress() returns the driver's function if it has one, and a stub for offered functions. */
static void test_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*stub)(void);
    } offered[] = {
#define X(name) {#name, stub_of_##name},
        OFFERED(X)
#undef X
    };
    static const char *const others[] = {"glFrameTerminatorGREMED",
                                         "glDebugMessageControlOES",
                                         "glDebugMessageControlXARB",
                                         "glDebugMessage",
                                         "glNoSuchFunction",
                                         "glClear",
                                         "gl",
                                         "",
                                         "eglDebugMessageControl",
                                         "DebugMessageControl"};
    capture_function f = stub_of_glClear;
    void *real = *(void **)&f;
    for (unsigned i = 0; i < sizeof offered / sizeof offered[0]; ++i) {
        assert_true(gives(offered[i].name, NULL, offered[i].stub));
        assert_true(gives(offered[i].name, real, stub_of_glClear));
    }
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; ++i) {
        assert_true(gives(others[i], NULL, NULL));
        assert_true(gives(others[i], real, stub_of_glClear));
    }
    void *ours = gl_offers_address("glNotifyMappedBufferRangeVMWX", NULL);
    assert_non_null(ours); /* is ours alone */
    assert_ptr_equal(gl_offers_address("glNotifyMappedBufferRangeVMWX", real), ours);
}

static unsigned notifications;
static const void *notified;
static uint64_t notified_size;

static void note_copy(const struct stub_call *call)
{
    notifications++;
    notified = call->args[0].p;
    notified_size = call->args[2].u;
}

/* Announced writes to mapped memory are recorded if the program is recorded and not within another call. */
static void test_notifications(void **state)
{
    (void)state;
    static uint8_t memory[64];
    static struct ring_control ring;
    static const struct {
        intptr_t length;
        bool nested, unrecorded;
        uint64_t size;
    } writes[] = {{1, false, false, 1}, {8, false, false, 8},  {64, false, false, 56},
                  {0, false, false, 0}, {-1, false, false, 0}, {INTPTR_MIN, false, false, 0},
                  {8, true, false, 0},  {8, false, true, 0}};
    start("4.6", "GL_ARB_a");
    stub.integers[0x8894] = 9;
    stub.buffer_size = sizeof memory;
    stub.returned.p = memory;
    STUB_MAKE(glMapBufferRange, NULL, 0x8892, 0, sizeof memory, 0x80000002);
    stub.buffer_mapped = 1;
    void *address = gl_offers_address("glNotifyMappedBufferRangeVMWX", NULL);
    void (*notify)(const void *, intptr_t) = *(void (**)(const void *, intptr_t)) & address;
    for (unsigned i = 0; i < sizeof writes / sizeof writes[0]; ++i) {
        capture_self.ring.control = writes[i].unrecorded ? NULL : &ring;
        capture_self.outermost = writes[i].nested ? (const void *)&ring : NULL;
        stub_call_count = 0;
        notifications = 0;
        notify(memory + 8, writes[i].length);
        for (unsigned k = 0; k < stub_call_count; ++k)
            note_copy(&stub_calls[k]);
        assert_int_equal(notifications, writes[i].size != 0);
        if (notifications == 0)
            continue;
        assert_ptr_equal(notified, memory + 8);
        assert_int_equal(notified_size, writes[i].size);
    }
    capture_self.outermost = NULL;
    capture_self.ring.control = NULL;
    stub.buffer_mapped = 0;
    STUB_MAKE(glUnmapBuffer, NULL, 0x8892);
    stub_stop();
}

/* --- questions --------------------------------------------------------------------------------------------
 */

/* Queries a value of any type. Returns -7: no value, and the driver was not queried; -8: no value, but it was
 * queried. */
static double ask(uint32_t function, uint32_t pname)
{
    union {
        uint8_t u8;
        int32_t i32;
        int64_t i64;
        float f32;
        double f64;
    } out;
    memset(&out, 0x55, sizeof out);
    stub_make(function, stub_arguments((const uint64_t[8]){pname, STUB_P(&out)}), NULL);
    if (stub.replacement == NULL)
        return -8;
    switch (function) {
    case SPEC_FN_glGetBooleanv:
        return out.u8 == 0x55 ? -7 : out.u8;
    case SPEC_FN_glGetFloatv:
        return out.i32 == 0x55555555 ? -7 : (double)out.f32;
    case SPEC_FN_glGetDoublev:
        return out.i64 == 0x5555555555555555 ? -7 : out.f64;
    case SPEC_FN_glGetInteger64v:
        return out.i64 == 0x5555555555555555 ? -7 : (double)out.i64;
    default:
        return out.i32 == 0x55555555 ? -7 : out.i32;
    }
}

static const uint16_t getters[] = {SPEC_FN_glGetIntegerv, SPEC_FN_glGetFloatv, SPEC_FN_glGetDoublev,
                                   SPEC_FN_glGetInteger64v, SPEC_FN_glGetBooleanv};

static void test_debug_limits(void **state)
{
    (void)state;
    static const struct {
        uint32_t pname;
        int value;
    } limits[] = {{0x82E8, 256}, {0x9143, 4096}, {0x9144, 1},  {0x9145, 0},  {0x8243, 0},  {0x826C, 64},
                  {0x826D, 1},   {0x0D33, -8},   {0x8242, -8}, {0x821B, -8}, {0x821C, -8}, {0x9126, -8}};
    for (unsigned has = 0; has < 3; ++has)
        for (unsigned g = 0; g < 5; ++g)
            for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
                start(has == 2 ? "4.3" : "2.1", has == 1 ? "GL_KHR_debug" : "GL_ARB_a");
                int value = limits[i].value;
                if (has != 0) /* as an extension, or as part of the version */
                    value = -8;
                else if (getters[g] == SPEC_FN_glGetBooleanv && value > 0)
                    value = 1;
                assert_int_equal(ask(getters[g], limits[i].pname), value);
                stub_stop();
            }
    start("2.1", "");
    STUB_MAKE(glGetIntegerv, NULL, 0x82E8, 0); /* NULL: left to the driver */
    assert_null(stub.replacement);
    stub_stop();
}

/* An extension's functions of the driver are called if they exist. */
static void test_functions(void **state)
{
    (void)state;
    static const struct {
        uint16_t function;
        const char *extension;
    } functions[] = {
        {SPEC_FN_glStringMarkerGREMEDY, "GL_GREMEDY_string_marker"},
        {SPEC_FN_glFrameTerminatorGREMEDY, "GL_GREMEDY_frame_terminator"},
        {SPEC_FN_glDebugMessageControlARB, "GL_ARB_debug_output"},
        {SPEC_FN_glDebugMessageInsertARB, "GL_ARB_debug_output"},
        {SPEC_FN_glDebugMessageCallbackARB, "GL_ARB_debug_output"},
        {SPEC_FN_glGetDebugMessageLogARB, "GL_ARB_debug_output"},
        {SPEC_FN_glDebugMessageEnableAMD, "GL_AMD_debug_output"},
        {SPEC_FN_glDebugMessageInsertAMD, "GL_AMD_debug_output"},
        {SPEC_FN_glDebugMessageCallbackAMD, "GL_AMD_debug_output"},
        {SPEC_FN_glGetDebugMessageLogAMD, "GL_AMD_debug_output"},
        {SPEC_FN_glDebugMessageControl, "GL_KHR_debug"},
        {SPEC_FN_glDebugMessageInsert, "GL_KHR_debug"},
        {SPEC_FN_glDebugMessageInsertKHR, "GL_KHR_debug"},
        {SPEC_FN_glDebugMessageCallback, "GL_KHR_debug"},
        {SPEC_FN_glGetDebugMessageLog, "GL_KHR_debug"},
        {SPEC_FN_glPopDebugGroup, "GL_KHR_debug"},
        {SPEC_FN_glObjectPtrLabelKHR, "GL_KHR_debug"},
        {SPEC_FN_glPushDebugGroupKHR, "GL_KHR_debug"},
        {SPEC_FN_glObjectLabel, "GL_KHR_debug"},
        {SPEC_FN_glPushGroupMarkerEXT, "GL_EXT_debug_marker"},
        {SPEC_FN_glPopGroupMarkerEXT, "GL_EXT_debug_marker"},
        {SPEC_FN_glInsertEventMarkerEXT, "GL_EXT_debug_marker"},
        {SPEC_FN_glLabelObjectEXT, "GL_EXT_debug_label"},
    };
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        for (unsigned e = 0; e < 8; ++e) {
            start("2.1", all[e]);
            stub_make(functions[i].function, stub_arguments((const uint64_t[8]){0}), NULL);
            assert_int_equal(stub.replacement == NULL, strcmp(all[e], functions[i].extension) == 0);
            stub_stop();
        }
    /* Between glBegin() and glEnd(), the driver must not be queried. */
    start("2.1", "");
    STUB_MAKE(glBegin, NULL, 4);
    STUB_MAKE(glStringMarkerGREMEDY, NULL, 0);
    assert_non_null(stub.replacement);
    STUB_MAKE(glPushDebugGroup, NULL, 0);
    assert_null(stub.replacement);
    STUB_MAKE(glEnd, NULL, 0);
    STUB_MAKE(glPushDebugGroup, NULL, 0);
    assert_non_null(stub.replacement);
    stub_stop();
}

static void test_labels(void **state)
{
    (void)state;
    static const struct {
        uint16_t function;
        unsigned room; /* the argument, followed by the length and the label */
    } functions[] = {{SPEC_FN_glGetObjectLabel, 2},
                     {SPEC_FN_glGetObjectLabelKHR, 2},
                     {SPEC_FN_glGetObjectPtrLabel, 1},
                     {SPEC_FN_glGetObjectPtrLabelKHR, 1},
                     {SPEC_FN_glGetObjectLabelEXT, 2}};
    start("2.1", "");
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        for (uint64_t room = 0; room < 3; ++room) {
            int32_t length = 5;
            char label[4] = "abc";
            uint64_t args[8] = {0};
            args[functions[i].room] = room;
            args[functions[i].room + 1] = STUB_P(&length);
            args[functions[i].room + 2] = STUB_P(label);
            stub_make(functions[i].function, stub_arguments(args), NULL);
            assert_non_null(stub.replacement);
            assert_int_equal(length, 0);
            assert_string_equal(label, room > 0 ? "" : "abc");
            args[functions[i].room + 1] = args[functions[i].room + 2] = 0;
            stub_make(functions[i].function, stub_arguments(args), NULL);
        }
    stub_stop();
}

static void test_pointers(void **state)
{
    (void)state;
    for (uint32_t pname = 0x8243; pname <= 0x8246; ++pname) {
        void *value = &value;
        bool ours = pname == 0x8244 || pname == 0x8245;
        start("2.1", "");
        STUB_MAKE(glGetPointerv, NULL, pname, STUB_P(&value));
        assert_int_equal(stub.replacement != NULL, ours);
        assert_int_equal(value == NULL, ours);
        STUB_MAKE(glGetPointerv, NULL, pname, 0);
        assert_null(stub.replacement);
        stub_stop();
        start("4.3", "");
        STUB_MAKE(glGetPointerv, NULL, pname, STUB_P(&value));
        assert_null(stub.replacement);
        stub_stop();
    }
}

/* The flag of GL_VMWX_map_buffer_debug is for the recorder, unless the driver supports it. */
static void test_notified_mappings(void **state)
{
    (void)state;
    static const struct {
        uint16_t function;
        unsigned flags;
    } functions[] = {{SPEC_FN_glBufferStorage, 3},       {SPEC_FN_glNamedBufferStorage, 3},
                     {SPEC_FN_glBufferStorageEXT, 3},    {SPEC_FN_glMapBufferRange, 3},
                     {SPEC_FN_glMapNamedBufferRange, 3}, {SPEC_FN_glNamedBufferStorageEXT, 3},
                     {SPEC_FN_glMapBufferRangeEXT, 3},   {SPEC_FN_glMapNamedBufferRangeEXT, 3}};
    for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i)
        for (unsigned has = 0; has < 2; ++has) {
            uint64_t values[8] = {0};
            values[functions[i].flags] = 0x80000042;
            start("4.6", has ? "GL_VMWX_map_buffer_debug" : "GL_ARB_a");
            const union spec_arg *args = stub_arguments(values);
            stub_make(functions[i].function, args, NULL);
            assert_int_equal(args[functions[i].flags].u, has ? 0x80000042 : 0x42);
            stub_stop();
        }
}

static void other_library(void)
{
}

/* Calls to a library other than the system's get that library's answers. */
static void test_other_libraries(void **state)
{
    (void)state;
    static const struct {
        uint16_t function;
        uint64_t arguments[2];
    } calls[] = {{SPEC_FN_glGetString, {EXTENSIONS}},  {SPEC_FN_glGetStringi, {EXTENSIONS}},
                 {SPEC_FN_glGetIntegerv, {COUNT}},     {SPEC_FN_glGetProgramiv, {1, 0x8741}},
                 {SPEC_FN_glGetProgramBinary, {1}},    {SPEC_FN_glProgramBinary, {1}},
                 {SPEC_FN_glStringMarkerGREMEDY, {0}}, {SPEC_FN_glPushDebugGroup, {0}},
                 {SPEC_FN_glGetFloatv, {0x87FE}}};
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; ++i) {
        start("3.1", "GL_ARB_a");
        thunk_real = other_library;
        const uint64_t *a = calls[i].arguments;
        stub_make(calls[i].function, stub_arguments((const uint64_t[8]){a[0], a[1]}), NULL);
        assert_ptr_equal(stub.replacement, other_library);
        stub_stop();
    }
}

/* --- program binaries -------------------------------------------------------------------------------------
 */

static void test_binary_formats(void **state)
{
    (void)state;
    for (unsigned g = 0; g < 5; ++g) {
        start("4.6", "GL_ARB_a");
        stub.integers[0x87FE] = 3;
        assert_int_equal(ask(getters[g], 0x87FE), 0);
        assert_int_equal(ask(getters[g], 0x87FF), -7);
        stub_stop();
        start("4.6", "GL_ARB_a"); /* a driver without any has been asked, too */
        assert_int_equal(ask(getters[g], 0x87FE), 0);
        stub_stop();
        start("1.5", "GL_ARB_a");
        assert_int_equal(ask(getters[g], 0x87FE), -8);
        stub_stop();
        start("2.1", "GL_ARB_a"); /* a driver that rejects the query leaves the answer unchanged */
        stub.integers[0x87FE] = -1;
        assert_int_equal(ask(getters[g], 0x87FE), -7);
        stub_stop();
    }
}

static void test_binaries(void **state)
{
    (void)state;
    static const uint16_t gets[] = {SPEC_FN_glGetProgramBinary, SPEC_FN_glGetProgramBinaryOES};
    static const uint16_t loads[] = {SPEC_FN_glProgramBinary, SPEC_FN_glProgramBinaryOES};
    static const uint64_t none[8];
    start("4.6", "GL_ARB_a");
    for (unsigned i = 0; i < 2; ++i)
        for (int32_t size = -1; size <= 1; ++size) {
            int32_t length = 5;
            stub_make(gets[i], stub_arguments(none), NULL);
            typedef void (*get)(uint32_t, int32_t, int32_t *, uint32_t *, void *);
            ((get)stub.replacement)(1, size, &length, NULL, NULL);
            assert_int_equal(length, 0);
            assert_int_equal(binary_size, size < 0 ? -1 : 0);
            ((get)stub.replacement)(1, size, NULL, NULL, NULL);
            stub_make(loads[i], stub_arguments(none), NULL);
            ((void (*)(uint32_t, uint32_t, const void *, int32_t))stub.replacement)(1, 7, &length, size);
            assert_int_equal((uint32_t)binary_format, 0xDEADDEAD);
            assert_true(size < 0 ? binary_length == size : binary_length > 0);
        }
    for (unsigned fails = 0; fails < 2; ++fails) {
        int32_t value = 99;
        driver_fails = fails;
        STUB_MAKE(glGetProgramiv, NULL, 1, 0x8741, STUB_P(&value));
        ((void (*)(uint32_t, uint32_t, int32_t *))stub.replacement)(1, 0x8741, &value);
        assert_int_equal(value, fails ? 99 : 0);
        ((void (*)(uint32_t, uint32_t, int32_t *))stub.replacement)(1, 0x8741, NULL);
    }
    STUB_MAKE(glGetProgramiv, NULL, 1, 0x8B82, 0);
    assert_null(stub.replacement);
    stub_stop();
}

/* --- gltrace.conf ------------------------------------------------------------------------------------------
 */

static const char conf_text[] =
    "GL_VENDOR = \"Acme\"\nGL_VERSION = \"4.0 Acme\"\nGL_EXTENSIONS = \"GL_a GL_KHR_debug GL_b\"\n"
    "GL_MAX_TEXTURE_SIZE = 64\nGL_UNIFORM_BUFFER_OFFSET_ALIGNMENT = 16\n"
    "GL_TEXTURE_BUFFER_OFFSET_ALIGNMENT = 32\n"
    "GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT = 48\n"
    "GL_CONTEXT_PROFILE_MASK = \"GL_CONTEXT_CORE_PROFILE_BIT\"\n";

static const char *get_text(uint32_t name)
{
    STUB_MAKE(glGetString, NULL, name);
    return stub.replacement != NULL ? ((const char *(*)(uint32_t))stub.replacement)(name) : "the driver's";
}

static void test_conf(void **state)
{
    (void)state;
    static const struct {
        uint32_t pname;
        int value;
    } numbers[] = {{0x821B, 4},  {0x821C, 0},  {0x9126, 1}, {0x0D33, 64},
                   {0x8A34, 16}, {0x919F, 32}, {0x90DF, 48}};
    for (unsigned d = 0; d < 2; ++d) {
        start(d == 0 ? "2.1" : "3.1", "GL_x GL_EXT_debug_label");
        assert_string_equal(get_text(0x1F00), "Acme");
        assert_string_equal(get_text(0x1F01), "the driver's");
        assert_string_equal(get_text(0x1F02), "4.0 Acme");
        assert_string_equal(get_text(0x8B8C), "the driver's");
        const char *list = get_list();
        assert_memory_equal(list, "GL_a GL_KHR_debug GL_b ", 23);
        for (unsigned e = 0; e < 8; ++e)
            assert_int_equal(occurrences(list, all[e]), 1);
        for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
            assert_int_equal(ask(SPEC_FN_glGetIntegerv, numbers[i].pname), numbers[i].value);
        stub_stop();
    }
    start("3.1", "GL_x");
    static const char *const first[] = {"GL_a", "GL_KHR_debug", "GL_b", "GL_GREMEDY_string_marker"};
    assert_int_equal(ask(SPEC_FN_glGetIntegerv, COUNT), 3 + 7);
    for (uint32_t i = 0; i < 4; ++i) {
        STUB_MAKE(glGetStringi, NULL, EXTENSIONS, i);
        assert_string_equal(((const char *(*)(uint32_t, uint32_t))stub.replacement)(EXTENSIONS, i), first[i]);
    }
    stub_stop();
    start("3.1", "a b c d e f g h i j k l m n"); /* more than are listed */
    assert_int_equal(ask(SPEC_FN_glGetIntegerv, COUNT), 3 + 7);
    for (uint32_t i = 10; i < 13; ++i) {
        STUB_MAKE(glGetStringi, NULL, EXTENSIONS, i);
        assert_null(((const char *(*)(uint32_t, uint32_t))stub.replacement)(EXTENSIONS, i));
    }
    stub_stop();
}

/* trace-cli-trace(1): TRACE_CLI_OFFER_EXTENSIONS=no, or 0. */
static void test_no_offers(void **state)
{
    (void)state;
    start("2.1", "GL_ARB_a");
    assert_string_equal(get_list(), "GL_ARB_a");
    STUB_MAKE(glStringMarkerGREMEDY, NULL, 0);
    assert_null(stub.replacement);
    assert_int_equal((int)ask(SPEC_FN_glGetIntegerv, 0x82E8), -8);
    assert_null(gl_offers_address("glDebugMessageControl", NULL));
    assert_null(gl_offers_address("glNotifyMappedBufferRangeVMWX", NULL));
    stub_stop();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errno), /* must be the first to query */
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_indexed_lists),
        cmocka_unit_test(test_nameless_extension),
        cmocka_unit_test(test_no_context),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_notifications),
        cmocka_unit_test(test_debug_limits),
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_notified_mappings),
        cmocka_unit_test(test_other_libraries),
        cmocka_unit_test(test_binary_formats),
        cmocka_unit_test(test_binaries),
    };
    const struct CMUnitTest with_conf[] = {cmocka_unit_test(test_conf)};
    const struct CMUnitTest without[] = {cmocka_unit_test(test_no_offers)};
    char path[] = "/tmp/test_offers.XXXXXX";
    unsetenv("TRACE_CLI_OFFER_EXTENSIONS");
    if (argc < 2 || strcmp(argv[1], "conf") != 0) {
        setenv("GLTRACE_CONF", "/nowhere/at/all", 1);
        if (argc >= 2) {
            setenv("TRACE_CLI_OFFER_EXTENSIONS", argv[1], 1);
            bool offers = strcmp(argv[1], "no") != 0 && strcmp(argv[1], "0") != 0;
            return offers ? cmocka_run_group_tests(tests, NULL, NULL)
                          : cmocka_run_group_tests(without, NULL, NULL);
        }
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
    FILE *file = fdopen(mkstemp(path), "w");
    if (file == NULL || fputs(conf_text, file) < 0 || fclose(file) != 0)
        return 1;
    setenv("GLTRACE_CONF", path, 1);
    int rc = cmocka_run_group_tests(with_conf, NULL, NULL);
    remove(path);
    return rc;
}
