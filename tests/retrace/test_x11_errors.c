/* SPDX-License-Identifier: MIT
 * Tests what becomes of errors of an X server, and of a connection that is lost. Xlib is made up.
 */
#include "windows/x11_errors.h"

#include <X11/Xlibint.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static struct _XDisplay connection;
static XErrorHandler on_error;
static XIOErrorHandler on_loss;
static unsigned syncs;

XErrorHandler XSetErrorHandler(XErrorHandler handler)
{
    on_error = handler;
    return NULL;
}

XIOErrorHandler XSetIOErrorHandler(XIOErrorHandler handler)
{
    on_loss = handler;
    return NULL;
}

int XSync(Display *display, Bool discard)
{
    assert_ptr_equal(display, &connection);
    assert_false(discard);
    syncs++;
    return 1;
}

int XGetErrorText(Display *display, int code, char *text, int size)
{
    (void)display;
    snprintf(text, (size_t)size, "error %d", code);
    return 0;
}

static char printed[900];

/* Runs the function in a child, whose output is kept. Returns its status. */
static int status_of(void (*function)(void))
{
    int fd = memfd_create("printed", MFD_CLOEXEC), status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGPIPE, SIG_DFL);
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
        connection.display_name = (char[]){":7"};
        x11_errors_catch(&connection);
        alarm(30);
        function();
        fflush(stdout);
        _exit(7);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    ssize_t n = pread(fd, printed, sizeof printed - 1, 0);
    printed[n > 0 ? n : 0] = '\0';
    close(fd);
    return status;
}

static int exit_of(void (*function)(void))
{
    int status = status_of(function);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* Returns what Xlib gets. */
static int refuse(unsigned char code)
{
    XErrorEvent event = {.error_code = code, .request_code = 3, .minor_code = 4};
    return on_error(&connection, &event);
}

/* Each kind is told once, and no error ends the process. */
static void some_errors(void)
{
    static const unsigned char codes[] = {1, 2, 1, 63, 64, 65, 64, 128, 192, 255, 255, 0, 129};
    for (size_t i = 0; i < sizeof codes; ++i)
        if (refuse(codes[i]) != 0)
            _exit(1);
}

static void test_errors(void **state)
{
    (void)state;
    static const int told[] = {1, 2, 63, 64, 65, 128, 192, 255, 0, 129};
    char expected[sizeof printed] = "";
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i)
        sprintf(expected + strlen(expected), "warning: the X server refuses request 3.4: error %d\n",
                told[i]);
    assert_int_equal(exit_of(some_errors), 7);
    assert_string_equal(printed, expected);
}

/* Errors of what is only tried are for the one who tries. */
static void kept_errors(void)
{
    x11_errors_begin(&connection);
    if (x11_errors_end(&connection) || syncs != 2)
        _exit(1);
    x11_errors_begin(&connection);
    if (refuse(5) != 0 || !x11_errors_end(&connection) || syncs != 4)
        _exit(2);
    x11_errors_begin(&connection);
    if (x11_errors_end(&connection)) /* that was the last one's */
        _exit(3);
    refuse(5);
}

static void test_kept_errors(void **state)
{
    (void)state;
    assert_int_equal(exit_of(kept_errors), 7);
    assert_string_equal(printed, "warning: the X server refuses request 3.4: error 5\n");
}

static void end_lost(void)
{
    printf("the rest\n");
    x11_errors_end_lost();
}

static void lose_connection(void)
{
    printf("the rest\n");
    on_loss(&connection);
}

static void test_lost_connections(void **state)
{
    (void)state;
    x11_errors_end_lost(); /* of no connection */
    assert_int_equal(exit_of(lose_connection), 1);
    assert_string_equal(printed, "the rest\nerror: the connection to the X server :7 is lost\n");
    assert_int_equal(exit_of(end_lost), 1);
    assert_string_equal(printed, "the rest\nerror: the connection to the X server :7 is lost\n");
}

/* Xlib finds out itself that its connection is lost. */
static void break_connection(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        _exit(1);
    close(ends[0]);
    connection.fd = ends[1];
    x11_errors_catch(&connection);
    raise(SIGPIPE);
}

/* The server has closed its end of a socket. */
static void close_connection(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        _exit(1);
    connection.fd = ends[0];
    x11_errors_catch(&connection);
    x11_errors_check_connection();
    printf("the rest\n");
    if (write(ends[1], "event", 5) != 5)
        _exit(2);
    x11_errors_check_connection();
    close(ends[1]);
    x11_errors_check_connection();
}

static void test_checks(void **state)
{
    (void)state;
    assert_int_equal(exit_of(close_connection), 1);
    assert_string_equal(printed, "the rest\nerror: the connection to the X server :7 is lost\n");
}

/* Where another one is lost, the process ends as usual. */
static void break_output(void)
{
    int ends[2];
    if (pipe(ends) != 0)
        _exit(1);
    connection.fd = ends[1];
    x11_errors_catch(&connection);
    raise(SIGPIPE);
}

static void ignore_broken_pipes(void)
{
    signal(SIGPIPE, SIG_IGN);
    break_output();
}

static void test_broken_pipes(void **state)
{
    (void)state;
    assert_int_equal(exit_of(break_connection), 7);
    int status = status_of(break_output);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGPIPE);
}

static void never_caught(void)
{
    signal(SIGPIPE, SIG_IGN);
    x11_errors_catch(&connection);
    raise(SIGPIPE);
}

static void test_ignored_pipes(void **state)
{
    (void)state;
    assert_int_equal(exit_of(never_caught), 7);
    assert_int_equal(exit_of(ignore_broken_pipes), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),           cmocka_unit_test(test_kept_errors),
        cmocka_unit_test(test_lost_connections), cmocka_unit_test(test_checks),
        cmocka_unit_test(test_broken_pipes),     cmocka_unit_test(test_ignored_pipes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
