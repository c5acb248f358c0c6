/* SPDX-License-Identifier: MIT */
#include "process/segment_source.h"

#include "process/process_description.h"
#include "process/process_mark.h"
#include "process/setting.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define WAIT_MS      100 /* milliseconds of a single wait for an answer */
#define ANSWER_WAITS 100
#define CLAIMS       5000 /* number of attempts; the collector serves the processes one after another */
#define OPENINGS     50   /* number of those that may fail */
#define CLAIM_MS     2
#define DESCRIPTORS  4 /* number of descriptors that are open at the same time while a segment is opened */

static int announce(struct segment *out, const char *socket_path, pid_t *collector)
{
    struct connection_hello hello = {.magic = CONNECTION_MAGIC, .pid = (uint32_t)getpid()};
    struct connection_reply reply;
    uint32_t text_size = process_describe(&hello, "/proc/self");
    int rc = connection_announce(socket_path, &hello, text_size, out->fd, &reply);
    if (rc != 0)
        return rc;
    if (!reply.accepted)
        return trace_error_set(TRACE_ERR_UNSUPPORTED, "trace-cli does not accept calls from this program");
    *collector = (pid_t)reply.collector_pid;
    return 0;
}

bool segment_source_is_filtered(void)
{
    const char *collectors = setting_get(CONNECTION_FILTERS_ENVIRONMENT);
    return process_count_filters() > (collectors != NULL ? strtoul(collectors, NULL, 10) : 0);
}

static int open_own_segment(struct segment *out, const char *socket_path, pid_t *collector)
{
    int rc = segment_create(out, RING_LIMIT);
    if (rc == 0)
        rc = announce(out, socket_path, collector);
    if (rc != 0)
        segment_fini(out);
    return rc;
}

/* After an answer, the segment belongs to this process as if the process had created it. */
static int wait_for_answer(struct segment *out)
{
    struct segment_control *s = out->control;
    futex_wake(&s->claimed);
    for (unsigned i = 0; atomic_load(&s->answer) == SEGMENT_NO_ANSWER; ++i) {
        uint32_t consumer = atomic_load(&s->consumer);
        if (consumer != 0 ? (consumer & FUTEX_OWNER_DIED) != 0 : i >= ANSWER_WAITS)
            break; /* keep waiting for a collector that is stopped */
        futex_wait(&s->answer, SEGMENT_NO_ANSWER, WAIT_MS);
    }
    if (atomic_load(&s->answer) == SEGMENT_ACCEPTED)
        return 0;
    segment_fini(out);
    return trace_error_set(TRACE_ERR_IO, "trace-cli does not accept calls from this program");
}

static int open_spare_segment(struct segment *out, const char *socket_path)
{
    char path[PATH_MAX];
    const char *slash = strrchr(socket_path, '/');
    int directory = slash != NULL ? (int)(slash - socket_path) : 0;
    snprintf(path, sizeof path, "%.*s/" CONNECTION_SPARE_NAME, directory, socket_path);
    int rc;
    /* If another process was faster, the next segment appears at once. A segment that is being removed may be
     * gone after its name was read, or its descriptor may already refer to something else. */
    for (unsigned i = 0; (rc = segment_claim(out, path, process_own_id())) != 0; ++i) {
        if (i >= (rc > 0 ? CLAIMS : OPENINGS))
            break;
        _Atomic uint32_t nothing = 0;
        futex_wait(&nothing, 0, CLAIM_MS);
    }
    return rc > 0    ? trace_error_set(TRACE_ERR_IO, "trace-cli does not answer")
           : rc != 0 ? rc
                     : wait_for_answer(out);
}

int segment_source_open(struct segment *out, const char *socket_path, pid_t *collector)
{
    if (segment_source_is_filtered())
        return open_spare_segment(out, socket_path);
    int rc = open_own_segment(out, socket_path, collector);
    if (rc == 0 || rc == TRACE_ERR_UNSUPPORTED)
        return rc;
    char reason[256];
    snprintf(reason, sizeof reason, "%s", trace_error_message());
    rc = open_spare_segment(out, socket_path);
    return rc == 0 ? 0 : trace_error_set(rc, "%s", reason);
}

void segment_source_decline(const char *socket_path)
{
    struct connection_hello hello = {.magic = CONNECTION_MAGIC, .pid = (uint32_t)getpid()};
    struct connection_reply reply;
    if (segment_source_is_filtered())
        return;
    uint32_t text_size = process_describe(&hello, "/proc/self");
    connection_announce(socket_path, &hello, text_size, -1, &reply);
}

bool descriptor_limit_raise(struct rlimit *limit)
{
    int probe = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    if (probe >= 0)
        close(probe);
    if (probe >= 0 || errno != EMFILE || getrlimit(RLIMIT_NOFILE, limit) != 0)
        return false;
    struct rlimit more = {limit->rlim_cur + DESCRIPTORS, limit->rlim_max};
    return more.rlim_cur <= more.rlim_max && setrlimit(RLIMIT_NOFILE, &more) == 0;
}

/* Runs before any code of the program that could notice a descriptor. */
__attribute__((constructor)) static void mark_process(void)
{
    const char *socket_path = setting_get(CONNECTION_ENVIRONMENT);
    if (socket_path != NULL && !segment_source_is_filtered())
        process_mark_set(socket_path);
}
