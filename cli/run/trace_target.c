/* SPDX-License-Identifier: MIT */
#include "run/trace_target.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READER_LOOKS   100
#define READER_LOOK_US 50000

/* Waits for a reader of the pipe, which may be about to start. This end then stays open, so that the reader
 * does not see the end of the file before the trace begins. */
static int wait_for_reader(const char *path)
{
    for (unsigned i = 0; i < READER_LOOKS; ++i) {
        if (open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) >= 0)
            return 0;
        if (errno != ENXIO)
            break;
        usleep(READER_LOOK_US);
    }
    return trace_error_set_errno(TRACE_ERR_IO, ENXIO, "%s: no process reads this pipe", path);
}

static int check_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) {
        close(fd);
        unlink(path);
        return 0;
    }
    struct stat st = {.st_mode = 0};
    bool exists = errno == EEXIST && stat(path, &st) == 0;
    if (exists && S_ISFIFO(st.st_mode))
        return wait_for_reader(path);
    if (exists && S_ISDIR(st.st_mode))
        errno = EISDIR;
    else if (exists && access(path, W_OK) == 0)
        return 0;
    return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write the trace", path);
}

/* One that was closed when we were started is /dev/null by now (traced_program_prepare()). No other
 * descriptor that we inherited is closed on exec. */
static bool was_closed(int fd)
{
    int flags = fcntl(fd, F_GETFD);
    return flags < 0 || (flags & FD_CLOEXEC) != 0;
}

static int take_standard_output(struct trace_target *t)
{
    if (was_closed(STDOUT_FILENO))
        return trace_error_set(TRACE_ERR_USAGE, "the standard output is closed");
    if (isatty(STDOUT_FILENO))
        return trace_error_set(TRACE_ERR_USAGE, "a trace is not written to a terminal");
    t->standard_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    return t->standard_output >= 0
               ? 0
               : trace_error_set_errno(TRACE_ERR_IO, errno, "cannot use the standard output");
}

static int connect_to_receiver(struct trace_target *t, const char *token_file)
{
    struct remote_token token;
    int rc = remote_token_load(&token, token_file);
    if (rc == 0 && token.size == 0)
        rc = trace_error_set(TRACE_ERR_USAGE, "--tcp needs the receiver's token, in " REMOTE_TOKEN_ENVIRONMENT
                                              " or --token-file");
    return rc == 0 ? remote_sender_connect(&t->sender, t->address, &token) : rc;
}

int trace_target_init(struct trace_target *t, const char *output, const char *address, const char *token_file)
{
    *t = (struct trace_target){.output = output, .address = address, .standard_output = -1};
    if (address != NULL && output != NULL && strcmp(output, "-") == 0)
        return trace_error_set(TRACE_ERR_USAGE, "--tcp and the standard output exclude each other");
    if (address != NULL)
        return connect_to_receiver(t, token_file);
    if (output != NULL && strcmp(output, "-") == 0)
        return take_standard_output(t);
    if (output != NULL)
        return check_file(output);
    return access(".", W_OK) == 0
               ? 0
               : trace_error_set_errno(TRACE_ERR_IO, errno,
                                       "cannot write a trace in this directory (see option -o)");
}

bool trace_target_is_standard_output(const struct trace_target *t)
{
    return t->standard_output >= 0;
}

static int open_remote(struct trace_target *t, char *name, size_t size, const char *program)
{
    const char *wanted = t->output != NULL ? t->output : program, *slash = strrchr(wanted, '/');
    const char *base = slash != NULL ? slash + 1 : wanted;
    snprintf(name, size, "%s/%s", t->address, base);
    return remote_sender_open(t->sender, base);
}

int trace_target_open(void *target, char *name, size_t size, const char *program)
{
    struct trace_target *t = target;
    if (t->sender != NULL)
        return open_remote(t, name, size, program);
    if (t->standard_output < 0)
        return 0;
    if (t->is_used) { /* a stream has room for one */
        fprintf(stderr,
                "trace-cli: warning: another process uses GL: its trace is in a file, named after %s\n",
                program);
        return 0;
    }
    t->is_used = true;
    snprintf(name, size, "standard output");
    return fcntl(t->standard_output, F_DUPFD_CLOEXEC, 3);
}

unsigned trace_target_finish(struct trace_target *t)
{
    unsigned lost = t->sender != NULL ? remote_sender_finish(t->sender) : 0;
    if (t->standard_output >= 0)
        close(t->standard_output);
    t->sender = NULL;
    t->standard_output = -1;
    return lost;
}
