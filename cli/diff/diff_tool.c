/* SPDX-License-Identifier: MIT */
#include "diff/diff_tool.h"

#include "base/error.h"
#include "shell/pager.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define STATUS_TROUBLE 2 /* of diff(1) */

#define MAX_ARGS      10
#define DEFAULT_WIDTH 80

#define OLD_START "\33[9m\33[31m"
#define NEW_START "\33[32m"
#define END       "\33[0m"

/* A command line. Its strings are stored in text. */
struct command {
    char *argv[MAX_ARGS + 1];
    int count;
    char text[512];
    size_t used;
};

unsigned diff_terminal_width(unsigned otherwise)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20;
    return known ? size.ws_col : otherwise;
}

/* --- processes ------------------------------------------------------------------------------------- */

static void add(struct command *c, const char *option, const char *value)
{
    char *at = c->text + c->used;
    int size = snprintf(at, sizeof c->text - c->used, "%s%s", option, value);
    if (c->count == MAX_ARGS || size < 0 || (size_t)size >= sizeof c->text - c->used)
        abort(); /* no path here is as long */
    c->argv[c->count++] = at;
    c->used += (size_t)size + 1;
    c->argv[c->count] = NULL;
}

/* Starts a program. Returns 0 or an errno value. output: its standard output; -1: this process's. */
static int start(const char *path, char **argv, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (output >= 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    int rc = posix_spawnp(pid, path, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return STATUS_TROUBLE;
    return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_TROUBLE;
}

/* --- the texts ------------------------------------------------------------------------------------- */

/* Creates an unlinked file that other programs can open as /dev/fd/N. */
static int open_text(FILE **out)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    if (directory == NULL || directory[0] == '\0')
        directory = "/tmp";
    *out = NULL;
    if (snprintf(path, sizeof path, "%s/trace-cli-XXXXXX", directory) >= (int)sizeof path)
        return trace_error_set(TRACE_ERR_IO, "TMPDIR is too long");
    int fd = mkstemp(path);
    if (fd >= 0) {
        unlink(path);
        *out = fdopen(fd, "w");
    }
    return *out != NULL
               ? 0
               : trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot create a temporary file", directory);
}

static int start_dump(const struct diff_tool *t, const struct diff_tool_trace *trace, FILE *text, pid_t *pid)
{
    char name[] = "trace-cli", command[] = "dump", color[] = "--color=never", names[] = "--arg-names=no",
         end[] = "--", calls[] = "--calls";
    char numbers[] = "--call-nos=no", with_numbers[] = "--call-nos=yes";
    char all[] = "*";
    char *argv[] = {name,
                    command,
                    color,
                    t->call_nos ? with_numbers : numbers,
                    names,
                    calls,
                    trace->calls != NULL ? (char *)trace->calls : all,
                    end,
                    (char *)trace->path,
                    NULL};
    int rc = start("/proc/self/exe", argv, fileno(text), pid);
    return rc == 0 ? 0 : trace_error_set_errno(TRACE_ERR_IO, rc, "cannot run trace-cli dump");
}

/* Dumps both traces at the same time. *status: the higher of the two exit statuses. */
static int dump_both(const struct diff_tool *t, FILE *texts[2], int *status)
{
    pid_t pids[2];
    *status = 0;
    int rc = start_dump(t, &t->traces[0], texts[0], &pids[0]);
    if (rc != 0)
        return rc;
    rc = start_dump(t, &t->traces[1], texts[1], &pids[1]);
    if (wait_for(pids[0]) != 0)
        *status = STATUS_TROUBLE;
    if (rc == 0 && wait_for(pids[1]) != 0)
        *status = STATUS_TROUBLE;
    return rc;
}

/* --- the tool -------------------------------------------------------------------------------------- */

static void ask_diff(struct command *c, const struct diff_tool *t)
{
    add(c, "--speed-large-files", "");
    add(c, "--unchanged-line-format=", t->suppress_common ? "" : t->color ? "%l\n" : "  %l\n");
    add(c, "--old-line-format=", t->color ? OLD_START "%l" END "\n" : "- %l\n");
    add(c, "--new-line-format=", t->color ? NEW_START "%l" END "\n" : "+ %l\n");
}

static void ask_sdiff(struct command *c, const struct diff_tool *t)
{
    char width[24];
    const char *columns = getenv("COLUMNS");
    unsigned count = t->width;
    if (count == 0 && columns != NULL)
        count = (unsigned)strtoul(columns, NULL, 10);
    if (count == 0)
        count = diff_terminal_width(DEFAULT_WIDTH);
    snprintf(width, sizeof width, "%u", count);
    add(c, "--width=", width);
    add(c, "--speed-large-files", "");
}

static void ask_wdiff(struct command *c, const struct diff_tool *t)
{
    add(c, "--avoid-wraps", "");
    if (!t->color)
        return;
    add(c, "--start-delete=", OLD_START);
    add(c, "--end-delete=", END);
    add(c, "--start-insert=", NEW_START);
    add(c, "--end-insert=", END);
}

static int run(const struct diff_tool *t, FILE *texts[2], int *status)
{
    struct command c = {.count = 0};
    add(&c, t->name, "");
    if (strcmp(t->name, "diff") == 0)
        ask_diff(&c, t);
    else if (strcmp(t->name, "sdiff") == 0)
        ask_sdiff(&c, t);
    else
        ask_wdiff(&c, t);
    for (int i = 0; i < 2; ++i) {
        char path[24];
        snprintf(path, sizeof path, "/dev/fd/%d", fileno(texts[i]));
        add(&c, path, "");
    }
    pid_t pid;
    pid_t pager = t->pager ? pager_start(0) : 0;
    int rc = start(t->name, c.argv, -1, &pid);
    if (rc == 0)
        *status = wait_for(pid);
    if (pager != 0)
        pager_finish(pager);
    return rc == 0 ? 0 : trace_error_set_errno(TRACE_ERR_IO, rc, "cannot run %s", t->name);
}

int diff_tool_run(const struct diff_tool *t, int *status)
{
    FILE *texts[2] = {NULL, NULL};
    int dump_status = 0;
    int rc = open_text(&texts[0]);
    if (rc == 0)
        rc = open_text(&texts[1]);
    if (rc == 0)
        rc = dump_both(t, texts, &dump_status);
    if (rc == 0)
        rc = run(t, texts, status);
    if (rc == 0 && dump_status != 0)
        *status = STATUS_TROUBLE;
    for (int i = 0; i < 2; ++i)
        if (texts[i] != NULL)
            fclose(texts[i]);
    return rc;
}
