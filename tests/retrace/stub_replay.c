/* SPDX-License-Identifier: MIT
 * Replays on the stub, and what is expected of them.
 */
#include "stub_gl.h"

#include "call_script.h"
#include "check/replay_check.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/read/reader.h"
#include "objects/replay_context.h"
#include "replay_loop.h"
#include "replay_profile.h"
#include "replayer.h"
#include "snapshot/snapshot.h"
#include "windows/window_system.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

/* --- replays -------------------------------------------------------------------------------------------- */

static const char first_calls[] = "glXCreateContext dpy=0x10 vis=0x20 shareList=0x0 direct=1 = 0x30\n"
                                  "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n"
                                  "glFlush\n";

static void write_calls(int fd, const char *text)
{
    struct buf stream = BUF_INIT;
    struct trace_encoder e;
    struct trace_output *output;
    FILE *script = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(script);
    trace_encoder_init(&e, &stream);
    trace_encode_header(&e, 6, NULL, 0);
    call_script_encode(&e, script);
    assert_false(e.failed);
    assert_int_equal(trace_output_open_fd(&output, fd, TRACE_CONTAINER_SNAPPY, TRACE_LEVEL_DEFAULT, 0), 0);
    assert_int_equal(trace_output_write(output, stream.data, stream.len), 0);
    assert_int_equal(trace_output_close(output), 0);
    trace_encoder_fini(&e);
    buf_fini(&stream);
    fclose(script);
}

void stub_gl_write_chunks(int fd, const char *text, unsigned garbage)
{
    const uint8_t head[4] = {garbage > 4 ? (uint8_t)(garbage - 4) : 200, 0, 0, 0};
    uint8_t bytes[256];
    assert_in_range(garbage, 0, 256);
    memset(bytes, 0xff, sizeof bytes);
    memcpy(bytes, head, sizeof head);
    write_calls(fd, text);
    assert_true(lseek(fd, 0, SEEK_END) > 0);
    assert_int_equal(write(fd, bytes, garbage), garbage);
}

static unsigned count_threads(void)
{
    unsigned count = 0;
    DIR *threads = opendir("/proc/self/task");
    assert_non_null(threads);
    for (const struct dirent *e; (e = readdir(threads)) != NULL;)
        count += e->d_name[0] != '.';
    closedir(threads);
    return count;
}

/* All other threads have ended. One that has been joined is still listed for a moment. */
static void expect_threads(unsigned most)
{
    for (int i = 0; i < 5000 && count_threads() > most; ++i)
        usleep(1000);
    assert_true(count_threads() <= most);
}

volatile bool *stub_gl_counts;

static void count(bool is_replaying)
{
    if (stub_gl_counts != NULL)
        *stub_gl_counts = is_replaying;
}

/* Replays the calls of reader; messages go to stub_gl.messages. */
static void replay(const struct replay_options *options, struct trace_reader *reader)
{
    struct replayer r;
#ifdef __SANITIZE_THREAD__
    unsigned threads = count_threads() + 1; /* the sanitizer's */
#else
    unsigned threads = count_threads();
#endif
    int terminal = dup(STDERR_FILENO), messages = memfd_create("messages", MFD_CLOEXEC);
    fflush(stderr);
    dup2(messages, STDERR_FILENO);
    assert_int_equal(replayer_init(&r, options, &stub_windows, reader), 0);
    count(true);
    stub_gl.rc = replay_profile_begin(&r);
    if (stub_gl.rc == 0)
        stub_gl.rc = replay_trace(&r);
    if (replay_profile_finish(&r) != 0 || snapshot_finish(&r) != 0)
        stub_gl.rc = -1;
    count(false);
    stub_gl.log_end = strlen(stub_gl.log);
    replayer_report_failures(&r);
    stub_gl.calls = r.calls;
    stub_gl.failures = r.failures;
    stub_gl.frames = r.frames;
    stub_gl.first_frame = r.first_frame;
    stub_gl.snapshots = r.snapshots;
    stub_gl.differing_calls = r.check.differing_calls;
    memcpy(stub_gl.answers, r.check.answers, sizeof stub_gl.answers);
    if (r.options->check)
        replay_check_summary(&r, stdout);
    replay_contexts_fini(&r);
    replayer_fini(&r);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    ssize_t n = pread(messages, stub_gl.messages, STUB_LOG - 1, 0);
    stub_gl.messages[n > 0 ? n : 0] = '\0';
    close(messages);
    close(terminal);
    assert_true(stub_gl.rc <= 0); /* after stderr is back */
    expect_threads(threads);
}

void stub_gl_replay_file(const struct replay_options *options, const char *path)
{
    static const struct replay_options none;
    struct trace_reader *reader;
    assert_int_equal(trace_reader_open(&reader, path), 0);
    replay(options != NULL ? options : &none, reader);
    trace_reader_close(reader);
}

void stub_gl_replay_all(const struct replay_options *options, const char *text)
{
    char path[40];
    int fd = memfd_create("calls.trace", MFD_CLOEXEC);
    write_calls(fd, text);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    stub_gl_replay_file(options, path);
    close(fd);
}

/* Removes the first calls' lines, and what is freed after the last call, from the log. */
static void trim_log(void)
{
    stub_gl.log[stub_gl.log_end] = '\0';
    char *first = strstr(stub_gl.log, "current: 1, 2, 2\n");
    assert_non_null(first);
    first += strlen("current: 1, 2, 2\n");
    memmove(stub_gl.log, first, strlen(first) + 1);
}

void stub_gl_replay(const struct replay_options *options, const char *text)
{
    char *all = malloc(sizeof first_calls + strlen(text));
    assert_non_null(all);
    strcpy(all, first_calls);
    strcat(all, text);
    stub_gl_replay_all(options, all);
    free(all);
    trim_log();
}

size_t stub_gl_replay_printing(const struct replay_options *options, const char *text)
{
    int terminal = dup(STDOUT_FILENO), printed = memfd_create("printed", MFD_CLOEXEC);
    fflush(stdout);
    dup2(printed, STDOUT_FILENO);
    stub_gl_replay(options, text);
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    off_t size = lseek(printed, 0, SEEK_END);
    ssize_t n = pread(printed, stub_gl.printed, STUB_LOG - 1, 0);
    stub_gl.printed[n > 0 ? n : 0] = '\0';
    close(printed);
    close(terminal);
    return (size_t)size;
}

/* --- expectations --------------------------------------------------------------------------------------- */

void stub_gl_expect(const char *log)
{
    if (stub_gl.rc != 0 || strcmp(stub_gl.log, log) != 0)
        fail_msg("expected:\n%sthe driver was called with:\n%smessages:\n%s", log, stub_gl.log,
                 stub_gl.messages);
}

void stub_gl_expect_line(const char *line)
{
    size_t n = strlen(line);
    for (const char *at = stub_gl.log; (at = strstr(at, line)) != NULL; at += n)
        if ((at == stub_gl.log || at[-1] == '\n') && at[n] == '\n')
            return;
    fail_msg("there is no line '%s' in:\n%smessages:\n%s", line, stub_gl.log, stub_gl.messages);
}

void stub_gl_expect_no_line(const char *part)
{
    if (strstr(stub_gl.log, part) != NULL)
        fail_msg("'%s' is in:\n%s", part, stub_gl.log);
}

void stub_gl_expect_message(const char *part)
{
    if (strstr(stub_gl.messages, part) == NULL)
        fail_msg("'%s' is not in the messages:\n%s", part, stub_gl.messages);
}
