/* SPDX-License-Identifier: MIT
 * Tests that the text which is written straight from the bytes of calls is the same as that of the calls, and
 * for which calls it is. The same for the numbers that a replay gets straight from the bytes.
 */
#include "formats/apitrace/read/scalar_calls.h"

#include "base/error.h"
#include "formats/apitrace/read/plain_calls.h"
#include "formats/apitrace/read/reader_batches.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS     (1200 * FORMS) /* numbers of up to three bytes, and of up to five digits */
#define MANY_ARGS 130            /* the index of the last one takes two bytes */

/* The form of a call: call i has form i % FORMS. */
enum form {
    NO_ARGS,
    FLOATS,
    DOUBLE,
    UINTS,
    OPAQUE,
    CONSTANTS,
    ENUMS,
    BITMASKS,
    RETURNS_UINT,
    RETURNS_ENUM,
    RETURNS_LITTLE, /* of a function that is verbose if it returns 0 */
    ASKS,           /* of a verbose function */
    ENDS_FRAME,
    LARGE_ID,
    LAST_WITH_TEXT = LARGE_ID, /* the text of these and the forms before is written directly */
    HUGE_ID,                   /* the text of these is not */
    HUGE_UINT,
    HUGE_ENUM,
    NEGATIVE,
    NEGATIVE_ENUM,
    LONG_ENUM,
    STRING,
    ARRAY,
    SWAPPED,
    MISSING,
    TWICE,
    MARKED_FAKE,
    WITH_FRAMES,
    LARGE_THREAD,
    ARGS_MANY,
    RETURNS_STRING,
    OVERLAPS, /* returns after the next two calls */
    OVERLAPPED,
    BETWEEN, /* written directly, too */
    FORMS,
};

static const char *const arg_names[MANY_ARGS] = {"x", "a_name_of_more_than_thirty_two_characters", "z", "w"};
static const char *const many_names[MANY_ARGS] = {[0 ... MANY_ARGS - 1] = "n"};
static const struct trace_enum_name enum_names[] = {
    {"GL_ONE", 1}, {"GL_MINUS", -1}, {"GL_A_NAME_OF_MORE_THAN_THIRTY_TWO_CHARACTERS", 2}};
static const struct trace_enum_sig enumeration = {3, 3, enum_names};
static const struct trace_flag_name flag_names[] = {{"GL_A_BIT_WITH_A_NAME_OF_SOME_LENGTH", 1},
                                                    {"GL_ANOTHER_BIT_WITH_A_NAME_OF_SOME_LENGTH", 2}};
static const struct trace_bitmask_sig bitmask = {4, 2, flag_names};

static struct trace_function_sig signature(enum form form)
{
    static char names[FORMS][24];
    struct trace_function_sig sig = {
        .id = (uint32_t)form + 1, .name = names[form], .arg_count = 2, .arg_names = arg_names};
    snprintf(names[form], sizeof names[form], "glForm%d", (int)form);
    switch (form) {
    case NO_ARGS:
        sig.arg_count = 0;
        break;
    case FLOATS:
        sig.arg_count = 4;
        break;
    case RETURNS_LITTLE:
        sig.name = "glGetError";
        break;
    case ASKS:
        sig.name = "glGetString";
        break;
    case ENDS_FRAME:
        sig.name = "glXSwapBuffers";
        break;
    case LARGE_ID:
        sig.id = 16383;
        break;
    case HUGE_ID:
        sig.id = 16384;
        break;
    case ARGS_MANY:
        sig.arg_count = MANY_ARGS;
        sig.arg_names = many_names;
        break;
    default:
        break;
    }
    return sig;
}

/* Returns a number of 1 to 62 bits. */
static uint64_t some_number(uint64_t i)
{
    uint64_t bits = i * UINT64_C(0x9e3779b97f4a7c15);
    return bits >> (2 + i / FORMS % 62);
}

static void encode_value(struct trace_encoder *e, enum form form, uint64_t i)
{
    const int64_t value = (int64_t)(i / FORMS % 2);
    switch (form) {
    case FLOATS:
        trace_encode_float(e, (float)i / 7);
        break;
    case DOUBLE:
        trace_encode_double(e, (double)i / 7);
        break;
    case OPAQUE:
        trace_encode_opaque(e, some_number(i) >> 8);
        break;
    case CONSTANTS:
        if (i / FORMS % 3 == 0)
            trace_encode_null(e);
        else
            trace_encode_bool(e, value != 0);
        break;
    case ENUMS:
        trace_encode_enum(e, &enumeration, value);
        break;
    case BITMASKS:
        trace_encode_bitmask(e, &bitmask, i / FORMS % 8);
        break;
    case HUGE_UINT:
        trace_encode_uint(e, UINT64_MAX - i);
        break;
    case HUGE_ENUM:
        trace_encode_enum(e, &enumeration, INT64_MAX);
        break;
    case NEGATIVE:
        trace_encode_sint(e, -1 - (int64_t)i);
        break;
    case NEGATIVE_ENUM:
        trace_encode_enum(e, &enumeration, -1);
        break;
    case LONG_ENUM:
        trace_encode_enum(e, &enumeration, 2);
        break;
    case STRING:
        trace_encode_string(e, "text", 4);
        break;
    case ARRAY:
        trace_encode_array(e, 1);
        trace_encode_uint(e, i);
        break;
    default:
        trace_encode_uint(e, some_number(i) >> 8);
    }
}

static void encode_args(struct trace_encoder *e, enum form form, uint64_t i, uint32_t count)
{
    for (uint32_t k = 0; k < count - (form == MISSING); ++k) {
        trace_encode_arg(e, form == SWAPPED ? count - 1 - k : k);
        encode_value(e, form, i + k);
    }
    if (form == TWICE) {
        trace_encode_arg(e, count - 1);
        encode_value(e, form, i);
    }
}

static void encode_enter(struct trace_encoder *e, enum form form, uint64_t i)
{
    static const struct trace_frame frame = {1, "/usr/lib/libm.so", "function", "file.c", 12, 255, 0};
    const struct trace_function_sig sig = signature(form);
    trace_encode_enter(e, form == LARGE_THREAD ? 128 : (uint32_t)(i / 4 % 128), &sig,
                       form == MARKED_FAKE ? TRACE_CALL_FAKE : 0);
    if (form == WITH_FRAMES)
        trace_encode_backtrace(e, &frame, 1);
    encode_args(e, form, i, sig.arg_count);
    trace_encode_end(e);
}

static void encode_leave(struct trace_encoder *e, enum form form, uint64_t i)
{
    trace_encode_leave(e, i);
    if (form == RETURNS_UINT || form == RETURNS_ENUM || form == RETURNS_STRING || form == RETURNS_LITTLE)
        trace_encode_ret(e);
    if (form == RETURNS_UINT)
        trace_encode_uint(e, some_number(i) >> 8);
    else if (form == RETURNS_ENUM)
        trace_encode_enum(e, &enumeration, 1);
    else if (form == RETURNS_STRING)
        trace_encode_string(e, "text", 4);
    else if (form == RETURNS_LITTLE)
        trace_encode_uint(e, i / FORMS % 2);
    trace_encode_end(e);
}

static void write_trace(struct sample_file *f)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t i = 0; i < CALLS; ++i) {
        enum form form = (enum form)(i % FORMS);
        encode_enter(&e, form, i);
        if (form != OVERLAPS)
            encode_leave(&e, form, i);
        if (form == BETWEEN)
            encode_leave(&e, OVERLAPS, i - 2);
    }
    assert_false(e.failed);
    trace_encoder_fini(&e);
    sample_file_open(f);
    sample_file_pack(f, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    buf_fini(&stream);
}

/* --- both ways -------------------------------------------------------------------------------------- */

struct text_case {
    struct trace_call_text_style style;
    bool verbose;
    bool is_never_straight;
};

static uint64_t frame_of[CALLS];
static bool is_straight[CALLS]; /* the text was written without a struct trace_call */

static void put_call(struct trace_call_text *f, const struct trace_call *call, bool verbose)
{
    if (verbose || (call->flags & TRACE_CALL_VERBOSE) == 0)
        assert_int_equal(trace_call_text_add(f, call), 0);
}

static void put_one_by_one(const char *path, struct trace_call_text *f, bool verbose)
{
    struct trace_reader *r;
    const struct trace_call *call;
    uint64_t count = 0;
    assert_int_equal(trace_reader_open(&r, path), 0);
    for (;; ++count) {
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        if (call == NULL)
            break;
        frame_of[call->number] = trace_reader_frame(r);
        put_call(f, call, verbose);
        trace_call_release(r, call);
    }
    assert_int_equal(count, CALLS);
    trace_call_text_forget_signatures(f);
    trace_reader_close(r);
}

static void put_batch(struct trace_reader *clone, struct trace_call_text *f, uint64_t first, bool verbose)
{
    const struct trace_call *call;
    for (;;) {
        uint64_t count = trace_reader_put_scalar_calls(clone, f, verbose);
        memset(is_straight + first, true, count);
        first += count;
        assert_int_equal(trace_reader_next_call(clone, &call), 0);
        if (call == NULL)
            return;
        assert_int_equal(trace_reader_frame(clone), frame_of[call->number]);
        put_call(f, call, verbose);
        first = call->number < first ? first : call->number + 1;
        trace_call_release(clone, call);
    }
}

static void put_in_batches(const char *path, struct trace_call_text *f, bool verbose)
{
    struct trace_reader *r, *clone;
    struct trace_batch batch;
    const struct trace_call *call;
    assert_int_equal(trace_reader_open(&r, path), 0);
    assert_int_equal(trace_reader_clone(&clone, r), 0);
    assert_int_equal(trace_reader_put_scalar_calls(r, f, verbose), 0); /* r is not a clone */
    for (;;) {
        assert_int_equal(trace_reader_next_batch(r, &batch, &call), 0);
        if (batch.chunk != NULL) {
            uint64_t first = batch.next_number;
            assert_int_equal(trace_reader_begin_batch(clone, r, &batch), 0);
            put_batch(clone, f, first, verbose);
        } else if (call != NULL) {
            put_call(f, call, verbose);
            trace_call_release(r, call);
        } else {
            break;
        }
    }
    trace_call_text_forget_signatures(f);
    trace_reader_close(clone);
    trace_reader_close(r);
}

/* All calls of these forms are written directly, except at the end of a batch and if they define
 * signatures. */
static bool expects_straight(enum form form, const struct text_case *c)
{
    bool may_be_hidden = form == RETURNS_LITTLE || form == ASKS;
    return (form <= LAST_WITH_TEXT || form == BETWEEN) && !c->is_never_straight &&
           (c->verbose || !may_be_hidden);
}

static void check_which(const struct text_case *c)
{
    unsigned straight[FORMS] = {0};
    for (unsigned i = 0; i < CALLS; ++i)
        straight[i % FORMS] += is_straight[i];
    for (unsigned form = 0; form < FORMS; ++form) {
        bool expected = expects_straight((enum form)form, c);
        assert_in_range(straight[form], expected ? CALLS / FORMS * 9 / 10 : 0, expected ? CALLS : 0);
    }
}

static void check_case(const struct text_case *c, const char *path)
{
    struct trace_call_text *whole = malloc(sizeof *whole), *batches = malloc(sizeof *batches);
    assert_non_null(whole);
    assert_non_null(batches);
    trace_call_text_init(whole, &c->style);
    trace_call_text_init(batches, &c->style);
    memset(is_straight, 0, sizeof is_straight);
    put_one_by_one(path, whole, c->verbose);
    put_in_batches(path, batches, c->verbose);
    check_which(c);
    assert_int_equal(whole->out.len, batches->out.len);
    assert_memory_equal(whole->out.data, batches->out.data, whole->out.len);
    trace_call_text_fini(whole);
    trace_call_text_fini(batches);
    free(whole);
    free(batches);
}

static void test_same_text(void **state)
{
    static const struct text_case cases[] = {
        {.style = {.call_nos = true, .arg_names = true, .multiline = true}},
        {.style = {.call_nos = true, .arg_names = true, .thread_ids = true}, .verbose = true},
        {.style = {.exact_floats = true, .multiline = true}},
        {.style = {.call_nos = true, .color = true}, .is_never_straight = true},
        {.style = {.call_nos = true, .times = true}, .is_never_straight = true},
    };
    (void)state;
    struct sample_file file;
    write_trace(&file);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        check_case(&cases[i], file.path);
    sample_file_close(&file);
}

/* --- plain calls ------------------------------------------------------------------------------------- */

/* Whether calls of this form are plain ones, but for those that define signatures. */
static bool expects_plain(enum form form)
{
    return (form <= LARGE_ID && form != ENDS_FRAME) || form == NEGATIVE || form == LONG_ENUM ||
           form == BETWEEN;
}

/* The functions that are wanted, by the names of their forms. */
struct plain_functions {
    const char *unwanted;
    struct trace_plain_function functions[FORMS];
    unsigned asked; /* how often one was asked for */
};

static enum form form_of(const struct trace_function_sig *sig)
{
    for (unsigned form = 0; form < FORMS; ++form)
        if (strcmp(signature((enum form)form).name, sig->name) == 0)
            return (enum form)form;
    fail();
    return FORMS;
}

static const struct trace_plain_function *find_plain(void *context, const struct trace_function_sig *sig)
{
    struct plain_functions *f = context;
    enum form form = form_of(sig);
    struct trace_plain_function *function = &f->functions[form];
    f->asked++;
    if (strcmp(sig->name, f->unwanted) == 0)
        return NULL;
    *function = (struct trace_plain_function){.owner = function};
    for (uint32_t i = 0; i < sig->arg_count && i < TRACE_PLAIN_ARGS; ++i) {
        uint8_t kind = form == FLOATS ? TRACE_PLAIN_F32 : form == DOUBLE ? TRACE_PLAIN_F64 : TRACE_PLAIN_64;
        uint32_t size = form == FLOATS ? sizeof(float) : sizeof(uint64_t);
        function->params[i] = (struct trace_plain_param){.kind = kind, .offset = (uint16_t)(i * size)};
        function->size += size;
    }
    return function;
}

static void assert_same_args(enum form form, const uint8_t *args, const struct trace_call *call)
{
    for (uint32_t i = 0; i < call->sig->arg_count; ++i) {
        int64_t integer = trace_value_to_sint(&call->args[i], 1 << 20);
        if (form == FLOATS)
            assert_memory_equal(args + i * sizeof(float), &call->args[i].u.f32, sizeof(float));
        else if (form == DOUBLE)
            assert_memory_equal(args + i * sizeof(double), &call->args[i].u.f64, sizeof(double));
        else
            assert_memory_equal(args + i * sizeof integer, &integer, sizeof integer);
    }
}

/* Reads as many calls as are in the part, in the other way. Counts them for each form. */
static void check_part(const struct trace_plain_part *part, struct trace_reader *judge,
                       struct plain_functions *f, unsigned *found)
{
    const struct trace_plain_run *run = part->first;
    uint32_t count = 0;
    for (; (const char *)run < (const char *)part->first + part->size; run = trace_plain_run_next(run)) {
        const struct trace_plain_function *function = run->owner;
        enum form form = (enum form)(function - f->functions);
        for (uint32_t i = 0; i < run->count; ++i, ++count) {
            const struct trace_call *call;
            assert_int_equal(trace_reader_next_call(judge, &call), 0);
            assert_int_equal(call->number, part->number + count);
            assert_int_equal(call->thread, part->thread);
            assert_string_equal(call->sig->name, signature(form).name);
            assert_same_args(form, trace_plain_run_args(run, i), call);
            found[call->number % FORMS]++;
            trace_call_release(judge, call);
        }
    }
    assert_ptr_equal(run, (const char *)part->first + part->size);
    assert_int_equal(count, part->count);
}

/* Reads the trace twice: with and without plain calls. They are the same calls, in the same order. */
static void check_plain(struct trace_reader *r, struct trace_reader *judge, const char *unwanted, size_t room)
{
    uint64_t memory[256];
    struct plain_functions f = {.unwanted = unwanted};
    struct trace_plain_calls calls = {.reader = r, .find = find_plain, .context = &f};
    unsigned found[FORMS] = {0};
    const struct trace_call *call = NULL, *expected = NULL;
    bool ended;
    assert_true(room <= sizeof memory);
    do {
        struct trace_plain_part part;
        trace_plain_calls_read(&calls, memory, room, &part);
        assert_true(part.size <= room);
        if (part.count > 0) {
            check_part(&part, judge, &f, found);
        } else {
            assert_int_equal(trace_reader_next_call(judge, &expected), 0);
            assert_int_equal(trace_reader_next_call(r, &call), 0);
            assert_int_equal(call != NULL, expected != NULL);
            assert_true(call == NULL || call->number == expected->number);
            trace_call_release(judge, expected);
            trace_call_release(r, call);
        }
        assert_int_equal(trace_reader_frame(r), trace_reader_frame(judge));
        ended = part.count == 0 && expected == NULL;
    } while (!ended);
    for (unsigned form = 0; form < FORMS; ++form) {
        bool is_plain =
            expects_plain((enum form)form) && strcmp(signature((enum form)form).name, unwanted) != 0;
        assert_in_range(found[form], is_plain ? CALLS / FORMS * 9 / 10 : 0, is_plain ? CALLS : 0);
    }
    assert_in_range(f.asked, 1, 10 * FORMS); /* not for each call */
}

static void test_plain_calls(void **state)
{
    (void)state;
    static const size_t rooms[] = {2048, 48}; /* 48: one call */
    struct sample_file file;
    const char *const unwanted[] = {"", "glForm2"};
    write_trace(&file);
    for (unsigned i = 0; i < 4; ++i) {
        struct trace_reader *r, *judge;
        assert_int_equal(trace_reader_open(&r, file.path), 0);
        assert_int_equal(trace_reader_open(&judge, file.path), 0);
        check_plain(r, judge, unwanted[i / 2], rooms[i % 2]);
        trace_reader_close(r);
        trace_reader_close(judge);
    }
    sample_file_close(&file);
}

/* Consecutive calls of a function are a run, as long as there is room. At the ends of chunks, and after calls
 * that are no plain ones, another run begins. */
static void test_runs(void **state)
{
    (void)state;
    enum { MANY = 100000, EVERY = 1000, ROOM = 64 * 16 };
    struct sample_file file;
    struct trace_reader *r;
    struct trace_encoder e;
    struct buf stream = BUF_INIT;
    static uint64_t memory[(ROOM + sizeof(struct trace_plain_run)) / sizeof(uint64_t)];
    struct plain_functions f = {.unwanted = ""};
    uint64_t number = 0, most = 0;
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    for (uint64_t i = 0; i < MANY; ++i) {
        enum form form = i % EVERY == 0 ? STRING : FLOATS;
        encode_enter(&e, form, 0);
        encode_leave(&e, form, i);
    }
    trace_encoder_fini(&e);
    sample_file_open(&file);
    sample_file_pack(&file, TRACE_CONTAINER_SNAPPY, stream.data, stream.len);
    buf_fini(&stream);
    assert_int_equal(trace_reader_open(&r, file.path), 0);
    struct trace_plain_calls calls = {.reader = r, .find = find_plain, .context = &f};
    while (number < MANY) {
        struct trace_plain_part part;
        const struct trace_call *call = NULL;
        trace_plain_calls_read(&calls, memory, sizeof memory, &part);
        assert_int_equal(part.number, number);
        number += part.count;
        most += part.count == ROOM / 16;
        assert_true(part.count == 0 || part.first->count == part.count);
        if (part.count > 0)
            continue;
        assert_int_equal(trace_reader_next_call(r, &call), 0);
        assert_int_equal(call->number, number++);
        trace_call_release(r, call);
    }
    assert_in_range(most, MANY / (ROOM / 16) * 8 / 10, MANY / (ROOM / 16));
    trace_reader_close(r);
    sample_file_close(&file);
}

/* A reader that has moved returns calls by itself. */
static void test_no_plain_calls_after_moving(void **state)
{
    (void)state;
    struct sample_file file;
    struct trace_reader *r;
    struct trace_plain_part part;
    uint64_t memory[64];
    struct plain_functions f = {.unwanted = ""};
    write_trace(&file);
    assert_int_equal(trace_reader_open(&r, file.path), 0);
    assert_int_equal(trace_reader_seek_call(r, FORMS * 10), 0);
    struct trace_plain_calls calls = {.reader = r, .find = find_plain, .context = &f};
    trace_plain_calls_read(&calls, memory, sizeof memory, &part);
    assert_int_equal(part.count, 0);
    trace_reader_close(r);
    sample_file_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_text),
        cmocka_unit_test(test_plain_calls),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_no_plain_calls_after_moving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
