/* SPDX-License-Identifier: MIT */
#include "process/capture_process.h"

#include "memory/own_stack.h"
#include "memory/program_memory.h"
#include "process/capture_log.h"
#include "process/connection.h"
#include "process/segment_source.h"
#include "process/setting.h"
#include "process/stack_setting.h"
#include "process/standalone.h"

#include "base/error.h"
#include "runtime/spec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define API_ENVIRONMENT "TRACE_CLI_API"

#define WAIT_MS 100 /* milliseconds of a single wait for space or for an answer */

static struct {
    pthread_mutex_t lock;
    const struct capture_process_callbacks *callbacks;
    uint32_t starts;       /* number of generations so far, across forks */
    uint32_t wants_stacks; /* CAPTURE_WANTS_STACKS, or 0 */
    bool recording;
    bool standalone; /* there is no collector: this process writes its own file */
    struct segment segment;
    struct ring_pool pool;
    pid_t collector;
    _Atomic bool gave_up;
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

static volatile uint32_t generation_before_start; /* always 0 */
const volatile uint32_t *capture_generation = &generation_before_start;
static volatile uint32_t *generation_page;

uint32_t capture_api_mask = SPEC_API_GL | SPEC_API_GLX | SPEC_API_EGL | SPEC_API_C;

/* The kernel clears this page in every forked child, even if no atfork handler runs. */
static bool make_generation_page(void)
{
    if (generation_page != NULL)
        return true;
    long size = sysconf(_SC_PAGESIZE);
    void *page = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return false;
    madvise(page, (size_t)size, MADV_WIPEONFORK); /* before Linux 4.14, only the atfork handler clears it */
    generation_page = page;
    capture_generation = generation_page;
    return true;
}

static void forget_parent(void)
{
    pthread_mutex_init(&process.lock, NULL);
    process.callbacks->forked();
    if (generation_page != NULL)
        *generation_page = 0;
}

static void read_api_mask(void)
{
    const char *api = setting_get(API_ENVIRONMENT);
    if (api == NULL || strcmp(api, "all") == 0)
        return;
    if (strcmp(api, "gl") == 0 || strcmp(api, "glx") == 0)
        capture_api_mask = SPEC_API_GL | SPEC_API_GLX | SPEC_API_C;
    else if (strcmp(api, "egl") == 0)
        capture_api_mask = SPEC_API_GL | SPEC_API_EGL | SPEC_API_C;
    else
        capture_log(API_ENVIRONMENT "=%s is not gl, egl or all: recording all", api);
}

static int open_segment(void)
{
    const char *socket_path = setting_get(CONNECTION_ENVIRONMENT);
    process.standalone = socket_path == NULL || *socket_path == '\0';
    if (!process.standalone)
        return segment_source_open(&process.segment, socket_path, &process.collector);
    int rc = segment_create_private(&process.segment, RING_LIMIT);
    return rc != 0 ? rc : standalone_open(&process.segment, &process.pool);
}

/* Under a filter of system calls there is no barrier. */
static int open_segment_within_limits(void)
{
    struct rlimit limit;
    bool raised = descriptor_limit_raise(&limit);
    int rc = open_segment();
    if (rc == 0 && segment_source_is_filtered()) {
        segment_share_order(process.segment.control, false);
        program_memory_expect_filter();
    }
    if (raised)
        setrlimit(RLIMIT_NOFILE, &limit);
    return rc;
}

static int start_recording(void)
{
    int rc = open_segment_within_limits();
    if (rc == 0)
        rc = ring_pool_init(&process.pool, &process.segment, process.callbacks->thread_ended);
    if (rc != 0) {
        segment_fini(&process.segment);
        return rc;
    }
    /* Under valgrind, no ring can be mapped without the descriptor: all threads use this one then. */
    ring_pool_reserve_common(&process.pool);
    if (process.segment.fd >= 0)
        close(process.segment.fd); /* the memory stays alive through the mapping and the collector */
    process.segment.fd = -1;
    return 0;
}

/* If the collector has refused, no message is needed. */
static void report_failure(int rc)
{
    capture_log("not recorded: %s", trace_error_message());
    if (!process.standalone && rc != TRACE_ERR_UNSUPPORTED)
        segment_source_decline(setting_get(CONNECTION_ENVIRONMENT));
}

static void start_generation(void)
{
    if (process.starts == 0) {
        read_api_mask();
        process.wants_stacks = stack_setting_read() ? CAPTURE_WANTS_STACKS : 0;
        pthread_atfork(NULL, NULL, forget_parent);
    } else if (process.recording) {
        ring_pool_forget(&process.pool); /* it is the parent's */
        segment_fini(&process.segment);
        if (process.standalone)
            standalone_forget();
    }
    process.gave_up = false;
    int rc = start_recording();
    process.recording = rc == 0;
    if (rc != 0)
        report_failure(rc);
    process.starts++;
    *generation_page = process.starts | process.wants_stacks;
}

struct ring_pool *capture_process_start(const struct capture_process_callbacks *callbacks)
{
    pthread_mutex_lock(&process.lock);
    process.callbacks = callbacks;
    if (make_generation_page() && *generation_page == 0)
        start_generation();
    struct ring_pool *pool = process.recording ? &process.pool : NULL;
    pthread_mutex_unlock(&process.lock);
    return pool;
}

struct ring_pool *capture_process_rings(void)
{
    return process.recording ? &process.pool : NULL;
}

bool capture_process_gave_up(void)
{
    return atomic_load_explicit(&process.gave_up, memory_order_relaxed);
}

void capture_process_count_lost(void)
{
    atomic_fetch_add_explicit(&process.segment.control->calls_lost, 1, memory_order_relaxed);
}

void capture_process_count_interrupting(void)
{
    atomic_fetch_add_explicit(&process.segment.control->calls_interrupting, 1, memory_order_relaxed);
}

/* Returns true if the collector may still make room, as it will after being stopped or starved. The kernel
 * marks when its thread ends. Its process id cannot be used: it could have been reused, or be that of another
 * namespace. */
static bool collector_lives(struct segment_control *s)
{
    if (atomic_load(&s->closed) != 0)
        return false;
    uint32_t consumer = atomic_load(&s->consumer);
    if (consumer != 0)
        return (consumer & FUTEX_OWNER_DIED) == 0;
    return kill(process.collector, 0) == 0 || errno == EPERM;
}

static bool wait_for_collector(struct ring_producer *p)
{
    struct segment_control *s = p->segment;
    while (collector_lives(s)) {
        atomic_store(&p->control->waiting, 1);
        segment_ring_doorbell(s);
        if (atomic_load(&p->control->tail) != p->tail_seen) {
            atomic_store(&p->control->waiting, 0);
            return true;
        }
        futex_wait(&p->control->waiting, 1, WAIT_MS);
    }
    if (!atomic_exchange(&process.gave_up, true))
        capture_log("trace-cli has stopped recording; the program continues without it");
    return false;
}

/* Returns true if capture was started by this process, and not by its parent. */
static bool has_started(void)
{
    return process.recording && generation_page != NULL && *generation_page != 0;
}

static void unlock_memory(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&process.lock);
    if (has_started()) {
        segment_unlock(&process.segment);
        ring_pool_unlock(&process.pool);
    }
    pthread_mutex_unlock(&process.lock);
}

void capture_process_unlock_memory(void)
{
    run_on_own_stack(unlock_memory, NULL);
}

/* Executes the system calls that are needed later: the membarrier that a second thread needs. */
static void prepare_for_filter(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&process.lock);
    if (has_started())
        segment_share_order(process.segment.control, true);
    pthread_mutex_unlock(&process.lock);
}

void capture_process_expect_filter(void)
{
    run_on_own_stack(prepare_for_filter, NULL);
    own_stack_expect_filter();
    program_memory_expect_filter();
}

bool capture_process_wait(struct ring_producer *p)
{
    int saved = errno;
    bool more = process.standalone ? standalone_flush(false) : wait_for_collector(p);
    errno = saved;
    return more;
}

static void tidy_rings(void *unused)
{
    (void)unused;
    ring_pool_tidy(&process.pool);
}

void capture_process_offer_flush(void)
{
    _Atomic uint32_t *tidy = &process.segment.control->tidy;
    if (process.standalone)
        standalone_offer_flush();
    else if (atomic_load_explicit(tidy, memory_order_relaxed) != 0 && atomic_exchange(tidy, 0) != 0)
        run_on_own_stack(tidy_rings, NULL);
}

void capture_process_end(void)
{
    if (!process.standalone && has_started())
        atomic_store(&process.segment.control->ending, 1);
    capture_process_flush();
}

void capture_process_flush(void)
{
    if (process.standalone && generation_page != NULL && *generation_page != 0 && process.recording)
        standalone_flush(true);
}
