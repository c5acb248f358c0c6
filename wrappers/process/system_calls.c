/* SPDX-License-Identifier: MIT
 * The system calls of the recorder, with the names of the C library's functions. They are hidden, so that the
 * linker uses them for all code of the recorder and for nothing else. The program, or another preloaded
 * library, may have functions with these names that count, change or refuse calls, or that are not ready
 * before main(). The system call numbers are those that the C library uses, because a seccomp filter may not
 * allow others.
 */
#undef _FORTIFY_SOURCE

#include "process/kernel_call.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORDS         6
#define LARGEST_ERROR 4095
#define SIGSET_BYTES  (_NSIG / 8)

/* Where a register has 32 bits, files' sizes and offsets take two of them, or are in pages. */
#if defined __i386__
#define OFFSET(n)        (long)(n), (long)((n) >> 32)
#define NUMBER_FSTATAT   SYS_fstatat64
#define NUMBER_FTRUNCATE SYS_ftruncate64
#define NUMBER_FCNTL     SYS_fcntl64
#define NUMBER_MMAP      SYS_mmap2
#define MMAP_UNIT        4096
#else
#define OFFSET(n)        (n)
#define NUMBER_FSTATAT   SYS_newfstatat
#define NUMBER_FTRUNCATE SYS_ftruncate
#define NUMBER_FCNTL     SYS_fcntl
#define NUMBER_MMAP      SYS_mmap
#define MMAP_UNIT        1
#endif

#if defined __x86_64__
long call_kernel(long number, const long *a)
{
    register long fourth __asm__("r10") = a[3];
    register long fifth __asm__("r8") = a[4];
    register long sixth __asm__("r9") = a[5];
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined __i386__
/* Not inline assembly, because the sixth argument takes %ebp. */
__asm__(".text\n"
        ".hidden call_kernel\n"
        ".globl call_kernel\n"
        ".type call_kernel, @function\n"
        "call_kernel:\n"
        "    .cfi_startproc\n"
        "    push %ebp\n"
        "    .cfi_def_cfa_offset 8\n"
        "    .cfi_offset %ebp, -8\n"
        "    push %ebx\n"
        "    .cfi_def_cfa_offset 12\n"
        "    .cfi_offset %ebx, -12\n"
        "    push %esi\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_offset %esi, -16\n"
        "    push %edi\n"
        "    .cfi_def_cfa_offset 20\n"
        "    .cfi_offset %edi, -20\n"
        "    mov 20(%esp), %eax\n"
        "    mov 24(%esp), %edi\n"
        "    mov (%edi), %ebx\n"
        "    mov 4(%edi), %ecx\n"
        "    mov 8(%edi), %edx\n"
        "    mov 12(%edi), %esi\n"
        "    mov 20(%edi), %ebp\n"
        "    mov 16(%edi), %edi\n"
        "    int $0x80\n"
        "    pop %edi\n"
        "    .cfi_def_cfa_offset 16\n"
        "    .cfi_restore %edi\n"
        "    pop %esi\n"
        "    .cfi_def_cfa_offset 12\n"
        "    .cfi_restore %esi\n"
        "    pop %ebx\n"
        "    .cfi_def_cfa_offset 8\n"
        "    .cfi_restore %ebx\n"
        "    pop %ebp\n"
        "    .cfi_def_cfa_offset 4\n"
        "    .cfi_restore %ebp\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size call_kernel, .-call_kernel\n");
#elif defined __aarch64__
long call_kernel(long number, const long *a)
{
    register long which __asm__("x8") = number;
    register long first __asm__("x0") = a[0];
    register long second __asm__("x1") = a[1];
    register long third __asm__("x2") = a[2];
    register long fourth __asm__("x3") = a[3];
    register long fifth __asm__("x4") = a[4];
    register long sixth __asm__("x5") = a[5];
    __asm__ volatile("svc 0"
                     : "+r"(first)
                     : "r"(which), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
    return first;
}
#endif

#if defined __x86_64__ || defined __i386__ || defined __aarch64__
/* All functions pass six arguments. The kernel ignores those that the system call does not have. */
long syscall(long number, ...)
{
    long words[WORDS];
    va_list list;
    va_start(list, number);
    for (unsigned i = 0; i < WORDS; ++i)
        words[i] = va_arg(list, long);
    va_end(list);
    long result = call_kernel(number, words);
    if ((unsigned long)result < -(unsigned long)LARGEST_ERROR)
        return result;
    errno = (int)-result;
    return -1;
}
#endif

int open(const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
    va_end(list);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int close(int fd)
{
    return (int)syscall(SYS_close, fd);
}

ssize_t read(int fd, void *bytes, size_t size)
{
    return syscall(SYS_read, fd, bytes, size);
}

ssize_t pread(int fd, void *bytes, size_t size, off_t offset)
{
    return syscall(SYS_pread64, fd, bytes, size, OFFSET(offset));
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    return syscall(SYS_write, fd, bytes, size);
}

int fstat(int fd, struct stat *out)
{
    return (int)syscall(NUMBER_FSTATAT, fd, "", out, AT_EMPTY_PATH);
}

int ftruncate(int fd, off_t size)
{
    return (int)syscall(NUMBER_FTRUNCATE, fd, OFFSET(size));
}

int fallocate(int fd, int mode, off_t offset, off_t size)
{
    return (int)syscall(SYS_fallocate, fd, mode, OFFSET(offset), OFFSET(size));
}

int flock(int fd, int operation)
{
    return (int)syscall(SYS_flock, fd, operation);
}

int fcntl(int fd, int command, ...)
{
    va_list list;
    va_start(list, command);
    long argument = va_arg(list, long);
    va_end(list);
    return (int)syscall(NUMBER_FCNTL, fd, command, argument);
}

int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    va_start(list, request);
    long argument = va_arg(list, long);
    va_end(list);
    return (int)syscall(SYS_ioctl, fd, request, argument);
}

ssize_t readlink(const char *path, char *out, size_t size)
{
#ifdef SYS_readlink
    return syscall(SYS_readlink, path, out, size);
#else
    return syscall(SYS_readlinkat, AT_FDCWD, path, out, size);
#endif
}

int memfd_create(const char *name, unsigned flags)
{
    return (int)syscall(SYS_memfd_create, name, flags);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return (void *)syscall(NUMBER_MMAP, address, size, (long)protection, (long)flags, (long)fd,
                           (long)(offset / MMAP_UNIT));
}

void *mremap(void *address, size_t size, size_t new_size, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    void *new_address = (flags & MREMAP_FIXED) != 0 ? va_arg(list, void *) : NULL;
    va_end(list);
    return (void *)syscall(SYS_mremap, address, size, new_size, (long)flags, new_address);
}

int munmap(void *address, size_t size)
{
    return (int)syscall(SYS_munmap, address, size);
}

int mprotect(void *address, size_t size, int protection)
{
    return (int)syscall(SYS_mprotect, address, size, (long)protection);
}

int madvise(void *address, size_t size, int advice)
{
    return (int)syscall(SYS_madvise, address, size, advice);
}

int munlock(const void *address, size_t size)
{
    return (int)syscall(SYS_munlock, address, size);
}

int socket(int domain, int type, int protocol)
{
    return (int)syscall(SYS_socket, domain, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    return (int)syscall(SYS_connect, fd, address, size);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    return syscall(SYS_sendmsg, fd, message, flags);
}

ssize_t recv(int fd, void *bytes, size_t size, int flags)
{
    return syscall(SYS_recvfrom, fd, bytes, size, flags, NULL, NULL);
}

pid_t getpid(void)
{
    return (pid_t)syscall(SYS_getpid);
}

int kill(pid_t process, int signal)
{
    return (int)syscall(SYS_kill, process, signal);
}

int sched_yield(void)
{
    return (int)syscall(SYS_sched_yield);
}

int getrlimit(__rlimit_resource_t resource, struct rlimit *out)
{
    return (int)syscall(SYS_prlimit64, 0, resource, NULL, out);
}

int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    return (int)syscall(SYS_prlimit64, 0, resource, limit, NULL);
}

int getrusage(__rusage_who_t who, struct rusage *out)
{
    return (int)syscall(SYS_getrusage, who, out);
}

int sigaltstack(const stack_t *stack, stack_t *out)
{
    return (int)syscall(SYS_sigaltstack, stack, out);
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
    return (int)syscall(SYS_rt_sigtimedwait, set, info, timeout, SIGSET_BYTES);
}
