/* SPDX-License-Identifier: MIT
 * Replays for which each allocation fails in turn. Nothing is done wrongly then without a word: either the
 * replay ends with an error, or calls that are left out are reported, or the memory was not needed. All
 * memory is freed in the end.
 */
#include "stub_gl.h"

#include "base/error.h"
#include "objects/replay_context.h"
#include "replayer.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

/* --- allocations -------------------------------------------------------------------------------------- */

static _Atomic unsigned long allocations;
static unsigned long failing; /* the number of the one that fails; 0: none */
static volatile bool is_counting;
static _Atomic long blocks; /* that have not been freed */

static bool fails(void)
{
    return is_counting && ++allocations == failing;
}

static void *count_block(void *memory)
{
    blocks += memory != NULL;
    return memory;
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : count_block(__real_malloc(size));
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : count_block(__real_calloc(count, size));
}

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    blocks -= memory != NULL;
    return count_block(__real_realloc(memory, size));
}

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory)
{
    blocks -= memory != NULL;
    __real_free(memory);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : count_block(__real_strdup(text));
}

/* --- replays ------------------------------------------------------------------------------------------ */

static const char first_calls[] = "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n"
                                  "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n";

/* One thread makes all allocations in the same order each time. */
static const struct replay_options single = {.single_thread = true},
                                   watched = {.single_thread = true, .watchdog = 100},
                                   several = {.watchdog = 100};
static const struct replay_options *options = &single;

static GLint first_location = -1;
static long left; /* blocks that the last replay has left */

/* Replays the calls; allocation n fails. Returns false if there were fewer. */
static bool replay_without(unsigned long n, const char *calls)
{
    static char all[200000];
    long before = blocks;
    snprintf(all, sizeof all, "%s%s", first_calls, calls);
    stub_gl_reset("4.6");
    stub_gl.next_location = first_location;
    stub_gl.binary_length = 9;
    trace_error_set(TRACE_ERR_IO, "nothing");
    allocations = 0;
    failing = n;
    stub_gl_counts = &is_counting;
    stub_gl_replay_all(options, all);
    stub_gl_counts = NULL;
    for (int i = 0; i < STUB_BUFFERS; ++i) {
        free(stub_gl.mapped[i].memory); /* of a replay that has ended */
        stub_gl.mapped[i].memory = NULL;
    }
    left = blocks - before;
    stub_gl.log[stub_gl.log_end] = '\0';
    return allocations >= n;
}

/* What the driver gets from calls that succeed. */
static char expected[STUB_LOG];

static void expect_error_or_all(unsigned long n, const char *calls)
{
    bool is_told = stub_gl.rc != 0 || stub_gl.failures > 0 || strstr(stub_gl.messages, "warning:") != NULL;
    if (!is_told && strcmp(stub_gl.log, expected) != 0)
        fail_msg("without allocation %lu of\n%sthe driver gets\n%sand not\n%s", n, calls, stub_gl.log,
                 expected);
    if (stub_gl.rc == 0)
        return;
    assert_int_equal(stub_gl.rc, TRACE_ERR_MEMORY);
    if (strstr(trace_error_message(), "nothing") != NULL)
        fail_msg("allocation %lu of\n%sfails without a message", n, calls);
}

static void fail_each_allocation(const char *calls)
{
    replay_without(0, "");
    long always = left; /* what the library allocates itself, and is freed by others */
    replay_without(0, calls);
    bool is_exact = options->single_thread; /* threads have memory of their own, too */
    if (is_exact)
        assert_int_equal(left, always);
    assert_int_equal(stub_gl.rc, 0);
    assert_string_equal(stub_gl.messages, "");
    strcpy(expected, stub_gl.log);
    for (unsigned long n = 1; replay_without(n, calls); ++n)
        if (is_exact && left != always)
            fail_msg("without allocation %lu of\n%sthere is a leak", n, calls);
        else
            expect_error_or_all(n, calls);
    assert_string_equal(stub_gl.log, expected);
}

static void test_contexts(void **state)
{
    (void)state;
    fail_each_allocation(
        "glXChooseFBConfig dpy=0x10 screen=0 attrib_list=[12,24,0] nelements=[1] = [0x99]\n"
        "glXCreateNewContext dpy=0x10 config=0x99 renderType=32788 shareList=0x0 direct=1 = 0x40\n"
        "glXCreatePbuffer dpy=0x10 config=0x99 attrib_list=[32833,6,32832,7,0] = 145\n"
        "glXMakeCurrent dpy=0x10 drawable=145 ctx=0x40 = 1\n"
        "@1 glXCreateContext dpy=0x10 vis=0x20 shareList=0x40 direct=1 = 0x50\n"
        "@1 glXMakeCurrent dpy=0x10 drawable=78 ctx=0x50 = 1\n"
        "@1 glFlush\n"
        "glXDestroyContext dpy=0x10 ctx=0x40\n");
}

static void test_memory_of_calls(void **state)
{
    (void)state;
    fail_each_allocation("glUniform4fv location=1 count=2 value=[1.0,2.0,3.0,4.0]\n"
                         "glUniform2uiv location=1 count=1 value=[1,2]\n"
                         "glShaderSource shader=5 count=2 string=[\"a\",#bc] length=[1,2]\n"
                         "glMultiDrawElements mode=4 count=[1,1] type=5121 indices=[#a,#b] drawcount=2\n"
                         "glBufferData target=34962 size=6 data=#abc usage=35044\n"
                         "glReadPixels x=0 y=0 width=2 height=2 format=6408 type=5121 pixels=#abcd\n"
                         "glGenLists range=3 = 3\n"
                         "glCallLists n=3 type=5121 lists=#\x03\x04\x05\n");
}

static void test_client_memory(void **state)
{
    (void)state;
    fail_each_allocation("glVertexPointer size=2 type=5126 stride=0 pointer=#aaaabbbb\n"
                         "glTexCoordPointer size=2 type=5126 stride=0 pointer=0x7f0000001000\n"
                         "glInterleavedArrays format=10784 stride=0 pointer=0x7f0000001000\n"
                         "glEnableClientState array=32884\n"
                         "glVertexPointer size=5 type=5126 stride=0 pointer=null\n"
                         "glSelectBuffer size=64 buffer=0x5000\n"
                         "glFeedbackBuffer size=32 type=1536 buffer=0x6000\n"
                         "malloc size=5000 = 0x7f0000002000\n");
}

/* More strings and indices than there is memory for from the beginning. */
static void test_large_calls(void **state)
{
    (void)state;
    enum { ITEMS = 10000 };
    static const struct {
        const char *first, *item, *last;
    } cases[] = {
        {"glShaderSource shader=5 count=1 string=[", "\"abc\"", "] length=[1]\n"},
        {"glShaderSource shader=5 count=1 string=[", "#abc", "] length=[3]\n"},
        {"glMultiDrawElements mode=4 count=[1] type=5121 indices=[", "#abc", "] drawcount=1\n"},
        {"glUniform2uiv location=1 count=1 value=[", "1", "]\n"},
        {"glGenTextures n=1 textures=[", "1", "]\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        static char calls[150000];
        strcpy(calls, cases[i].first);
        char *end = calls + strlen(calls);
        for (int n = 0; n < ITEMS; ++n)
            end += sprintf(end, "%s%s", n > 0 ? "," : "", cases[i].item);
        strcpy(end, cases[i].last);
        fail_each_allocation(calls);
    }
}

static void test_locations(void **state)
{
    (void)state;
    first_location = 11;
    fail_each_allocation("glCreateProgram = 3\n"
                         "glUseProgram program=3\n"
                         "glGetUniformLocation program=3 name=\"a\" = 5\n"
                         "glUniform1i location=5 v0=8\n"
                         "glDeleteProgram program=3\n");
    first_location = -1;
}

/* The calls of a loop are kept until the end. */
static void test_loops(void **state)
{
    static const struct replay_options loops = {.single_thread = true, .loop = true, .loop_count = 2};
    (void)state;
    options = &loops;
    fail_each_allocation("glXSwapBuffers dpy=0x10 drawable=77\n"
                         "glUniform4fv location=1 count=2 value=[1.0,2.0,3.0,4.0]\n"
                         "glClear mask=16384\n"
                         "glXSwapBuffers dpy=0x10 drawable=77\n");
    options = &single;
}

static void test_objects(void **state)
{
    (void)state;
    fail_each_allocation(
        "glGenBuffers n=3 buffers=[1,2,3]\n"
        "glGenTextures n=3 textures=[1,2,3]\n"
        "glBindBuffer target=34962 buffer=2\n"
        "glMapBufferRange target=34962 offset=0 length=8 access=2 = 0x5000\n"
        "memcpy dest=0x5000 src=#ab n=2\n"
        "glUnmapBuffer target=34962 = 1\n"
        "glCreateProgram = 3\n"
        "glGetUniformLocation program=3 name=\"a\" = 5\n"
        "glGetUniformLocation program=3 name=\"b\" = 6\n"
        "glLinkProgram program=3\n"
        "glUseProgram program=3\n"
        "glUniform1i location=5 v0=8\n"
        "glUniform1i location=6 v0=9\n"
        "glGetProgramBinary program=3 bufSize=9 length=[9] binaryFormat=[7] binary=#abcabcabc\n"
        "glProgramBinary program=3 binaryFormat=7 binary=#abcabcabc length=9\n"
        "glGetTextureHandleARB texture=2 = 77\n"
        "glUniform2ui location=5 v0=77 v1=0\n"
        "glGenQueries n=1 ids=[5]\n"
        "glBeginQuery target=35092 id=5\n"
        "glEndQuery target=35092\n"
        "glGenProgramPipelines n=1 pipelines=[4]\n"
        "glActiveShaderProgram pipeline=4 program=3\n"
        "glNewList list=9 mode=4864\n"
        "glBegin mode=4\n"
        "glEndList\n");
}

static void test_watchdog(void **state)
{
    (void)state;
    options = &watched;
    fail_each_allocation("glDrawArrays mode=4 first=0 count=3\n");
    options = &single;
}

static void test_threads(void **state)
{
    (void)state;
    options = &several;
    fail_each_allocation("@1 glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x50\n"
                         "@1 glXMakeCurrent dpy=0x10 drawable=78 ctx=0x50 = 1\n"
                         "@2 glXMakeCurrent dpy=0x10 drawable=78 ctx=0x30 = 1\n"
                         "glDrawArrays mode=4 first=0 count=3\n"
                         "@1 glDrawArrays mode=4 first=0 count=4\n");
    options = &single;
}

/* As if the system had no more threads. */
static unsigned starts, failing_start;

int __real_worker_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument);
int __wrap_worker_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument);
int __wrap_worker_thread_start(pthread_t *out, void *(*run)(void *argument), void *argument)
{
    return ++starts == failing_start ? EAGAIN : __real_worker_thread_start(out, run, argument);
}

static void test_threads_that_do_not_start(void **state)
{
    (void)state;
    static const char *const messages[] = {"cannot start the reading thread", "cannot start the watchdog",
                                           "cannot start a thread"};
    options = &several;
    for (failing_start = 1; failing_start <= 3; ++failing_start) {
        starts = 0;
        replay_without(0, "@1 glDrawArrays mode=4 first=0 count=3\nglDrawArrays mode=4 first=0 count=3\n");
        assert_int_equal(stub_gl.rc, TRACE_ERR_MEMORY);
        assert_non_null(strstr(trace_error_message(), messages[failing_start - 1]));
        assert_null(strstr(stub_gl.log, "glDrawArrays"));
    }
    failing_start = 0;
    options = &single;
}

enum { PATH_BYTES = 120 };

static struct replay_options pictures;
static char pictures_in[40], pictures_prefix[60];

/* From here on, draws are written to a new directory. path receives that of the first picture. */
static void begin_pictures(char path[PATH_BYTES])
{
    snprintf(pictures_in, sizeof pictures_in, "/tmp/test_replay_no_memory.XXXXXX");
    assert_non_null(mkdtemp(pictures_in));
    snprintf(pictures_prefix, sizeof pictures_prefix, "%s/", pictures_in);
    snprintf(path, PATH_BYTES, "%s%010d.png", pictures_prefix, 0);
    pictures = (struct replay_options){
        .single_thread = true, .snapshot_threaded = true, .snapshot_prefix = pictures_prefix};
    assert_int_equal(trace_call_set_parse(&pictures.snapshot_calls, "*/draw"), 0);
    options = &pictures;
}

/* There is one picture. */
static void end_pictures(const char *path)
{
    options = &single;
    trace_call_set_fini(&pictures.snapshot_calls);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(pictures_in), 0);
}

/* Pictures are written by as many threads as there are; without any, by the one that replays. */
static void test_pictures_without_threads(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    begin_pictures(path);
    starts = 0;
    failing_start = 1;
    replay_without(0, "glDrawArrays mode=4 first=0 count=3\n");
    failing_start = 0;
    assert_int_equal(stub_gl.rc, 0);
    assert_int_equal(starts, 1); /* and no other one is started */
    end_pictures(path);
}

/* Pictures are counted only if they are written. */
static void test_snapshots(void **state)
{
    (void)state;
    char path[PATH_BYTES];
    begin_pictures(path);
    for (unsigned long n = 1; replay_without(n, "glDrawArrays mode=4 first=0 count=3\n"); ++n) {
        bool is_written = unlink(path) == 0;
        assert_true(is_written || stub_gl.rc != 0);
    }
    assert_int_equal(stub_gl.snapshots, 1);
    end_pictures(path);
}

static void test_beginnings(void **state)
{
    (void)state;
    static const struct replay_options verbose = {.verbose = true};
    int rc = -1;
    for (failing = 1; rc != 0; ++failing) {
        struct replayer r;
        allocations = 0;
        is_counting = true;
        rc = replayer_init(&r, &verbose, NULL, NULL);
        is_counting = false;
        assert_true(rc == 0 || rc == TRACE_ERR_MEMORY);
        replayer_fini(&r);
    }
    assert_true(failing > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_memory_of_calls),
        cmocka_unit_test(test_client_memory),
        cmocka_unit_test(test_large_calls),
        cmocka_unit_test(test_locations),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_objects),
        cmocka_unit_test(test_watchdog),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_threads_that_do_not_start),
        cmocka_unit_test(test_pictures_without_threads),
        cmocka_unit_test(test_snapshots),
        cmocka_unit_test(test_beginnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
