/* SPDX-License-Identifier: MIT
 * Intercepts system functions that the recorder must know about. First, those that end a process without
 * running destructors. Only a process that writes its own trace file needs them; otherwise the collector
 * already has the records.
 */
#include "lookup/real_dlsym.h"
#include "lookup/stubs.h"
#include "memory/unlocked_memory.h"
#include "process/capture_process.h"

#include <alloca.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((destructor)) static void note_exit(void)
{
    capture_process_end();
}

__attribute__((constructor)) static void arrange_end(void)
{
    at_quick_exit(capture_process_end);
}

/* Looked up when the library is loaded. The functions may be called in a signal handler or between fork() and
 * exec, when another thread may hold the loader's locks. */
enum next_function {
    NEXT_EXIT,
    NEXT_EXIT_C,
    NEXT_EXECVE,
    NEXT_EXECVPE,
    NEXT_EXECV,
    NEXT_EXECVP,
    NEXT_FEXECVE,
    NEXT_COUNT
};

static const char *const next_names[NEXT_COUNT] = {"_exit", "_Exit",  "execve", "execvpe",
                                                   "execv", "execvp", "fexecve"};
static void *_Atomic next_functions[NEXT_COUNT];

static void *find_next(enum next_function which)
{
    void *f = atomic_load(&next_functions[which]);
    if (f == NULL) {
        f = real_dlsym(RTLD_NEXT, next_names[which]);
        atomic_store(&next_functions[which], f);
    }
    return f;
}

__attribute__((constructor)) static void find_next_functions(void)
{
    for (unsigned i = 0; i < NEXT_COUNT; ++i)
        find_next((enum next_function)i);
}

typedef void (*exit_function)(int status);

static void end(enum next_function which, int status)
{
    exit_function f;
    capture_process_flush();
    *(void **)&f = find_next(which);
    f(status);
}

CAPTURE_EXPORT void _exit(int status)
{
    end(NEXT_EXIT, status);
    __builtin_unreachable();
}

CAPTURE_EXPORT void _Exit(int status)
{
    end(NEXT_EXIT_C, status);
    __builtin_unreachable();
}

typedef int (*execve_function)(const char *path, char *const arguments[], char *const environment[]);
typedef int (*execv_function)(const char *path, char *const arguments[]);
typedef int (*fexecve_function)(int fd, char *const arguments[], char *const environment[]);

CAPTURE_EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
    execve_function f;
    capture_process_flush();
    *(void **)&f = find_next(NEXT_EXECVE);
    return f(path, arguments, environment);
}

CAPTURE_EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    execve_function f;
    capture_process_flush();
    *(void **)&f = find_next(NEXT_EXECVPE);
    return f(file, arguments, environment);
}

CAPTURE_EXPORT int execv(const char *path, char *const arguments[])
{
    execv_function f;
    capture_process_flush();
    *(void **)&f = find_next(NEXT_EXECV);
    return f(path, arguments);
}

CAPTURE_EXPORT int execvp(const char *file, char *const arguments[])
{
    execv_function f;
    capture_process_flush();
    *(void **)&f = find_next(NEXT_EXECVP);
    return f(file, arguments);
}

CAPTURE_EXPORT int fexecve(int fd, char *const arguments[], char *const environment[])
{
    fexecve_function f;
    capture_process_flush();
    *(void **)&f = find_next(NEXT_FEXECVE);
    return f(fd, arguments, environment);
}

/* Calls from within the C library do not go through the functions above. */
static size_t count_arguments(va_list ap)
{
    size_t count = 1; /* the named argument, and then the NULL that is counted here */
    while (va_arg(ap, char *) != NULL)
        count++;
    return count + 1;
}

static void copy_arguments(char **to, const char *first, size_t count, va_list ap)
{
    to[0] = (char *)first;
    for (size_t i = 1; i < count; ++i)
        to[i] = va_arg(ap, char *);
}

/* Uses the stack, as the C library does, because memory must not be allocated between fork() and exec. */
#define TAKE_ARGUMENTS(arguments, first)                                                                     \
    va_list ap;                                                                                              \
    va_start(ap, first);                                                                                     \
    size_t count = count_arguments(ap);                                                                      \
    va_end(ap);                                                                                              \
    char **arguments = alloca(count * sizeof *arguments);                                                    \
    va_start(ap, first);                                                                                     \
    copy_arguments(arguments, first, count, ap)

CAPTURE_EXPORT int execl(const char *path, const char *first, ...)
{
    TAKE_ARGUMENTS(arguments, first);
    va_end(ap);
    return execv(path, arguments);
}

CAPTURE_EXPORT int execlp(const char *file, const char *first, ...)
{
    TAKE_ARGUMENTS(arguments, first);
    va_end(ap);
    return execvp(file, arguments);
}

CAPTURE_EXPORT int execle(const char *path, const char *first, ...)
{
    TAKE_ARGUMENTS(arguments, first);
    char *const *environment = va_arg(ap, char *const *);
    va_end(ap);
    return execve(path, arguments, environment);
}

/* The program wants to lock its own memory, and may have a limit for it. */
CAPTURE_EXPORT int mlockall(int flags)
{
    if ((flags & MCL_FUTURE) != 0)
        expect_locked_mappings();
    int rc = (int)syscall(SYS_mlockall, flags);
    if (rc == 0)
        capture_process_unlock_memory();
    return rc;
}

/* Installing a seccomp filter needs one of these two functions. The recorder cannot know what the filter will
 * forbid. The program's malloc() may call this with its lock held, even before any constructor has run, and a
 * lookup of the next prctl() would allocate memory. */
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
    return (int)syscall(SYS_prctl, option, argument[0], argument[1], argument[2], argument[3]);
}
