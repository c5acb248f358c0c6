/* SPDX-License-Identifier: MIT
 * trace-cli index: adds an index to traces, in place.
 */
#include "shell/command.h"

#include "base/error.h"
#include "formats/format_registry.h"
#include "shell/progress.h"
#include "formats/apitrace/copy/index_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct index_options {
    bool force;
};

static int cannot_write(const char *path)
{
    return trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", path);
}

/* Only bytes from `start` on are written. If that fails, the file is truncated to `start` again. */
static int append(struct trace_index_file *f, int fd, const char *path)
{
    struct trace_kept_error why;
    struct stat st;
    uint64_t start = trace_index_file_start(f);
    if (fstat(fd, &st) != 0)
        return cannot_write(path);
    if ((uint64_t)st.st_size != trace_index_file_size(f))
        return trace_error_set(TRACE_ERR_IO, "%s: the file has changed while it was read", path);
    if (start < trace_index_file_size(f) && ftruncate(fd, (off_t)start) != 0)
        return cannot_write(path);
    if (lseek(fd, (off_t)start, SEEK_SET) < 0)
        return cannot_write(path);
    int rc = trace_index_file_write(f, fd);
    if (rc == 0)
        return 0;
    trace_error_keep(&why, rc);
    if (ftruncate(fd, (off_t)start) != 0)
        return cannot_write(path);
    return trace_error_restore(&why);
}

/* Signals are blocked meanwhile, so that the file has the whole index or none of it. */
static int append_undisturbed(struct trace_index_file *f, const char *path)
{
    sigset_t held, before;
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return cannot_write(path);
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    signal(SIGXFSZ, SIG_IGN); /* beyond the largest size allowed, write() fails */
    sigprocmask(SIG_BLOCK, &held, &before);
    int rc = append(f, fd, path);
    if (close(fd) != 0 && rc == 0)
        rc = cannot_write(path);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return rc;
}

static int check_format(const char *path)
{
    struct trace_probe probe;
    int rc = trace_probe_open(&probe, path);
    if (rc == 0)
        rc = trace_format_require(&probe, "apitrace");
    trace_probe_close(&probe);
    return rc;
}

/* Reports early what would otherwise fail only after the trace was read. */
static int check_file(const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return trace_error_set(TRACE_ERR_USAGE, "%s: not a regular file: an index is added in place", path);
    if (stat(path, &st) == 0 && access(path, W_OK) != 0)
        return cannot_write(path);
    return check_format(path);
}

static int add_index(const struct index_options *o, const char *path)
{
    struct trace_index_file *f;
    int rc = check_file(path);
    progress_begin("index");
    if (rc == 0)
        rc = trace_index_file_read(&f, path, o->force, progress_callback());
    progress_end();
    if (rc != 0)
        return rc;
    if (f == NULL) {
        printf("%s has an index already\n", path);
        return 0;
    }
    rc = append_undisturbed(f, path);
    if (rc == 0 && trace_index_file_problem(f) != NULL) {
        trace_error_set(TRACE_ERR_FORMAT, "%s: %s; it was replaced", path, trace_index_file_problem(f));
        cli_print_warning();
    }
    trace_index_file_free(f);
    return rc;
}

static int run_index(const struct cli_command *self, int argc, char **argv)
{
    struct index_options options = {false};
    struct cli_operands operands;
    int status = 0;
    enum cli_parse_result result = cli_parse_options(self, argc, argv, &options, &operands);
    if (result != CLI_PARSE_OK)
        return result == CLI_PARSE_HELP ? 0 : 1;
    if (operands.count == 0)
        return cli_usage_error(self, "index needs a trace");
    for (int i = 0; i < operands.count; ++i)
        if (add_index(&options, operands.values[i]) != 0)
            status = cli_print_error();
    return status;
}

static const struct cli_option index_options[] = {
    {CLI_OPTION_FLAG, 'f', "force", NULL, NULL, offsetof(struct index_options, force),
     "replace an existing index", NULL},
    {.kind = CLI_OPTION_END},
};

const struct cli_command cli_cmd_index = {
    .name = "index",
    .group = CLI_GROUP_CHANGE,
    .summary = "Add an index to a trace, for fast access to any part of it",
    .operands = "[OPTION...] TRACE...",
    .details =
        "The index is appended to the file. The existing bytes do not change, and other programs do not\n"
        "notice it. \"trace\" and \"repack\" write an index by themselves.\n"
        "\n"
        "The exit status is 1 after an error. A truncated or damaged trace gets no index.",
    .examples = "trace-cli index app.trace\n",
    .options = index_options,
    .run = run_index,
};
