/* SPDX-License-Identifier: MIT
 * Records a program that was built with -fxray-instrument, from before its first constructor to its end. The
 * handlers are ours, and not those of the runtime's flight data recorder: that one keeps its records in
 * private memory, which is lost when the program is killed, and calls need its locks. Other programs are left
 * alone.
 */
#include "xray/chunk_writer.h"
#include "xray/store_file.h"
#include "xray/xray_runtime.h"

#include <inttypes.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static char directory[PATH_MAX]; /* of the stores */

static bool take_settings(void)
{
    const char *text = getenv(XRAY_STORE_ENVIRONMENT);
    struct chunk_writer_settings settings;
    unsigned clock;
    int length = 0;
    if (text == NULL || sscanf(text, "%u %" SCNu64 " %n", &clock, &settings.threshold, &length) != 2 ||
        length == 0 || snprintf(directory, sizeof directory, "%s", text + length) >= (int)sizeof directory)
        return false;
    settings.clock = (enum capture_clock)clock;
    chunk_writer_set(&settings);
    return true;
}

/* The functions stay patched. */
static void record_forked_process(void)
{
    struct xray_store *store = store_file_create(directory);
    chunk_writer_forget();
    if (store != NULL)
        atomic_store(&store->state, XRAY_STORE_RECORDING);
}

static void record(const struct xray_runtime *runtime, struct xray_store *store)
{
    runtime->init(); /* has been called already, unless the program was built to call it itself */
    chunk_writer_install(runtime);
    bool works = runtime->patch() == XRAY_PATCHED;
    atomic_store(&store->state, works ? XRAY_STORE_RECORDING : XRAY_STORE_REFUSED);
    pthread_atfork(NULL, NULL, record_forked_process);
}

__attribute__((constructor)) static void start_recording(void)
{
    struct xray_runtime runtime;
    if (!take_settings())
        return;
    enum xray_runtime_state state = xray_runtime_find(&runtime);
    struct xray_store *store = state != XRAY_RUNTIME_ABSENT ? store_file_create(directory) : NULL;
    if (store == NULL)
        return;
    if (state == XRAY_RUNTIME_STRIPPED)
        atomic_store(&store->state, XRAY_STORE_STRIPPED);
    else
        record(&runtime, store);
}

/* In the strict mode of seccomp, as after PR_SET_TSC, reading the counter is a fault, also for
 * clock_gettime(). Filters that programs install let them allocate memory, which is all that the recorder
 * needs besides. */
static bool forbids_clocks(int option, unsigned long argument)
{
    return (option == PR_SET_SECCOMP && argument == SECCOMP_MODE_STRICT) ||
           (option == PR_SET_TSC && argument == PR_TSC_SIGSEGV);
}

__attribute__((visibility("default"))) int prctl(int option, ...)
{
    unsigned long argument[4];
    va_list list;
    va_start(list, option);
    for (unsigned i = 0; i < 4; ++i)
        argument[i] = va_arg(list, unsigned long);
    va_end(list);
    if (forbids_clocks(option, argument[0]))
        store_file_stop();
    return (int)syscall(SYS_prctl, option, argument[0], argument[1], argument[2], argument[3]);
}
