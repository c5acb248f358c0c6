/* SPDX-License-Identifier: MIT
 * A program with its own versions of C library functions, which tracks its descriptors and mappings. It
 * reports calls that do not come from the program and the libraries it knows.
 *
 * count: 3 glClear\(
 * expect: glVertexPointer\(.*pointer = blob
 */
#include "app_glx.h"

#include <GL/gl.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OWN __attribute__((visibility("default")))

static unsigned calls, strange_calls;

/* No call of the tracer must come here. */
static void count(const void *caller)
{
    Dl_info info;
    calls++;
    if (dladdr(caller, &info) != 0 && strstr(info.dli_fname, "/gltrace") != NULL)
        strange_calls++;
}

#define COUNT count(__builtin_return_address(0))

OWN int close(int fd)
{
    COUNT;
    return (int)syscall(SYS_close, fd);
}

OWN ssize_t read(int fd, void *bytes, size_t size)
{
    COUNT;
    return syscall(SYS_read, fd, bytes, size);
}

OWN ssize_t write(int fd, const void *bytes, size_t size)
{
    COUNT;
    return syscall(SYS_write, fd, bytes, size);
}

OWN int open64(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    int mode = va_arg(list, int);
    va_end(list);
    COUNT;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

OWN int fcntl64(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    COUNT;
    return (int)syscall(SYS_fcntl, fd, command, argument);
}

OWN int socket(int domain, int type, int protocol)
{
    COUNT;
    return (int)syscall(SYS_socket, domain, type, protocol);
}

OWN int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    COUNT;
    return (int)syscall(SYS_connect, fd, address, size);
}

OWN int munmap(void *address, size_t size)
{
    COUNT;
    return (int)syscall(SYS_munmap, address, size);
}

OWN int mprotect(void *address, size_t size, int protection)
{
    COUNT;
    return (int)syscall(SYS_mprotect, address, size, (long)protection);
}

OWN pid_t getpid(void)
{
    COUNT;
    return (pid_t)syscall(SYS_getpid);
}

int main(void)
{
    static const GLfloat corners[] = {0, 0, 1, 0, 0, 1};
    struct app_glx app;
    app_glx_open(&app, 16, 16);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, corners);
    for (int frame = 0; frame < 3; ++frame) {
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        app_glx_present(&app, "frame", frame);
    }
    app_glx_close(&app);
    printf("%s, %u by others\n", calls > 0 ? "calls" : "no calls", strange_calls);
    return 0;
}
