/* SPDX-License-Identifier: MIT */
#include "windows/x11_errors.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

/* Handlers of Xlib take no context. Errors reach whichever thread reads from the connection. */
static struct {
    pthread_mutex_t mutex;
    bool keeps, kept;
    uint64_t seen[4]; /* a bit for each kind of error */
} errors = {.mutex = PTHREAD_MUTEX_INITIALIZER};

/* Returns true if an error of this kind is to be reported. */
static bool note(unsigned code)
{
    bool is_new = false;
    pthread_mutex_lock(&errors.mutex);
    if (errors.keeps) {
        errors.kept = true;
    } else {
        is_new = (errors.seen[code / 64 % 4] >> code % 64 & 1) == 0;
        errors.seen[code / 64 % 4] |= UINT64_C(1) << code % 64;
    }
    pthread_mutex_unlock(&errors.mutex);
    return is_new;
}

static int on_error(Display *display, XErrorEvent *event)
{
    char text[128];
    if (!note(event->error_code))
        return 0;
    XGetErrorText(display, event->error_code, text, sizeof text);
    fprintf(stderr, "warning: the X server refuses request %u.%u: %s\n", event->request_code,
            event->minor_code, text);
    return 0;
}

static int on_lost_connection(Display *display)
{
    fflush(stdout);
    fprintf(stderr, "error: the connection to the X server %s is lost\n", DisplayString(display));
    _exit(1);
}

static Display *caught; /* whose errors are */
static int connection;  /* its descriptor, for on_broken_pipe() */

static bool is_lost(void)
{
    struct pollfd lost = {.fd = connection};
    return poll(&lost, 1, 0) > 0 && (lost.revents & (POLLHUP | POLLERR)) != 0;
}

void x11_errors_end_lost(void)
{
    if (caught != NULL)
        on_lost_connection(caught);
}

void x11_errors_check_connection(void)
{
    if (is_lost())
        x11_errors_end_lost();
}

/* XCB writes to a connection that has just been lost. Without the signal, it learns that. */
static void on_broken_pipe(int number)
{
    int kept = errno;
    if (!is_lost()) {
        signal(number, SIG_DFL);
        raise(number);
    }
    errno = kept;
}

static void catch_broken_pipe(void)
{
    struct sigaction action = {.sa_handler = on_broken_pipe, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGPIPE, &action, NULL);
}

void x11_errors_catch(Display *display)
{
    caught = display;
    connection = ConnectionNumber(display);
    catch_broken_pipe();
    XSetErrorHandler(on_error);
    XSetIOErrorHandler(on_lost_connection);
}

static bool keep(bool keeps)
{
    pthread_mutex_lock(&errors.mutex);
    bool kept = errors.kept;
    errors.keeps = keeps;
    errors.kept = false;
    pthread_mutex_unlock(&errors.mutex);
    return kept;
}

void x11_errors_begin(Display *display)
{
    XSync(display, False);
    keep(true);
}

bool x11_errors_end(Display *display)
{
    XSync(display, False);
    return keep(false);
}
