/* SPDX-License-Identifier: MIT
 * Calls that are read as plain ones, straight from their bytes, give the driver the same as calls that are
 * read as values: for every function, and for values of all types, also of those that the function does not
 * have, and names of objects that exist or do not.
 */
#include "cmocka_all.h"
#include "next_random.h"
#include "runtime/invoke.h"
#include "runtime/length.h"
#include "runtime/packed.h"
#include "spec_ids.h"
#include "stub_gl.h"
#include "unpack_args.h"

#include "formats/apitrace/container/container.h"
#include "formats/apitrace/encoder.h"
#include "windows/window_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { REPEATED = 40, MOST_ARRAYS = 3 };

#define HANDLE UINT64_C(0x1234500000)

/* --- the driver: every function, and what each call gets -------------------------------------------------
 */

static struct buf calls_seen = BUF_INIT;
static unsigned in_runs; /* number of calls */

void __real_spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                        union spec_arg *ret);
void __wrap_spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                        union spec_arg *ret);
spec_runner __wrap_spec_find_runner(const struct spec_function *f);

/* Returns how many elements are compared. */
static size_t elements(const struct spec_function *f, const union spec_arg *args)
{
    if (f->array_count == SPEC_NO_PARAM)
        return f->array_unit;
    int32_t count = (int32_t)args[f->array_count].i;
    return count > 0 ? (size_t)(count < MOST_ARRAYS ? count : MOST_ARRAYS) * f->array_unit : 0;
}

static void see(const struct spec_function *f, const union spec_arg *args)
{
    assert_int_equal(buf_append(&calls_seen, &f->id, sizeof f->id), 0);
    for (unsigned i = 0; i < f->param_count; ++i) {
        const struct spec_param *p = spec_param(f, i);
        size_t size = spec_type_size((enum spec_type)p->type); /* the other bytes are undefined */
        if (p->form == SPEC_FORM_ARRAY)
            assert_int_equal(buf_append(&calls_seen, args[i].p, size * elements(f, args)), 0);
        else
            assert_int_equal(buf_append(&calls_seen, &args[i], size), 0);
    }
}

void __wrap_spec_invoke(const struct spec_function *f, void (*fn)(void), const union spec_arg *args,
                        union spec_arg *ret)
{
    ret->u = 0;
    if (f->runner != 0)
        see(f, args);
    else
        __real_spec_invoke(f, fn, args, ret);
}

static void run(const struct spec_function *f, void (*fn)(void), const void *args, size_t count)
{
    struct spec_packed layout;
    (void)fn;
    assert_true(spec_packed_layout(f, &layout));
    for (size_t i = 0; i < count; ++i) {
        union spec_arg unpacked[SPEC_PACKED_PARAMS];
        void *array = unpack_args(f, (const char *)args + i * layout.size, unpacked);
        see(f, unpacked);
        free(array);
    }
    in_runs += (unsigned)count;
}

spec_runner __wrap_spec_find_runner(const struct spec_function *f)
{
    return f->runner != 0 ? run : NULL;
}

static void not_called(void)
{
    abort();
}

static void *get_proc(struct window_system *ws, const char *name)
{
    void (*function)(void) = not_called;
    void *found = stub_gl_function(name);
    (void)ws;
    if (found == NULL)
        memcpy(&found, &function, sizeof found);
    return found;
}

/* --- calls -----------------------------------------------------------------------------------------------
 */

static const struct trace_enum_name enum_names[] = {{"GL_ONE", 1}};
static const struct trace_enum_sig enumeration = {1, 1, enum_names};
static const struct trace_flag_name flag_names[] = {{"GL_A_BIT", 1}};
static const struct trace_bitmask_sig bitmask = {1, 1, flag_names};

static uint64_t some_integer(void)
{
    return next_random() >> next_random() % 64;
}

/* Encodes an integer in one of the ways that there are. */
static void encode_integer(struct trace_encoder *e)
{
    uint64_t value = some_integer();
    switch (next_random() % 8) {
    case 0:
        trace_encode_sint(e, -(int64_t)(value >> 1));
        break;
    case 1:
        trace_encode_enum(e, &enumeration, (int32_t)value);
        break;
    case 2:
        trace_encode_bitmask(e, &bitmask, value);
        break;
    case 3:
        trace_encode_bool(e, value % 2 != 0);
        break;
    case 4:
        trace_encode_opaque(e, value);
        break;
    case 5:
        trace_encode_null(e);
        break;
    default:
        trace_encode_uint(e, value);
    }
}

static void encode_number(struct trace_encoder *e, enum spec_type type)
{
    bool is_float = type == SPEC_F32 || type == SPEC_F64, is_unusual = next_random() % 8 == 0;
    if (is_unusual)
        is_float = !is_float;
    if (is_float && (type == SPEC_F32) == (next_random() % 8 != 0))
        trace_encode_float(e, (float)some_integer() / 8);
    else if (is_float)
        trace_encode_double(e, (double)some_integer() / 8);
    else
        encode_integer(e);
}

/* Some of these objects exist, with other names in the replay. */
static void encode_name(struct trace_encoder *e, enum spec_type type)
{
    if (type == SPEC_U64)
        trace_encode_uint(e, HANDLE);
    else if (next_random() % 8 == 0)
        trace_encode_sint(e, -1);
    else
        trace_encode_uint(e, next_random() % 6);
}

static void encode_param(struct trace_encoder *e, const struct spec_function *f, unsigned i)
{
    const struct spec_param *p = spec_param(f, i);
    if (f->array_unit > 0 && i == f->array_count && next_random() % 4 != 0) {
        trace_encode_uint(e, next_random() % 8 == 0 ? 2 : 1);
    } else if (p->object != 0 && next_random() % 4 != 0) {
        encode_name(e, (enum spec_type)p->type);
    } else if (p->form != SPEC_FORM_ARRAY) {
        encode_number(e, (enum spec_type)p->type);
    } else if (next_random() % 16 == 0) {
        trace_encode_opaque(e, some_integer());
    } else {
        uint64_t count = next_random() % 8 == 0 ? next_random() % 20 : f->array_unit;
        trace_encode_array(e, count);
        for (uint64_t n = 0; n < count; ++n)
            encode_number(e, (enum spec_type)p->type);
    }
}

static void encode_call(struct trace_encoder *e, const struct spec_function *f, uint32_t id, uint64_t number)
{
    static const char *const names[SPEC_PACKED_PARAMS] = {[0 ... SPEC_PACKED_PARAMS - 1] = "x"};
    const struct trace_function_sig sig = {
        .id = id, .name = spec_string(f->name), .arg_count = f->param_count, .arg_names = names};
    trace_encode_enter(e, (uint32_t)(number / 1000 % 2), &sig, 0);
    for (unsigned i = 0; i < f->param_count; ++i) {
        if (next_random() % 256 == 0)
            continue; /* it is missing */
        trace_encode_arg(e, i);
        encode_param(e, f, i);
    }
    trace_encode_end(e);
    trace_encode_leave(e, number);
    if (f->ret.type != SPEC_VOID && next_random() % 8 != 0) {
        trace_encode_ret(e);
        encode_number(e, (enum spec_type)f->ret.type);
    }
    trace_encode_end(e);
}

static void begin_call(struct trace_encoder *e, uint32_t thread, unsigned function)
{
    static const char *const names[] = {"a", "b"};
    const struct spec_function *f = &spec_functions[function];
    const struct trace_function_sig sig = {
        .id = 2U + f->id, .name = spec_string(f->name), .arg_count = f->param_count, .arg_names = names};
    trace_encode_enter(e, thread, &sig, 0);
}

static void end_call(struct trace_encoder *e, uint64_t number, uint64_t ret)
{
    trace_encode_end(e);
    trace_encode_leave(e, number);
    trace_encode_ret(e);
    trace_encode_uint(e, ret);
    trace_encode_end(e);
}

/* Creates objects of the names 1 to 3. */
static void encode_creation(struct trace_encoder *e, uint32_t thread, unsigned function, uint64_t number)
{
    begin_call(e, thread, function);
    trace_encode_arg(e, 0);
    trace_encode_uint(e, 3);
    trace_encode_arg(e, 1);
    trace_encode_array(e, 3);
    for (unsigned name = 1; name <= 3; ++name)
        trace_encode_uint(e, name);
    end_call(e, number, 0);
}

static void encode_handle(struct trace_encoder *e, uint32_t thread, uint64_t number)
{
    begin_call(e, thread, SPEC_FN_glGetTextureHandleARB);
    trace_encode_arg(e, 0);
    trace_encode_uint(e, 1);
    end_call(e, number, HANDLE);
}

/* Creates program 3, with a uniform at location 1, and uses it. */
static uint64_t encode_program(struct trace_encoder *e, uint32_t thread, uint64_t number)
{
    begin_call(e, thread, SPEC_FN_glCreateProgram);
    end_call(e, number++, 3);
    begin_call(e, thread, SPEC_FN_glGetUniformLocation);
    trace_encode_arg(e, 0);
    trace_encode_uint(e, 3);
    trace_encode_arg(e, 1);
    trace_encode_string(e, "a", 1);
    end_call(e, number++, 1);
    begin_call(e, thread, SPEC_FN_glUseProgram);
    trace_encode_arg(e, 0);
    trace_encode_uint(e, 3);
    end_call(e, number++, 0);
    return number;
}

static uint64_t encode_objects(struct trace_encoder *e, uint32_t thread, uint64_t number)
{
    static const uint16_t functions[] = {SPEC_FN_glGenTextures, SPEC_FN_glGenBuffers,
                                         SPEC_FN_glGenRenderbuffers, SPEC_FN_glGenFramebuffers};
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; ++i)
        encode_creation(e, thread, functions[i], number++);
    encode_handle(e, thread, number++);
    return encode_program(e, thread, number);
}

/* Every thread has a context of its own. */
static uint64_t encode_context(struct trace_encoder *e, uint32_t thread, uint64_t number)
{
    static const char *const create_names[] = {"dpy", "vis", "shareList", "direct"};
    static const char *const current_names[] = {"dpy", "drawable", "ctx"};
    const struct trace_function_sig create = {0, "glXCreateContext", 4, create_names, 0, 0};
    const struct trace_function_sig current = {1, "glXMakeCurrent", 3, current_names, 0, 0};
    const uint64_t created[] = {16, 32, 0, 1}, made[] = {16, 77 + thread, 48 + thread};
    for (unsigned call = 0; call < 2; ++call) {
        trace_encode_enter(e, thread, call == 0 ? &create : &current, 0);
        for (unsigned i = 0; i < (call == 0 ? 4U : 3U); ++i) {
            trace_encode_arg(e, i);
            trace_encode_uint(e, call == 0 ? created[i] : made[i]);
        }
        trace_encode_end(e);
        trace_encode_leave(e, number + call);
        trace_encode_ret(e);
        trace_encode_uint(e, call == 0 ? 48 + thread : 1);
        trace_encode_end(e);
    }
    return encode_objects(e, thread, number + 2);
}

/* Returns the number of calls. */
static uint64_t write_calls(int fd)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct trace_output *output;
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    uint64_t number = encode_context(&e, 0, 0);
    number = encode_context(&e, 1, number);
    for (unsigned i = 0; i < spec_function_count * REPEATED; ++i) {
        const struct spec_function *f = &spec_functions[i / REPEATED];
        if (f->runner != 0)
            encode_call(&e, f, 2U + f->id, number++);
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
    assert_int_equal(trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_output_write(output, stream.data, stream.len), 0);
    assert_int_equal(trace_output_close(output), 0);
    buf_fini(&stream);
    return number;
}

/* --- both ways -------------------------------------------------------------------------------------------
 */

struct replayed {
    struct buf seen;
    uint64_t calls, failures;
    unsigned in_runs;
};

static struct replayed replay(struct replay_options *options, const char *path)
{
    calls_seen = (struct buf)BUF_INIT;
    in_runs = 0;
    stub_gl_reset("4.6");
    stub_gl_replay_file(options, path);
    assert_int_equal(stub_gl.rc, 0);
    return (struct replayed){calls_seen, stub_gl.calls, stub_gl.failures, in_runs};
}

static void test_every_function(void **state)
{
    struct window_system_ops ops = *stub_windows.ops;
    struct replay_options values = {.benchmark = true};
    struct replay_options plain[] = {
        {.benchmark = true}, {.benchmark = true, .single_thread = true}, {.single_thread = true}};
    char path[40];
    int fd = memfd_create("calls.trace", MFD_CLOEXEC);
    (void)state;
    ops.get_proc = get_proc;
    const struct window_system_ops *saved = stub_windows.ops;
    stub_windows.ops = &ops;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    uint64_t count = write_calls(fd);
    assert_int_equal(trace_call_set_parse(&values.ignored_calls, "100000000"), 0);
    struct replayed expected = replay(&values, path);
    assert_int_equal(expected.in_runs, 0);
    assert_in_range(expected.failures, 1, count / 3);
    for (unsigned i = 0; i < sizeof plain / sizeof *plain; ++i) {
        struct replayed found = replay(&plain[i], path);
        assert_in_range(found.in_runs, count / 3, count);
        assert_int_equal(found.calls, expected.calls);
        assert_int_equal(found.failures, expected.failures);
        assert_int_equal(found.seen.len, expected.seen.len);
        assert_memory_equal(found.seen.data, expected.seen.data, expected.seen.len);
        buf_fini(&found.seen);
    }
    buf_fini(&expected.seen);
    trace_call_set_fini(&values.ignored_calls);
    stub_windows.ops = saved;
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
