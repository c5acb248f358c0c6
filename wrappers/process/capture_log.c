/* SPDX-License-Identifier: MIT */
#include "process/capture_log.h"

#include "memory/own_stack.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct log_line {
    const char *format;
    va_list arguments;
};

/* The compiler has checked the format at the calls of capture_log(). */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void format_line(char *line, size_t size, struct log_line *l)
{
    int n = snprintf(line, size, "trace-cli: %s: ", program_invocation_short_name);
    vsnprintf(line + n, size - (size_t)n - 1, l->format, l->arguments);
    strcat(line, "\n");
}
#pragma GCC diagnostic pop

static void write_line(void *argument)
{
    char line[1024];
    format_line(line, sizeof line, argument);
    if (write(STDERR_FILENO, line, strlen(line)) < 0 && errno == EPIPE) { /* nobody reads the messages */
        /* The program must not get the signal, since it did not write. quiet_begin() has blocked the signal.
         */
        sigset_t broken_pipe;
        sigemptyset(&broken_pipe);
        sigaddset(&broken_pipe, SIGPIPE);
        sigtimedwait(&broken_pipe, NULL, &(const struct timespec){0, 0});
    }
}

void capture_log(const char *format, ...)
{
    struct log_line l = {.format = format};
    if (!own_stack_blocks_signals()) /* a SIGPIPE could reach the program */
        return;
    va_start(l.arguments, format);
    run_on_own_stack(write_line, &l);
    va_end(l.arguments);
}
