/* SPDX-License-Identifier: MIT
 * Tests that the recorder's own system calls behave like those of the C library (section 2 of the manual),
 * including errors. Here they replace those of the C library.
 */
#include "cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static char path[64];

/* The call fails with that error. Otherwise errno is the test's. */
#define FAILS(call, error)                                                                                   \
    do {                                                                                                     \
        errno = EDOM;                                                                                        \
        assert_int_equal((long)(call), -1);                                                                  \
        assert_int_equal(errno, error);                                                                      \
    } while (0)

#define SUCCEEDS(call)                                                                                       \
    do {                                                                                                     \
        errno = EDOM;                                                                                        \
        assert_int_equal((long)(call), 0);                                                                   \
        assert_int_equal(errno, EDOM);                                                                       \
    } while (0)

static int make_name(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/test_system_calls.%d", (int)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void test_raw_calls(void **state)
{
    (void)state;
    assert_int_equal(syscall(SYS_getpid), getpid());
    FAILS(syscall(-1L), ENOSYS);
    FAILS(syscall(SYS_close, -1L), EBADF);
    /* All six arguments are passed on. */
    FILE *file = tmpfile();
    assert_int_equal(fwrite("0123456789", 1, 10, file), 10);
    fflush(file);
    assert_int_equal(ftruncate(fileno(file), 8192), 0);
    char *p = (void *)syscall(SYS_mmap, NULL, 4096UL, (long)(PROT_READ | PROT_WRITE), (long)MAP_PRIVATE,
                              (long)fileno(file), 0L);
    assert_ptr_not_equal(p, MAP_FAILED);
    assert_memory_equal(p, "0123456789", 10);
    syscall(SYS_munmap, p, 4096UL);
    p = (void *)syscall(SYS_mmap, NULL, 4096UL, (long)PROT_READ, (long)MAP_PRIVATE, (long)fileno(file),
                        4096L);
    assert_int_equal(p[0], 0);
    syscall(SYS_munmap, p, 4096UL);
    fclose(file);
}

static void test_files(void **state)
{
    (void)state;
    char bytes[16];
    struct stat st;
    mode_t mask = umask(0);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    umask(mask);
    assert_in_range(fd, 0, 1000);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    FAILS(open(path, O_RDWR | O_CREAT | O_EXCL, 0600), EEXIST);
    FAILS(open("/nowhere/at/all", O_RDONLY), ENOENT);
    SUCCEEDS(fstat(fd, &st));
    assert_int_equal(st.st_mode & 07777, 0640);
    assert_int_equal(st.st_size, 0);
    FAILS(fstat(-1, &st), EBADF);
    assert_int_equal(write(fd, "hello world", 11), 11);
    FAILS(write(-1, "x", 1), EBADF);
    assert_int_equal(pread(fd, bytes, 5, 6), 5);
    assert_memory_equal(bytes, "world", 5);
    FAILS(pread(fd, bytes, 5, -1), EINVAL);
    assert_int_equal(read(fd, bytes, sizeof bytes), 0);
    assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
    assert_int_equal(read(fd, bytes, 5), 5);
    assert_memory_equal(bytes, "hello", 5);
    SUCCEEDS(ftruncate(fd, 4));
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_size, 4);
    FAILS(ftruncate(fd, -1), EINVAL);
    int other = open(path, O_RDONLY);
    SUCCEEDS(flock(fd, LOCK_EX | LOCK_NB));
    FAILS(flock(other, LOCK_EX | LOCK_NB), EWOULDBLOCK);
    SUCCEEDS(flock(fd, LOCK_UN));
    SUCCEEDS(flock(other, LOCK_EX | LOCK_NB));
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
    assert_in_range(high, 500, 600);
    SUCCEEDS(close(high));
    FAILS(close(high), EBADF);
    close(other);
    close(fd);
    char link[128], name[128];
    fd = open(path, O_RDONLY);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, name, sizeof name);
    assert_int_equal(n, strlen(path));
    assert_memory_equal(name, path, strlen(path));
    assert_int_equal(readlink(link, name, 3), 3);
    FAILS(readlink(path, name, sizeof name), EINVAL);
    int left;
    SUCCEEDS(ioctl(fd, FIONREAD, &left));
    assert_int_equal(left, 4);
    FAILS(ioctl(fd, 0xdeadbeef, &left), ENOTTY);
    close(fd);
}

static void test_memory(void **state)
{
    (void)state;
    const size_t page = 4096;
    struct stat st;
    int fd = memfd_create("a name", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_in_range(fd, 0, 1000);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    SUCCEEDS(fallocate(fd, 0, 0, (off_t)(4 * page)));
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_size, 4 * page);
    char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)page);
    assert_ptr_not_equal(p, MAP_FAILED);
    p[0] = 'a';
    p[page] = 'b';
    char bytes[2];
    assert_int_equal(pread(fd, bytes, 1, (off_t)page), 1);
    assert_int_equal(pread(fd, bytes + 1, 1, (off_t)(2 * page)), 1);
    assert_memory_equal(bytes, "ab", 2);
    SUCCEEDS(fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)page, (off_t)page));
    assert_int_equal(p[0], 0);
    assert_int_equal(p[page], 'b');
    assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    FAILS(ftruncate(fd, 0), EPERM);
    char *again = mremap(p + page, 0, page, MREMAP_MAYMOVE); /* the same page at another address */
    assert_ptr_not_equal(again, MAP_FAILED);
    again[1] = 'c';
    assert_int_equal(p[page + 1], 'c');
    char *target = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_equal(mremap(again, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, target), target);
    assert_int_equal(target[1], 'c');
    errno = EDOM;
    assert_ptr_equal(mremap(target, page, page, MREMAP_FIXED, target), MAP_FAILED);
    assert_int_equal(errno, EINVAL);
    SUCCEEDS(mprotect(target, page, PROT_READ));
    FAILS(mprotect(target + 1, page, PROT_READ), EINVAL);
    SUCCEEDS(madvise(target, page, MADV_DONTDUMP));
    FAILS(madvise(target, page, 12345), EINVAL);
    SUCCEEDS(munlock(target, page));
    SUCCEEDS(munmap(target, page));
    FAILS(munmap(target + 1, page), EINVAL);
    FAILS(madvise(target, page, MADV_DONTDUMP), ENOMEM);
    munmap(p, 2 * page);
    close(fd);
    errno = EDOM;
    assert_ptr_equal(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), MAP_FAILED);
    assert_int_equal(errno, EINVAL);
}

static void test_sockets(void **state)
{
    (void)state;
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0test_system_calls"};
    snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "test_system_calls.%d", (int)getpid());
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    assert_in_range(fd, 0, 1000);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    FAILS(connect(fd, (struct sockaddr *)&address, sizeof address), ECONNREFUSED);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 1), 0);
    SUCCEEDS(connect(fd, (struct sockaddr *)&address, sizeof address));
    int other = accept(listener, NULL, NULL);
    char bytes[16] = "";
    FAILS(recv(other, bytes, sizeof bytes, MSG_DONTWAIT), EAGAIN);
    struct iovec parts[2] = {{(char[]){"one"}, 3}, {(char[]){"two"}, 3}};
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    assert_int_equal(sendmsg(fd, &message, MSG_NOSIGNAL), 6);
    assert_int_equal(recv(other, bytes, sizeof bytes, MSG_PEEK), 6);
    assert_int_equal(recv(other, bytes, sizeof bytes, 0), 6);
    assert_memory_equal(bytes, "onetwo", 6);
    close(other);
    FAILS(sendmsg(fd, &message, MSG_NOSIGNAL), EPIPE);
    close(fd);
    close(listener);
    FAILS(socket(-1, SOCK_STREAM, 0), EAFNOSUPPORT);
}

static void test_processes(void **state)
{
    (void)state;
    struct rlimit limit, changed, now;
    struct rusage usage;
    SUCCEEDS(kill(getpid(), 0));
    FAILS(kill(getpid(), 1000), EINVAL);
    SUCCEEDS(sched_yield());
    SUCCEEDS(getrlimit(RLIMIT_NOFILE, &limit));
    changed = limit;
    changed.rlim_cur = 123;
    SUCCEEDS(setrlimit(RLIMIT_NOFILE, &changed));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &now), 0);
    assert_int_equal(now.rlim_cur, 123);
    assert_int_equal(now.rlim_max, limit.rlim_max);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    FAILS(getrlimit((__rlimit_resource_t)1000, &now), EINVAL);
    changed = (struct rlimit){2, 1};
    FAILS(setrlimit(RLIMIT_NOFILE, &changed), EINVAL);
    memset(&usage, 0xff, sizeof usage);
    SUCCEEDS(getrusage(RUSAGE_SELF, &usage));
    assert_in_range(usage.ru_minflt, 1, 100000000);
    FAILS(getrusage((__rusage_who_t)1000, &usage), EINVAL);
}

static void test_signals(void **state)
{
    (void)state;
    static char memory[65536];
    stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory}, now, off = {.ss_flags = SS_DISABLE};
    SUCCEEDS(sigaltstack(&stack, NULL));
    SUCCEEDS(sigaltstack(NULL, &now));
    assert_ptr_equal(now.ss_sp, memory);
    assert_int_equal(now.ss_size, sizeof memory);
    SUCCEEDS(sigaltstack(&off, NULL));
    stack.ss_size = 1;
    FAILS(sigaltstack(&stack, NULL), ENOMEM);
    sigset_t set;
    siginfo_t info;
    const struct timespec none = {0, 0};
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN + 5);
    sigprocmask(SIG_BLOCK, &set, NULL);
    FAILS(sigtimedwait(&set, &info, &none), EAGAIN);
    assert_int_equal(kill(getpid(), SIGRTMIN + 5), 0);
    assert_int_equal(sigtimedwait(&set, &info, &none), SIGRTMIN + 5);
    assert_int_equal(info.si_pid, getpid());
    assert_int_equal(kill(getpid(), SIGUSR1), 0);
    assert_int_equal(sigtimedwait(&set, NULL, &none), SIGUSR1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raw_calls), cmocka_unit_test(test_files),     cmocka_unit_test(test_memory),
        cmocka_unit_test(test_sockets),   cmocka_unit_test(test_processes), cmocka_unit_test(test_signals),
    };
    return cmocka_run_group_tests(tests, make_name, remove_file);
}
