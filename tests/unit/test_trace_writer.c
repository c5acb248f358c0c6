/* SPDX-License-Identifier: MIT
 * Tests traces that are written call by call: the same calls as were read, mixed from several traces,
 * overlapping; and what cannot be written.
 */
#include "base/error.h"
#include "trace/text/call_text.h"
#include "formats/apitrace/read/reader.h"
#include "formats/apitrace/write/writer.h"
#include "trace_samples.h"

#include "cmocka_all.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/trace-writer.XXXXXX";
static char path[64];

static int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/new.trace", directory);
    return 0;
}

static unsigned count_files(void)
{
    unsigned count = 0;
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static struct trace_reader *open_reader(const char *name)
{
    struct trace_reader *r;
    assert_int_equal(trace_reader_open(&r, name), 0);
    return r;
}

/* Returns all calls as text without their numbers, terminated by NUL. */
static char *text_of(const char *name, bool exact)
{
    struct trace_call_text *text = malloc(sizeof *text);
    struct trace_reader *r = open_reader(name);
    const struct trace_call *call;
    assert_non_null(text);
    trace_call_text_init(text, &(struct trace_call_text_style){.thread_ids = true,
                                                               .arg_names = true,
                                                               .multiline = true,
                                                               .blob_checksums = exact,
                                                               .exact_floats = exact});
    while (trace_reader_next_call(r, &call) == 0 && call != NULL) {
        assert_int_equal(trace_call_text_add(text, call), 0);
        trace_call_release(r, call);
    }
    assert_int_equal(buf_append_byte(&text->out, '\0'), 0);
    char *result = strdup((char *)text->out.data);
    trace_call_text_fini(text);
    free(text);
    trace_reader_close(r);
    return result;
}

static void copy_calls(struct trace_reader *r, struct trace_writer *w)
{
    const struct trace_call *call;
    while (trace_reader_next_call(r, &call) == 0 && call != NULL) {
        assert_int_equal(trace_writer_write_call(w, call, NULL), 0);
        trace_call_release(r, call);
    }
}

static void check_copy(const char *from, const struct trace_writer_options *options)
{
    struct trace_reader *r = open_reader(from);
    struct trace_writer *w;
    assert_int_equal(trace_writer_open(&w, path, options), 0);
    copy_calls(r, w);
    assert_int_equal(trace_writer_close(w), 0);
    trace_reader_close(r);
    char *before = text_of(from, true), *after = text_of(path, true);
    assert_string_equal(after, before);
    assert_true(strlen(before) > 500);
    free(before);
    free(after);
}

static void copies_every_type(void **state)
{
    (void)state;
    for (enum trace_container c = TRACE_CONTAINER_SNAPPY; c <= TRACE_CONTAINER_ZSTD; ++c)
        for (unsigned jobs = 0; jobs < 3; ++jobs)
            check_copy(TEST_DATA_DIR "/all-types.trace",
                       &(struct trace_writer_options){.container = c, .jobs = jobs});
    check_copy(TEST_DATA_DIR "/tri.trace", NULL);
    check_copy(TEST_DATA_DIR "/incomplete-call.trace", NULL);
}

static void writes_properties_and_version(void **state)
{
    (void)state;
    static const struct trace_property properties[] = {{"process.name", "/bin/true"}, {"a", ""}};
    static const char *const containers[] = {"Snappy", "ZLib", "Brotli", "Zstandard"};
    const struct trace_property *found;
    struct trace_writer *w;
    for (unsigned i = 0; i < 4; ++i) {
        const struct trace_writer_options options = {.container = (enum trace_container)i,
                                                     .level = 1,
                                                     .semantic_version = 5,
                                                     .properties = properties,
                                                     .property_count = 2};
        assert_int_equal(trace_writer_open(&w, path, &options), 0);
        assert_int_equal(trace_writer_close(w), 0);
        struct trace_reader *r = open_reader(path);
        assert_int_equal(trace_reader_version(r), 6);
        assert_int_equal(trace_reader_semantic_version(r), 5);
        assert_int_equal(trace_reader_properties(r, &found), 2);
        assert_string_equal(found[0].value, "/bin/true");
        assert_int_equal(strncmp(trace_reader_container(r), containers[i], 4), 0);
        trace_reader_close(r);
    }
}

static off_t size_of_copy(int level)
{
    const struct trace_writer_options options = {.container = TRACE_CONTAINER_BROTLI, .level = level};
    struct trace_reader *r = open_reader(TEST_DATA_DIR "/tri.trace");
    struct trace_writer *w;
    struct stat st;
    assert_int_equal(trace_writer_open(&w, path, &options), 0);
    copy_calls(r, w);
    assert_int_equal(trace_writer_close(w), 0);
    trace_reader_close(r);
    assert_int_equal(stat(path, &st), 0);
    return st.st_size;
}

/* Options of 0 stand for the default, although Brotli has a quality 0. */
static void knows_zero_from_the_default(void **state)
{
    (void)state;
    const struct trace_writer_options zlib = {.container = TRACE_CONTAINER_ZLIB, .level = TRACE_LEVEL_ZERO};
    struct trace_writer *w;
    assert_true(size_of_copy(0) == size_of_copy(TRACE_LEVEL_DEFAULT));
    assert_true(size_of_copy(0) == size_of_copy(11));
    assert_true(size_of_copy(TRACE_LEVEL_ZERO) > size_of_copy(1));
    assert_true(size_of_copy(1) > size_of_copy(11));
    assert_int_equal(trace_writer_open(&w, path, &zlib), TRACE_ERR_USAGE);
}

/* The signatures of the second trace have the first one's ids, but other meanings. */
static void mixes_traces(void **state)
{
    (void)state;
    struct trace_reader *a = open_reader(TEST_DATA_DIR "/tri.trace");
    struct trace_reader *b = open_reader(TEST_DATA_DIR "/all-types.trace");
    struct trace_writer *w;
    assert_int_equal(trace_writer_open(&w, path, NULL), 0);
    copy_calls(a, w);
    copy_calls(b, w);
    assert_int_equal(trace_writer_close(w), 0);
    trace_reader_close(a);
    trace_reader_close(b);
    char *first = text_of(TEST_DATA_DIR "/tri.trace", true),
         *second = text_of(TEST_DATA_DIR "/all-types.trace", true), *both = text_of(path, true);
    assert_int_equal(strlen(both), strlen(first) + strlen(second));
    assert_memory_equal(both, first, strlen(first));
    assert_string_equal(both + strlen(first), second);
    free(first);
    free(second);
    free(both);
}

/* --- made up calls --------------------------------------------------------------------------------- */

static const char *const arg_names[] = {"in", "out"};
static const struct trace_function_sig function = {
    .id = 3, .name = "glIn", .arg_count = 2, .arg_names = arg_names};

static void writes_overlapping_calls(void **state)
{
    (void)state;
    const struct trace_value in[] = {{.type = TRACE_UINT, .u.uint = 7}, {.type = TRACE_NONE}};
    const struct trace_value out[] = {{.type = TRACE_NONE}, {.type = TRACE_SINT, .u.sint = -8}};
    const struct trace_value none = {.type = TRACE_NONE};
    struct trace_call enter = {.sig = &function, .arg_count = 2, .args = in, .ret = none};
    struct trace_call leave = {.sig = &function, .arg_count = 2, .args = out, .ret = {.type = TRACE_TRUE}};
    uint64_t first, second;
    struct trace_writer *w;
    assert_int_equal(trace_writer_open(&w, path, NULL), 0);
    assert_int_equal(trace_writer_enter_call(w, &enter, &first), 0);
    enter.thread = leave.thread = 1;
    assert_int_equal(trace_writer_enter_call(w, &enter, &second), 0);
    assert_int_equal(trace_writer_leave_call(w, second, &leave), 0);
    assert_int_equal(trace_writer_leave_call(w, second, &leave), TRACE_ERR_USAGE);
    assert_int_equal(trace_writer_leave_call(w, 17, &leave), TRACE_ERR_USAGE);
    leave.thread = 0;
    assert_int_equal(trace_writer_leave_call(w, first, &leave), 0);
    assert_int_equal(trace_writer_enter_call(w, &enter, &first), 0);
    assert_int_equal(first, 2);
    assert_int_equal(trace_writer_close(w), 0);
    char *text = text_of(path, false);
    assert_string_equal(text, "@1 glIn(in = 7, out = -8) = true\n"
                              "@0 glIn(in = 7, out = -8) = true\n"
                              "@1 glIn(in = 7, out = ?) // incomplete\n");
    free(text);
}

static void refuse_value(struct trace_writer *w, struct trace_value v, const char *message)
{
    const struct trace_value args[] = {{.type = TRACE_NONE}, v};
    const struct trace_call call = {
        .sig = &function, .arg_count = 2, .args = args, .ret = {.type = TRACE_NONE}};
    assert_int_equal(trace_writer_write_call(w, &call, NULL), TRACE_ERR_USAGE);
    assert_string_equal(trace_error_message(), message);
}

static void refuses_what_no_reader_takes(void **state)
{
    (void)state;
    static const struct trace_struct_sig point = {.name = "Point", .count = 2, .members = arg_names};
    struct trace_value nested[66];
    struct trace_writer *w;
    assert_int_equal(trace_writer_open(&w, path, NULL), 0);
    refuse_value(w, (struct trace_value){.type = 0x55}, "glIn: argument 1: unknown value type 85");
    refuse_value(w, (struct trace_value){.type = TRACE_ENUM}, "glIn: argument 1: enum: no signature");
    refuse_value(w, (struct trace_value){.type = TRACE_BITMASK}, "glIn: argument 1: bitmask: no signature");
    refuse_value(w, (struct trace_value){.type = TRACE_STRUCT, .count = 3, .sig.structure = &point},
                 "glIn: argument 1: structure: the signature is missing, or has another number of members");
    refuse_value(w, (struct trace_value){.type = TRACE_STRING, .count = 1},
                 "glIn: argument 1: string: the pointer to the data is NULL");
    refuse_value(w, (struct trace_value){.type = TRACE_ARRAY, .element = TRACE_BLOB, .count = 1},
                 "glIn: argument 1: array: elements of type 8 cannot be packed");
    for (int i = 0; i < 66; ++i)
        nested[i] = (struct trace_value){
            .type = TRACE_ARRAY, .element = TRACE_NONE, .count = i < 65, .u.items = &nested[i + 1]};
    refuse_value(w, nested[0], "glIn: argument 1: values nested deeper than 64");
    const struct trace_call three = {.sig = &function, .arg_count = 3, .args = nested};
    assert_int_equal(trace_writer_write_call(w, &three, NULL), TRACE_ERR_USAGE);
    assert_int_equal(trace_writer_write_call(w, &(struct trace_call){.arg_count = 0}, NULL), TRACE_ERR_USAGE);
    /* Nothing of the failed calls is written, and valid calls can still be written. */
    const struct trace_call call = {
        .sig = &function, .arg_count = 1, .args = &nested[2], .ret = {.type = TRACE_NONE}};
    uint64_t number;
    assert_int_equal(trace_writer_write_call(w, &call, &number), 0);
    assert_int_equal(number, 0);
    assert_int_equal(trace_writer_close(w), 0);
    char *text = text_of(path, false);
    assert_non_null(strstr(text, "glIn(in = &&&&"));
    free(text);
}

/* Times are in the index, so this also proves that there is one. */
static void writes_times(void **state)
{
    (void)state;
    struct trace_call call = {.sig = &function, .ret = {.type = TRACE_NONE}};
    const struct trace_call *found;
    struct trace_writer *w;
    for (int times = 0; times < 2; ++times) {
        const struct trace_writer_options options = {.times = times, .wall_clock = 5};
        assert_int_equal(trace_writer_open(&w, path, &options), 0);
        for (int i = 0; i < 3; ++i) {
            call.enter_time = 1000 * i;
            call.leave_time = 1000 * i + 700;
            assert_int_equal(trace_writer_write_call(w, &call, NULL), 0);
        }
        assert_int_equal(trace_writer_close(w), 0);
        struct trace_reader *r = open_reader(path);
        bool known;
        assert_int_equal(trace_reader_want_times(r, &known), 0);
        assert_int_equal(known, times);
        assert_int_equal(trace_reader_seek_call(r, 2), 0);
        assert_int_equal(trace_reader_next_call(r, &found), 0);
        assert_int_equal(found->number, 2);
        assert_true(found->enter_time == (times ? 2000 : TRACE_NO_TIME));
        assert_true(found->leave_time == (times ? 2700 : TRACE_NO_TIME));
        trace_call_release(r, found);
        trace_reader_close(r);
    }
}

/* --- files ----------------------------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Frames that differ in one member are two frames; equal frames are one. */
static void tells_frames_apart(void **state)
{
    (void)state;
    char again[] = "m";
    const struct trace_frame frames[] = {
        {.module = "m", .function = "f", .file = "s", .line = 1, .offset = 1},
        {.module = "n", .function = "f", .file = "s", .line = 1, .offset = 1},
        {.module = "m", .function = "g", .file = "s", .line = 1, .offset = 1},
        {.module = "m", .function = "f", .file = "t", .line = 1, .offset = 1},
        {.module = "m", .function = "f", .file = "s", .line = 2, .offset = 1},
        {.module = "m", .function = "f", .file = "s", .line = 1, .offset = 2},
        {.module = NULL, .function = "f", .file = "s", .line = 1, .offset = 1},
        {.module = "m", .function = NULL, .file = "s", .line = 1, .offset = 1},
        {.module = "m", .function = "f", .file = NULL, .line = 1, .offset = 1},
        {.module = "m", .function = "f", .file = "s", .line = -1, .offset = 1},
        {.module = "m", .function = "f", .file = "s", .line = 1, .offset = -1},
        {.module = again, .function = "f", .file = "s", .line = 1, .offset = 1},
    };
    enum { COUNT = sizeof frames / sizeof *frames };
    const struct trace_call call = {
        .sig = &function, .ret = {.type = TRACE_NONE}, .frame_count = COUNT, .frames = frames};
    const struct trace_call *found;
    struct trace_writer *w;
    assert_int_equal(trace_writer_open(&w, path, NULL), 0);
    assert_int_equal(trace_writer_write_call(w, &call, NULL), 0);
    assert_int_equal(trace_writer_close(w), 0);
    struct trace_reader *r = open_reader(path);
    assert_int_equal(trace_reader_next_call(r, &found), 0);
    assert_int_equal(found->frame_count, COUNT);
    for (size_t i = 0; i < COUNT; ++i) {
        assert_true(is_same_text(found->frames[i].module, frames[i].module));
        assert_true(is_same_text(found->frames[i].function, frames[i].function));
        assert_true(is_same_text(found->frames[i].file, frames[i].file));
        assert_int_equal(found->frames[i].line, frames[i].line);
        assert_int_equal(found->frames[i].offset, frames[i].offset);
        for (size_t k = 0; k < i; ++k)
            assert_int_equal(found->frames[i].id == found->frames[k].id, i == COUNT - 1 && k == 0);
    }
    trace_call_release(r, found);
    trace_reader_close(r);
}

static void leaves_no_unfinished_file(void **state)
{
    (void)state;
    const struct trace_call call = {.sig = &function, .ret = {.type = TRACE_NONE}};
    struct trace_writer *w;
    unlink(path);
    mode_t usual = umask(0); /* the file has a temporary name until then: base/new_file.c */
    assert_int_equal(trace_writer_open(&w, path, NULL), 0);
    umask(usual);
    assert_int_equal(trace_writer_write_call(w, &call, NULL), 0);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(count_files(), 1);
    trace_writer_abandon(w);
    assert_int_equal(count_files(), 0);
    trace_writer_abandon(NULL);
    assert_int_equal(trace_writer_open(&w, "/nowhere/at/all.trace", NULL), TRACE_ERR_IO);
    assert_int_equal(trace_writer_open(&w, directory, NULL), TRACE_ERR_IO);
    assert_int_equal(trace_writer_open(&w, path, &(struct trace_writer_options){.level = 99, .container = 1}),
                     TRACE_ERR_USAGE);
    assert_int_equal(trace_writer_open(&w, path, &(struct trace_writer_options){.container = 9}),
                     TRACE_ERR_USAGE);
    assert_int_equal(count_files(), 0);
}

/* write() fails from 4 KiB on, as on a full disk. */
static void tells_of_a_full_disk(void **state)
{
    (void)state;
    static uint8_t noise[100000];
    const struct rlimit little = {4096, RLIM_INFINITY};
    struct rlimit before;
    for (size_t i = 0; i < sizeof noise; ++i)
        noise[i] = (uint8_t)(i * i >> 7 ^ i);
    const struct trace_value blob = {.type = TRACE_BLOB, .count = sizeof noise, .u.blob = noise};
    const struct trace_call call = {
        .sig = &function, .arg_count = 1, .args = &blob, .ret = {.type = TRACE_NONE}};
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    for (unsigned jobs = 0; jobs < 2; ++jobs) {
        struct trace_writer *w;
        int rc = 0;
        unlink(path);
        assert_int_equal(trace_writer_open(&w, path, &(struct trace_writer_options){.jobs = jobs}), 0);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
        for (int i = 0; i < 100 && rc == 0; ++i)
            rc = trace_writer_write_call(w, &call, NULL);
        assert_int_equal(rc, TRACE_ERR_IO);
        assert_int_equal(trace_writer_write_call(w, &call, NULL), TRACE_ERR_IO); /* the error stays */
        assert_int_equal(trace_writer_close(w), TRACE_ERR_IO);
        assert_non_null(strstr(trace_error_message(), "File too large"));
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(count_files(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_every_type),
        cmocka_unit_test(writes_properties_and_version),
        cmocka_unit_test(mixes_traces),
        cmocka_unit_test(writes_overlapping_calls),
        cmocka_unit_test(knows_zero_from_the_default),
        cmocka_unit_test(writes_times),
        cmocka_unit_test(refuses_what_no_reader_takes),
        cmocka_unit_test(tells_frames_apart),
        cmocka_unit_test(leaves_no_unfinished_file),
        cmocka_unit_test(tells_of_a_full_disk),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
