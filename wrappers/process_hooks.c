/* SPDX-License-Identifier: MIT
 * What the program asks of the system and the recorder has to know of. First the ways in which a process ends
 * without running destructors: only a process that writes its own trace file needs them, the collector has
 * its records anyway.
 */
#include "capture_internal.h"
#include "capture_process.h"
#include "unlocked_memory.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

__attribute__((destructor)) static void flush_at_exit(void)
{
    capture_process_flush();
}

__attribute__((constructor)) static void arrange_flush(void)
{
    at_quick_exit(capture_process_flush);
}

typedef void (*exit_function)(int status);

static exit_function next_exit(const char *name)
{
    exit_function f;
    *(void **)&f = real_dlsym(RTLD_NEXT, name);
    return f;
}

CAPTURE_EXPORT void _exit(int status)
{
    capture_process_flush();
    next_exit("_exit")(status);
    __builtin_unreachable();
}

CAPTURE_EXPORT void _Exit(int status)
{
    capture_process_flush();
    next_exit("_Exit")(status);
    __builtin_unreachable();
}

typedef int (*exec_function)(const char *path, char *const arguments[], char *const environment[]);
typedef int (*execv_function)(const char *path, char *const arguments[]);

static void *next_exec(const char *name)
{
    capture_process_flush();
    return real_dlsym(RTLD_NEXT, name);
}

CAPTURE_EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
    exec_function f;
    *(void **)&f = next_exec("execve");
    return f(path, arguments, environment);
}

CAPTURE_EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    exec_function f;
    *(void **)&f = next_exec("execvpe");
    return f(file, arguments, environment);
}

CAPTURE_EXPORT int execv(const char *path, char *const arguments[])
{
    execv_function f;
    *(void **)&f = next_exec("execv");
    return f(path, arguments);
}

CAPTURE_EXPORT int execvp(const char *file, char *const arguments[])
{
    execv_function f;
    *(void **)&f = next_exec("execvp");
    return f(file, arguments);
}

/* The program means its own memory, and may have a limit for it. */
CAPTURE_EXPORT int mlockall(int flags)
{
    int (*f)(int);
    *(void **)&f = real_dlsym(RTLD_NEXT, "mlockall");
    if ((flags & MCL_FUTURE) != 0)
        expect_locked_mappings();
    int rc = f(flags);
    if (rc == 0)
        capture_process_unlock_memory();
    return rc;
}

/* A filter needs one of these two. Nothing tells what it will forbid. */
CAPTURE_EXPORT int prctl(int option, ...)
{
    unsigned long argument[4];
    va_list ap;
    va_start(ap, option);
    for (unsigned i = 0; i < 4; ++i)
        argument[i] = va_arg(ap, unsigned long);
    va_end(ap);
    if (option == PR_SET_NO_NEW_PRIVS || option == PR_SET_SECCOMP)
        capture_process_expect_filter();
    int (*f)(int, ...);
    *(void **)&f = real_dlsym(RTLD_NEXT, "prctl");
    return f(option, argument[0], argument[1], argument[2], argument[3]);
}
