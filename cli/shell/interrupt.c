/* SPDX-License-Identifier: MIT */
#include "shell/interrupt.h"

#include "base/new_file.h"
#include "base/remove_folder.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#define MAX_FILES    8 /* files and folders at the same time; no command has more than two */
#define FOLDER_DEPTH 1 /* the levels of folders in an unfinished one */

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGXCPU};
#define ENDING_COUNT (sizeof ending_signals / sizeof ending_signals[0])

static const char *_Atomic unfinished[MAX_FILES];
static atomic_bool line_is_there;

/* Ends by the same signal, so that the parent process sees it. */
static void clear_away(int signal_number)
{
    for (size_t i = 0; i < MAX_FILES; ++i) {
        const char *path = atomic_load(&unfinished[i]);
        if (path != NULL && unlink(path) != 0 && errno == EISDIR)
            remove_folder(path, FOLDER_DEPTH);
    }
    if (atomic_load(&line_is_there)) {
        ssize_t ignored = write(STDERR_FILENO, "\r\33[K", 4);
        (void)ignored;
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number); /* delivered when this function returns */
}

/* Signals that are ignored (as by nohup) stay ignored. */
static void catch_signals(void)
{
    static bool caught;
    struct sigaction old, action = {.sa_handler = clear_away};
    if (caught)
        return;
    caught = true;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < ENDING_COUNT; ++i)
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ending_signals[i], &action, NULL);
}

/* Signals are blocked while a file is created, renamed or removed, in the thread that does so. */
static _Thread_local sigset_t before;

static void hold(void)
{
    sigset_t held;
    sigemptyset(&held);
    for (size_t i = 0; i < ENDING_COUNT; ++i)
        sigaddset(&held, ending_signals[i]);
    pthread_sigmask(SIG_BLOCK, &held, &before);
}

static void release(void)
{
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void add_file(const char *path)
{
    catch_signals();
    for (size_t i = 0; i < MAX_FILES; ++i)
        if (atomic_load(&unfinished[i]) == NULL) {
            atomic_store(&unfinished[i], path);
            return;
        }
}

static void forget_file(const char *path)
{
    for (size_t i = 0; i < MAX_FILES; ++i)
        if (atomic_load(&unfinished[i]) == path)
            atomic_store(&unfinished[i], NULL);
}

void interrupt_guard_files(void)
{
    static const struct new_file_guard guard = {hold, add_file, forget_file, release};
    new_file_set_guard(&guard);
}

void interrupt_erase_line(bool yes)
{
    catch_signals();
    atomic_store(&line_is_there, yes);
}
