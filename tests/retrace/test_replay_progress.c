/* SPDX-License-Identifier: MIT
 * Tests the line that shows the progress of a replay: what it says, when it is drawn and erased, and how it
 * is cut on a narrow terminal.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/error.h"
#include "replay_progress.h"
#include "snapshot/snapshot.h"

static int terminal;
static const char *trace_path;

/* From now on, stderr is fd. */
static void begin_output(int fd)
{
    terminal = dup(STDERR_FILENO);
    dup2(fd, STDERR_FILENO);
}

static void end_output(void)
{
    dup2(terminal, STDERR_FILENO);
    close(terminal);
}

static struct replay_progress since(int64_t milliseconds, uint64_t done, uint64_t total)
{
    int64_t now = clock_milliseconds();
    return (struct replay_progress){
        .shows = true, .start = now - milliseconds, .next = now, .done = done, .total = total};
}

static void test_lines(void **state)
{
    char text[300] = "";
    int fd = memfd_create("messages", MFD_CLOEXEC);
    struct replay_progress p = since(4000, 50, 200), unknown = since(4000, 0, 200), empty = since(4000, 9, 0),
                           early = since(0, 50, 200), slow = since(4000000, 0, 0), late = since(-60000, 0, 0),
                           short_one = since(900, 0, 0);
    (void)state;
    early.next += 60000;
    begin_output(fd);
    replay_progress_draw(&early, 1);
    replay_progress_clear(&early);
    replay_progress_step(&p, 40);
    replay_progress_step(&p, 41); /* too soon */
    replay_progress_clear(&p);
    replay_progress_clear(&p);
    replay_progress_draw(&unknown, 8);
    replay_progress_end(&unknown);
    assert_false(unknown.shows);
    replay_progress_step(&unknown, 9);
    replay_progress_draw(&empty, 12);
    replay_progress_end(&empty);
    replay_progress_draw(&slow, 4000000);
    replay_progress_end(&slow);
    replay_progress_draw(&late, 5); /* the clock has been set back */
    replay_progress_end(&late);
    replay_progress_draw(&short_one, 1);
    end_output();
    assert_true(pread(fd, text, sizeof text - 1, 0) > 0);
    close(fd);
    assert_string_equal(text, "\r\33[Kretrace: 25 %, 40 frames, 10 frames/s\r\33[K"
                              "\r\33[Kretrace: 8 frames, 2 frames/s\r\33[K"
                              "\r\33[Kretrace: 12 frames, 3 frames/s\r\33[K"
                              "\r\33[Kretrace: 4000000 frames, 1000 frames/s\r\33[K"
                              "\r\33[Kretrace: 5 frames, 0 frames/s\r\33[K"
                              "\r\33[Kretrace: 1 frames, 1 frames/s");
    assert_in_range(p.next - clock_milliseconds(), 1, 250);
}

static void test_narrow_terminals(void **state)
{
    static const struct {
        unsigned short width;
        const char *line;
    } cases[] = {{10, "\r\33[Kretrace: "},
                 {0, "\r\33[Kretrace: 8 frames, 2 frames/s"},
                 {30, "\r\33[Kretrace: 8 frames, 2 frames/s"},
                 {29, "\r\33[Kretrace: 8 frames, 2 frames/"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[100] = "";
        struct winsize size = {.ws_row = 24, .ws_col = cases[i].width};
        int master = posix_openpt(O_RDWR | O_NOCTTY);
        assert_true(master >= 0);
        assert_int_equal(grantpt(master) | unlockpt(master), 0);
        int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
        assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
        struct replay_progress p = since(4000, 0, 0);
        begin_output(slave);
        replay_progress_draw(&p, 8);
        end_output();
        assert_int_equal(write(slave, "$", 1), 1);
        for (size_t n = 0; strchr(text, '$') == NULL; n = strlen(text))
            assert_true(read(master, text + n, sizeof text - 1 - n) > 0);
        *strchr(text, '$') = '\0';
        close(slave);
        close(master);
        assert_string_equal(text, cases[i].line);
    }
}

/* Without a terminal, and if it is not wanted, nothing is shown. */
static void test_not_shown(void **state)
{
    static const struct replay_options options;
    struct replay_progress p = {.shows = true};
    int fd = memfd_create("messages", MFD_CLOEXEC);
    (void)state;
    begin_output(fd);
    unsetenv("TRACE_CLI_PROGRESS");
    replay_progress_begin(&p, &options, NULL);
    bool shows = p.shows;
    setenv("TRACE_CLI_PROGRESS", "never", 1);
    p.shows = true;
    replay_progress_begin(&p, &options, NULL);
    end_output();
    unsetenv("TRACE_CLI_PROGRESS");
    close(fd);
    assert_false(shows);
    assert_false(p.shows);
    assert_in_range(p.next - p.start, 1000, 1000);
}

enum { SHOWS = 1, WAITS = 2, FOLLOWS = 4, FAILS = 8 };

/* Returns what it does. It follows the reader if it knows how much of the file has been read. */
static int begin_in_terminal(const struct replay_options *o)
{
    struct replay_progress p = {.shows = false};
    struct trace_reader *reader;
    const struct trace_call *call;
    if (trace_reader_open(&reader, trace_path) != 0)
        return FAILS;
    replay_progress_begin(&p, o, reader);
    while (trace_reader_next_call(reader, &call) == 0 && call != NULL)
        trace_call_release(reader, call);
    trace_reader_close(reader);
    bool follows = p.total > 1000 && p.done > 0 && p.done <= p.total;
    int64_t pause = p.next - p.start, age = clock_milliseconds() - p.start;
    return (p.shows ? SHOWS : 0) |
           (pause == 1000 ? WAITS
            : pause == 0  ? 0
                          : FAILS) |
           (follows ? FOLLOWS : 0) | (age < 0 || age > 600000 ? FAILS : 0);
}

/* Makes the terminal the one of this process, which is in its foreground. */
static void take_terminal(int master)
{
    setsid();
    int slave = open(ptsname(master), O_RDWR);
    ioctl(slave, TIOCSCTTY, 0);
    dup2(slave, STDOUT_FILENO);
    dup2(slave, STDERR_FILENO);
}

/* What a process in the foreground of a terminal does. */
static int begin_in_foreground(const char *kind, const char *setting, const struct replay_options *o,
                               bool has_output)
{
    int status = 0, master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0);
    assert_int_equal(grantpt(master) | unlockpt(master), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        take_terminal(master);
        if (!has_output)
            close(STDOUT_FILENO);
        unsetenv("TERM");
        unsetenv("TRACE_CLI_PROGRESS");
        if (kind != NULL)
            setenv("TERM", kind, 1);
        if (setting != NULL)
            setenv("TRACE_CLI_PROGRESS", setting, 1);
        _exit(begin_in_terminal(o));
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(master);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_terminals(void **state)
{
    static const struct replay_options none, verbose = {.verbose = true}, pictures = {.snapshot_prefix = "-"},
                                             files = {.snapshot_prefix = "a-"};
    static const struct {
        const char *kind, *setting;
        const struct replay_options *options;
        bool has_output, shows;
    } cases[] = {
        {"xterm", NULL, &none, true, true},      {"dumb", NULL, &none, true, false},
        {NULL, NULL, &none, true, false},        {"xterm", "never", &none, true, false},
        {"dumb", "always", &none, true, true},   {"xterm", "other", &none, true, true},
        {"xterm", NULL, &verbose, true, false},  {"xterm", NULL, &verbose, false, true},
        {"xterm", NULL, &pictures, true, false}, {"xterm", NULL, &pictures, false, true},
        {"xterm", NULL, &files, true, true},     {"xterm", "always", &verbose, true, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        bool is_always = cases[i].setting != NULL && strcmp(cases[i].setting, "always") == 0;
        int expected = (cases[i].shows ? SHOWS | FOLLOWS : 0) | (is_always ? 0 : WAITS);
        assert_int_equal(
            begin_in_foreground(cases[i].kind, cases[i].setting, cases[i].options, cases[i].has_output),
            expected);
    }
}

/* Pictures need a directory that can be written to. */
static void test_prefixes(void **state)
{
    static const struct {
        const char *prefix;
        const char *refused; /* NULL: it is possible */
    } cases[] = {{NULL, NULL},
                 {"-", NULL},
                 {"/tmp/picture", NULL},
                 {"/tmp/", NULL},
                 {"/nowhere/x", "/nowhere/: No such file or directory"},
                 {"/tmp/no/x", "/tmp/no/: No such file or directory"},
                 {"picture", NULL}};
    (void)state;
    assert_int_equal(chdir("/tmp"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const struct replay_options options = {.snapshot_prefix = cases[i].prefix};
        assert_int_equal(snapshot_check_prefix(&options), cases[i].refused == NULL ? 0 : TRACE_ERR_IO);
        if (cases[i].refused != NULL)
            assert_string_equal(trace_error_message(), cases[i].refused);
    }
    const struct replay_options root = {.snapshot_prefix = "/x"}; /* of which not everybody is the owner */
    assert_int_equal(snapshot_check_prefix(&root) == 0, access("/", W_OK | X_OK) == 0);
}

int main(int argc, char **argv)
{
    trace_path = argc > 1 ? argv[1] : "";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_narrow_terminals),
        cmocka_unit_test(test_not_shown), cmocka_unit_test(test_terminals),
        cmocka_unit_test(test_prefixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
