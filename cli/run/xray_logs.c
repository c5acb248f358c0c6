/* SPDX-License-Identifier: MIT */
#include "run/xray_logs.h"

#include "base/error.h"
#include "base/write_all.h"
#include "process/trace_file_name.h"
#include "shell/amounts.h"
#include "shell/messages.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XRAY_SUFFIX  ".xray"
#define LOOK_NS      20000000   /* how often a process that still runs is looked at */
#define SAY_AFTER_NS 1000000000 /* then it is said for which one this waits */
#define RANDOM_PART  7          /* ".AbCdEf", at the end of the names of the runtime's logs */
#define LOG_HEADER   32         /* a log that is not longer has no records */

static int open_store(const struct xray_logs *l, unsigned number)
{
    char name[PATH_MAX + 32];
    snprintf(name, sizeof name, "%s/" XRAY_STORE_NAME ".%u", l->directory, number);
    return open(name, O_RDWR | O_CLOEXEC);
}

static void say_waiting(int store)
{
    struct xray_store header;
    if (store_log_read_header(store, &header))
        fprintf(
            stderr,
            "trace-cli: waiting for process %d (%.255s), which still runs; interrupt to end the recording\n",
            header.process, header.program);
}

static void await_store(int store, const volatile sig_atomic_t *interrupted)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    for (long waited = 0; !*interrupted && flock(store, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
         waited += LOOK_NS) {
        if (waited == SAY_AFTER_NS)
            say_waiting(store);
        nanosleep(&pause, NULL);
    }
}

void xray_logs_await(const struct xray_logs *l, const volatile sig_atomic_t *interrupted)
{
    int store;
    for (unsigned i = 0; (store = open_store(l, i)) >= 0; ++i) {
        await_store(store, interrupted);
        close(store);
    }
}

/* Returns the descriptor of the file for the next log, or an error. */
static int open_output(struct xray_logs *l, const char *program, char *name, size_t size)
{
    unsigned number = 0;
    int fd = trace_target_open(l->target, name, size, program);
    if (fd != 0)
        return fd;
    const char *wanted = trace_target_is_standard_output(l->target) ? NULL : l->output;
    fd = trace_file_create_next(name, size, wanted, !l->output_used, program, l->stamp, XRAY_SUFFIX, &number);
    l->output_used = true;
    return fd;
}

static void say_written(const struct xray_logs *l, const char *name, const struct store_log *log)
{
    char bytes[AMOUNT_SIZE];
    amount_of_bytes(bytes, sizeof bytes, (double)log->bytes);
    if (l->is_told)
        fprintf(stderr, "trace-cli: %s: %" PRIu64 " records, %s\n", name, log->records, bytes);
}

static void write_store(struct xray_logs *l, struct store_log *log, const char *program)
{
    char name[PATH_MAX];
    int fd = open_output(l, program, name, sizeof name);
    int rc = fd < 0 ? fd : store_log_write(log, fd);
    if (fd >= 0 && close(fd) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s: cannot write", name);
    l->written += fd >= 0;
    if (rc == 0) {
        say_written(l, name, log);
        return;
    }
    l->lost++;
    cli_print_error();
}

static void say_state(struct xray_logs *l, const struct xray_store *header)
{
    const char *what = NULL;
    switch (atomic_load(&header->state)) {
    case XRAY_STORE_STARTING:
        what = "has ended before anything could be recorded";
        break;
    case XRAY_STORE_FULL:
        what = "found no more room for records: its log has the beginning only";
        break;
    case XRAY_STORE_STOPPED:
        what = "has forbidden itself to read clocks: its log ends there";
        break;
    case XRAY_STORE_STRIPPED:
        what = "is instrumented, but stripped: use --xray-mode=basic";
        break;
    case XRAY_STORE_REFUSED:
        what = "could not be patched by XRay's runtime";
        break;
    default:
        return;
    }
    l->lost++;
    fprintf(stderr, "trace-cli: warning: process %d (%.255s) %s\n", header->process, header->program, what);
}

static void take_store(struct xray_logs *l, int store)
{
    struct xray_store header;
    if (!store_log_read_header(store, &header)) {
        l->lost++;
        fputs("trace-cli: warning: a process had no room for its records\n", stderr);
        return;
    }
    struct store_log log = {
        .clock = &l->clock, .store = store, .process = header.process, .chunks = atomic_load(&header.chunks)};
    if (store_log_has_records(&log))
        write_store(l, &log, header.program);
    say_state(l, &header);
}

void xray_logs_write_stores(struct xray_logs *l)
{
    int fd;
    for (unsigned i = 0; (fd = open_store(l, i)) >= 0; ++i) {
        take_store(l, fd);
        close(fd);
    }
}

static int copy_bytes(int from, int to, uint64_t *bytes)
{
    static uint8_t piece[1 << 16];
    ssize_t n;
    int rc = 0;
    while (rc == 0 && (n = read(from, piece, sizeof piece)) > 0) {
        store_log_give_back(from, *bytes, (uint64_t)n);
        rc = write_all(to, piece, (size_t)n);
        *bytes += (uint64_t)n;
    }
    return rc == 0 && n < 0
               ? trace_error_set_errno(TRACE_ERR_IO, errno, "cannot read the log of XRay's runtime")
               : rc;
}

/* The name is BASE PROGRAM.AbCdEf. */
static void copy_log(struct xray_logs *l, const char *entry, const char *base)
{
    char path[PATH_MAX + NAME_MAX + 2], program[NAME_MAX + 1], name[PATH_MAX];
    struct stat st;
    uint64_t bytes = 0;
    size_t length = strlen(entry + strlen(base));
    snprintf(path, sizeof path, "%s/%s", l->directory, entry);
    snprintf(program, sizeof program, "%.*s", (int)(length > RANDOM_PART ? length - RANDOM_PART : length),
             entry + strlen(base));
    int from = open(path, O_RDWR | O_CLOEXEC);
    if (from >= 0 && fstat(from, &st) == 0 && st.st_size > LOG_HEADER) {
        int to = open_output(l, program, name, sizeof name);
        int rc = to < 0 ? to : copy_bytes(from, to, &bytes);
        l->written += to >= 0;
        if (to >= 0)
            close(to);
        if (rc == 0)
            say_written(l, name, &(struct store_log){.bytes = bytes, .records = (bytes - LOG_HEADER) / 32});
        else
            l->lost += (unsigned)(cli_print_error() != 0);
    }
    if (from >= 0)
        close(from);
}

void xray_logs_copy(struct xray_logs *l, const char *base)
{
    struct dirent **names;
    int count = scandir(l->directory, &names, NULL, alphasort);
    for (int i = 0; i < count; ++i) {
        if (strncmp(names[i]->d_name, base, strlen(base)) == 0)
            copy_log(l, names[i]->d_name, base);
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

void xray_logs_remove(const struct xray_logs *l)
{
    DIR *d = opendir(l->directory);
    if (d == NULL)
        return;
    for (struct dirent *e; (e = readdir(d)) != NULL;)
        unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    rmdir(l->directory);
}
