/* SPDX-License-Identifier: MIT
 * Tests what the traced program and the collector find out about each other, and the files that a program
 * writes itself.
 */
#include "cmocka_all.h"
#include "collector/left_processes.h"
#include "collector/life_mark.h"
#include "collector/rendezvous.h"
#include "process/own_file.h"
#include "process/process_description.h"
#include "process/process_mark.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/test_processes.XXXXXX");
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    return system(command);
}

static const char *in_directory(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static unsigned count_descriptors(void)
{
    unsigned count = 0;
    for (int fd = 0; fd < 1000; ++fd)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

/* --- descriptions ----------------------------------------------------------------------------------- */

static void describe_as(const char *program, const char *arguments, size_t size)
{
    unlink(in_directory("exe"));
    if (program != NULL)
        assert_int_equal(symlink(program, in_directory("exe")), 0);
    int fd = open(in_directory("cmdline"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(fd, arguments, size), size);
    close(fd);
}

static void test_descriptions(void **state)
{
    (void)state;
    static const struct {
        const char *program, *arguments;
        size_t size;
        const char *expected; /* the program, a NUL, and its arguments */
        size_t expected_size;
    } processes[] = {
        {"/usr/bin/app", "app\0-a\0b c\0", 11, "/usr/bin/app\0-a b c", 20},
        {"/usr/bin/app", "app\0", 4, "/usr/bin/app\0", 14},
        {"/usr/bin/app", "app", 3, "/usr/bin/app\0", 14},
        {"/usr/bin/app", "", 0, "/usr/bin/app\0", 14},
        {"/usr/bin/app", "app\0\0\0", 6, "/usr/bin/app\0", 14},
        {"/usr/bin/app", "app\0\0x\0", 7, "/usr/bin/app\0 x", 16},
        {NULL, "app\0x\0", 6, "\0x", 3},
    };
    for (unsigned i = 0; i < sizeof processes / sizeof processes[0]; ++i) {
        struct connection_hello hello;
        memset(&hello, 0x55, sizeof hello);
        describe_as(processes[i].program, processes[i].arguments, processes[i].size);
        assert_int_equal(process_describe(&hello, directory), processes[i].expected_size);
        assert_memory_equal(hello.text, processes[i].expected, processes[i].expected_size);
    }
}

/* Descriptions that are too long are cut, and end with a NUL. */
static void test_long_descriptions(void **state)
{
    (void)state;
    char arguments[6000], program[4000];
    memset(arguments, 'x', sizeof arguments);
    memcpy(arguments, "app", 4);
    memset(program, 'p', sizeof program);
    program[0] = '/';
    for (size_t length = 10; length < sizeof program; length += 97) {
        struct connection_hello hello;
        char cut = program[length];
        program[length] = '\0';
        describe_as(program, arguments, 100 + length);
        program[length] = cut;
        uint32_t size = process_describe(&hello, directory);
        assert_in_range(size, 2, sizeof hello.text);
        size_t first = strnlen(hello.text, size);
        assert_in_range(first, 1, size - 2);
        assert_in_range(first, length < 2000 ? length : 2000, length);
        assert_int_equal(first + 1 + strnlen(hello.text + first + 1, size - first - 1), size - 1);
    }
}

/* --- addresses -------------------------------------------------------------------------------------- */

static void test_addresses(void **state)
{
    (void)state;
    static const struct {
        const char *path, *secret, *name;
    } paths[] = {{"/tmp/trace-cli-abc/0123", "0123", "trace-cli-abc"},
                 {"/a/very/deep/one/x", "x", "one"},
                 {"directory/s", "s", "directory"},
                 {"/s", "s", ""},
                 {"s", "s", ""}};
    for (unsigned i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        struct sockaddr_un a;
        size_t length = strlen(paths[i].name);
        assert_string_equal(connection_secret(paths[i].path), paths[i].secret);
        assert_int_equal(connection_second_address(paths[i].path, &a),
                         offsetof(struct sockaddr_un, sun_path) + 1 + length);
        assert_int_equal(a.sun_path[0], 0);
        assert_memory_equal(a.sun_path + 1, paths[i].name, length);
    }
    char path[300];
    struct sockaddr_un a;
    memset(path, 'x', sizeof path);
    strcpy(path + 200, "/s");
    assert_int_equal(connection_second_address(path, &a), sizeof a);
}

/* --- the collector's door --------------------------------------------------------------------------- */

struct visitor {
    struct rendezvous *r;
    struct connection_reply reply;
    int rc, segment;
};

static void *visit(void *argument)
{
    struct visitor *v = argument;
    struct connection_hello hello = {.magic = CONNECTION_MAGIC, .text = "app\0args"};
    v->rc = connection_announce(v->r->path, &hello, 9, v->segment, &v->reply);
    return NULL;
}

static int next_caller(struct rendezvous *r, struct rendezvous_caller *caller)
{
    struct pollfd fds[RENDEZVOUS_CALLERS + 2];
    int rc = 0;
    for (unsigned i = 0; i < 100 && rc == 0; ++i) {
        poll(fds, rendezvous_poll_fds(r, fds), 100);
        rc = rendezvous_next(r, caller);
    }
    return rc;
}

static void receive_visit(struct rendezvous *r, bool accepted)
{
    pthread_t thread;
    struct rendezvous_caller caller;
    struct visitor v = {.r = r, .segment = memfd_create("segment", MFD_CLOEXEC)};
    assert_int_equal(pthread_create(&thread, NULL, visit, &v), 0);
    assert_int_equal(next_caller(r, &caller), 1);
    assert_memory_equal(caller.hello.text, "app\0args", 9);
    assert_int_equal(caller.uid, getuid());
    struct stat sent, got;
    assert_int_equal(fstat(v.segment, &sent), 0);
    assert_int_equal(fstat(caller.segment_fd, &got), 0);
    assert_int_equal(sent.st_ino, got.st_ino);
    close(caller.segment_fd);
    rendezvous_answer(&caller, accepted);
    pthread_join(thread, NULL);
    close(v.segment);
    assert_int_equal(v.rc, 0);
    assert_int_equal(v.reply.accepted, accepted);
    assert_int_equal(v.reply.collector_pid, getpid());
}

static void test_visits(void **state)
{
    (void)state;
    struct rendezvous r;
    struct stat st;
    assert_int_equal(rendezvous_open(&r), 0);
    assert_int_equal(stat(r.directory, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0711);
    unsigned before = count_descriptors();
    receive_visit(&r, true);
    receive_visit(&r, false);
    assert_int_equal(count_descriptors(), before); /* the program's descriptor numbers do not change */
    assert_int_equal(unlink(r.path), 0);           /* as for a process that cannot see the directory */
    receive_visit(&r, true);
    rendezvous_close(&r);
    assert_int_not_equal(access(r.directory, F_OK), 0);
}

static void do_nothing(int number)
{
    (void)number;
}

/* The collector is slow, and a timer of the program keeps interrupting. */
static void test_interrupted_visit(void **state)
{
    (void)state;
    struct rendezvous r;
    struct rendezvous_caller caller;
    struct sigaction before;
    const struct sigaction handled = {.sa_handler = do_nothing}; /* system calls are not restarted */
    pthread_t thread;
    assert_int_equal(rendezvous_open(&r), 0);
    struct visitor v = {.r = &r, .segment = memfd_create("segment", MFD_CLOEXEC), .rc = 1};
    sigaction(SIGUSR1, &handled, &before);
    assert_int_equal(pthread_create(&thread, NULL, visit, &v), 0);
    assert_int_equal(next_caller(&r, &caller), 1);
    for (unsigned i = 0; i < 20; ++i) {
        usleep(2000);
        pthread_kill(thread, SIGUSR1);
    }
    assert_int_equal(v.rc, 1); /* is still waiting */
    rendezvous_answer(&caller, true);
    pthread_join(thread, NULL);
    sigaction(SIGUSR1, &before, NULL);
    assert_int_equal(v.rc, 0);
    assert_int_equal(v.reply.accepted, 1);
    close(caller.segment_fd);
    close(v.segment);
    rendezvous_close(&r);
}

/* A full queue is waited for, too. */
static void test_interrupted_connection(void **state)
{
    (void)state;
    struct rendezvous r;
    struct rendezvous_caller caller;
    struct sigaction before;
    const struct sigaction handled = {.sa_handler = do_nothing};
    pthread_t thread;
    int fds[200];
    unsigned count = 0;
    assert_int_equal(rendezvous_open(&r), 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, r.path);
    do {
        fds[count] = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    } while (connect(fds[count++], (struct sockaddr *)&address, sizeof address) == 0 && count < 200);
    assert_in_range(count, 2, 199);
    struct visitor v = {.r = &r, .segment = memfd_create("segment", MFD_CLOEXEC), .rc = 1};
    sigaction(SIGUSR1, &handled, &before);
    assert_int_equal(pthread_create(&thread, NULL, visit, &v), 0);
    for (unsigned i = 0; i < 20; ++i) {
        usleep(2000);
        pthread_kill(thread, SIGUSR1);
    }
    assert_int_equal(v.rc, 1);
    for (unsigned i = 0; i < count; ++i)
        close(fds[i]);
    assert_int_equal(next_caller(&r, &caller), 1);
    rendezvous_answer(&caller, true);
    pthread_join(thread, NULL);
    sigaction(SIGUSR1, &before, NULL);
    assert_int_equal(v.rc, 0);
    close(caller.segment_fd);
    close(v.segment);
    rendezvous_close(&r);
}

static int connect_to(const struct rendezvous *r)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, r->path);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static void send_hello(int fd, struct connection_hello *hello, size_t size, unsigned fds)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(4 * sizeof(int))];
    } control = {.space = {0}};
    struct iovec part = {hello, size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (fds > 0) {
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(fds * sizeof(int));
        struct cmsghdr *c = CMSG_FIRSTHDR(&message);
        *c = (struct cmsghdr){
            .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(fds * sizeof(int))};
        const int sent[4] = {STDIN_FILENO, STDIN_FILENO, STDIN_FILENO, STDIN_FILENO};
        memcpy(CMSG_DATA(c), sent, fds * sizeof(int));
    }
    assert_int_equal(sendmsg(fd, &message, MSG_NOSIGNAL), size);
}

/* Strangers get no answer, cannot keep anything open, and do not block others. */
static void test_strangers(void **state)
{
    (void)state;
    static const struct {
        unsigned descriptors;
        uint32_t magic;
        bool knows;
        size_t size;
        int expected;
    } strangers[] = {
        {1, CONNECTION_MAGIC, false, 100, 0},
        {0, CONNECTION_MAGIC, true, 100, TRACE_ERR_FORMAT},
        {1, CONNECTION_MAGIC ^ 1, true, 100, TRACE_ERR_FORMAT},
        {1, CONNECTION_MAGIC, true, 4, 0}, /* ends before the secret */
        {0, CONNECTION_MAGIC, false, 100, 0},
        {2, CONNECTION_MAGIC, true, 100, TRACE_ERR_FORMAT}, /* only one descriptor is allowed */
        {4, CONNECTION_MAGIC, true, 100, TRACE_ERR_FORMAT},
        {2, CONNECTION_MAGIC, false, 100, 0},
    };
    struct rendezvous r;
    struct rendezvous_caller caller;
    assert_int_equal(rendezvous_open(&r), 0);
    unsigned before = count_descriptors();
    for (unsigned i = 0; i < sizeof strangers / sizeof strangers[0]; ++i) {
        struct connection_hello hello = {.magic = strangers[i].magic};
        if (strangers[i].knows)
            snprintf(hello.secret, sizeof hello.secret, "%s", connection_secret(r.path));
        else
            strcpy(hello.secret, "guess");
        int fd = connect_to(&r);
        send_hello(fd, &hello, strangers[i].size, strangers[i].descriptors);
        assert_int_equal(rendezvous_next(&r, &caller), strangers[i].expected);
        char byte;
        assert_int_equal(recv(fd, &byte, 1, 0), 0);
        close(fd);
        assert_int_equal(r.caller_count, 0);
        assert_int_equal(count_descriptors(), before);
    }
    receive_visit(&r, true);
    rendezvous_close(&r);
}

static void be_out_of_descriptors(void)
{
    struct rendezvous r;
    struct rendezvous_caller caller;
    struct timespec before, after;
    if (rendezvous_open(&r) != 0)
        _exit(1);
    connect_to(&r);
    connect_to(&r);
    const struct rlimit none = {0, 1000};
    setrlimit(RLIMIT_NOFILE, &none);
    clock_gettime(CLOCK_MONOTONIC, &before);
    if (rendezvous_next(&r, &caller) != 0 || r.caller_count != 0)
        _exit(2);
    clock_gettime(CLOCK_MONOTONIC, &after);
    int64_t passed = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
    if (passed < 5000000)
        _exit(3);
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){1000, 1000});
    if (rendezvous_next(&r, &caller) != 0 || r.caller_count != 2)
        _exit(4);
    rendezvous_close(&r);
    _exit(0);
}

/* Without free descriptors, callers stay in the queue, and the collector does not spin. */
static void test_no_descriptors(void **state)
{
    (void)state;
    int status;
    pid_t pid = fork();
    if (pid == 0)
        be_out_of_descriptors();
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
}

/* A number of silent callers is kept. Beyond it, the oldest one is dropped. */
static void test_silent_callers(void **state)
{
    (void)state;
    struct rendezvous r;
    struct rendezvous_caller caller;
    int fds[RENDEZVOUS_CALLERS + 5];
    char byte;
    assert_int_equal(rendezvous_open(&r), 0);
    for (unsigned i = 0; i < RENDEZVOUS_CALLERS + 5; ++i) {
        fds[i] = connect_to(&r);
        assert_int_equal(rendezvous_next(&r, &caller), 0);
    }
    assert_int_equal(r.caller_count, RENDEZVOUS_CALLERS);
    for (unsigned i = 0; i < RENDEZVOUS_CALLERS + 5; ++i)
        assert_int_equal(recv(fds[i], &byte, 1, MSG_DONTWAIT) == 0, i < 5);
    close(fds[20]); /* a caller that goes away is forgotten */
    assert_int_equal(rendezvous_next(&r, &caller), 0);
    assert_int_equal(r.caller_count, RENDEZVOUS_CALLERS - 1);
    receive_visit(&r, true);
    for (unsigned i = 0; i < RENDEZVOUS_CALLERS + 5; ++i)
        if (i != 20)
            close(fds[i]);
    rendezvous_close(&r);
}

/* --- processes that are left ------------------------------------------------------------------------ */

static pid_t start_child(const char *entry)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        char first[] = "FIRST=1";
        char *const environment[] = {first, (char *)(uintptr_t)entry, NULL};
        dup2(ready[1], 1);
        execle("/bin/sh", "sh", "-c", "echo; read x", NULL, environment);
        _exit(1);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return pid;
}

static void test_starting_processes(void **state)
{
    static const char before[] = "12 (a) b) R 1 12 12 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 5000 ",
                      between[] =
                          " 1 18446744073709551615 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 ",
                      after[] = " 0\n";
    char text[512];
    (void)state;
    snprintf(text, sizeof text, "%s%s%s%s%s", before, "135168", between, "0", after);
    assert_true(left_process_stat_is_starting(text));
    snprintf(text, sizeof text, "%s%s%s%s%s", before, "135168", between, "140721", after);
    assert_false(left_process_stat_is_starting(text));
    snprintf(text, sizeof text, "%s%s%s%s%s", before, "0", between, "0", after); /* a kernel thread */
    assert_false(left_process_stat_is_starting(text));
    assert_false(left_process_stat_is_starting("12 (a) R 1"));
    assert_false(left_process_stat_is_starting(""));
}

static void test_left_processes(void **state)
{
    (void)state;
    char entry[64], other[80];
    struct left_process left[2];
    int input[2], saved = dup(0);
    snprintf(entry, sizeof entry, "LEFT=%d", (int)getpid());
    assert_int_equal(pipe(input), 0); /* the children run until the pipe is closed */
    dup2(input[0], 0);
    fcntl(input[0], F_SETFD, FD_CLOEXEC);
    fcntl(input[1], F_SETFD, FD_CLOEXEC);
    assert_int_equal(left_processes_find(entry, "no such mark", left, 2), 0);
    pid_t pids[4];
    pids[0] = start_child(entry);
    assert_int_equal(left_processes_find(entry, "no such mark", left, 2), 1);
    assert_int_equal(left[0].pid, pids[0]);
    assert_string_equal(left[0].name, "sh");
    snprintf(other, sizeof other, "%s0", entry); /* has the same start */
    pids[1] = start_child(other);
    snprintf(other, sizeof other, "X%s", entry); /* has the same end */
    pids[2] = start_child(other);
    assert_int_equal(left_processes_find(entry, "no such mark", left, 2), 1);
    pids[3] = start_child(entry);
    assert_int_equal(left_processes_find(entry, "no such mark", left, 1), 2); /* more than the limit */
    dup2(saved, 0);
    close(saved);
    close(input[0]);
    close(input[1]);
    for (unsigned i = 0; i < 4; ++i)
        waitpid(pids[i], NULL, 0);
    assert_int_equal(left_processes_find(entry, "no such mark", left, 2), 0);
}

/* Finds this process's initial environment. /proc/PID/environ shows what is there now. */
static bool find_environment(char **start, char **end)
{
    unsigned long from = 0, to = 0;
    char text[4096] = "";
    int fd = open("/proc/self/stat", O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    char *at = n > 0 ? strrchr(text, ')') : NULL;
    for (unsigned field = 2; at != NULL && field < 50; ++field)
        at = strchr(at + 1, ' ');
    bool found = at != NULL && sscanf(at, "%lu %lu", &from, &to) == 2 && to > from;
    *start = (char *)from;
    *end = (char *)to;
    return found;
}

/* What is written over an environment, and what fills the rest. The last byte may remain a NUL. */
struct title {
    const char *text;
    size_t size;
    char filler;
    bool ends;
};

/* Starts a child that has the mark, and whose environment was overwritten with this. */
static pid_t start_titled(const struct title *title, const char *socket_path)
{
    int ready[2];
    char byte = 0, *start, *end;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!find_environment(&start, &end))
            _exit(1);
        process_mark_set(socket_path);
        memset(start, title->filler, (size_t)(end - start));
        memcpy(start, title->text, title->size);
        if (title->ends)
            end[-1] = '\0';
        write(ready[1], "", 1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return pid;
}

/* A process without a mark inherits that of an ancestor. */
static void test_inherited_mark(void **state)
{
    (void)state;
    char path[64];
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        process_mark_set("/an/ancestor's");
        if (fork() == 0)
            _exit(process_mark_inherited(path, sizeof path) && strcmp(path, "/an/ancestor's") == 0 ? 7 : 8);
        wait(&status);
        _exit(WEXITSTATUS(status));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(WEXITSTATUS(status), 7);
}

/* A process that has overwritten its environment is recognised by its mappings. One whose environment is
 * intact is not checked that way. */
static void test_titles(void **state)
{
    (void)state;
    char path[64], mark[PROCESS_MARK_SIZE], longer[PROCESS_MARK_SIZE];
    struct left_process left[2];
    static const struct {
        struct title title;
        bool counts;
    } titles[] = {{{"server: idle", 12, 0, true}, true}, {{"", 0, 0, true}, true},
                  {{"A=b", 3, 0, true}, true}, /* the NULs behind it are not variables */
                  {{"A=b", 3, 'x', true}, false},        {{"A=b", 3, 'x', false}, false},
                  {{"A=b\0C=d", 7, 'x', true}, false},   {{"A=b\0title\0C=d", 13, 'x', true}, true},
                  {{"title\0C=d", 9, 'x', true}, true},  {{"A=b\0title", 9, 'x', true}, true},
                  {{"A=b\0title", 9, 'x', false}, true}};
    snprintf(path, sizeof path, "/none/socket-%d", (int)getpid());
    process_mark_name(path, mark);
    for (unsigned i = 0; i < sizeof titles / sizeof titles[0]; ++i) {
        pid_t pid = start_titled(&titles[i].title, path);
        assert_int_equal(left_processes_find("NO=such", mark, left, 2), titles[i].counts);
        if (titles[i].counts)
            assert_int_equal(left[0].pid, pid);
        process_mark_name("/none/socket-", longer);
        assert_int_equal(left_processes_find("NO=such", longer, left, 2), 0);
        process_mark_name(path + 1, longer);
        assert_int_equal(left_processes_find("NO=such", longer, left, 2), 0);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}

/* --- the collector's life --------------------------------------------------------------------------------
 */

static struct segment_control *shared;
static uint32_t seen_alive;

static void *set_mark(void *clears)
{
    static struct life_mark mark; /* not on the thread's stack, which is freed earlier */
    memset(&mark, 0, sizeof mark);
    life_mark_set(&mark, shared);
    seen_alive = atomic_load(&shared->consumer) == (uint32_t)syscall(SYS_gettid);
    if (clears != NULL)
        life_mark_clear(&mark, shared);
    return NULL;
}

/* The kernel reports the thread's end, unless the thread has done so itself: set_robust_list(2). */
static void test_life_marks(void **state)
{
    (void)state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    for (unsigned clears = 0; clears < 2; ++clears) {
        pthread_t thread;
        atomic_store(&shared->consumer, 77);
        seen_alive = 0;
        assert_int_equal(pthread_create(&thread, NULL, set_mark, clears != 0 ? &thread : NULL), 0);
        pthread_join(thread, NULL);
        assert_int_equal(seen_alive, 1);
        assert_int_equal(atomic_load(&shared->consumer), clears != 0 ? 0 : FUTEX_OWNER_DIED);
    }
    munmap(shared, sizeof *shared);
}

/* For this thread only. */
static bool refuse_robust_lists(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_set_robust_list, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

static void *set_refused_mark(void *refused)
{
    static struct life_mark mark;
    *(bool *)refused = refuse_robust_lists();
    life_mark_set(&mark, shared);
    return NULL;
}

/* If the kernel refuses the list, it will not report the thread's end, so the segment must not promise it. */
static void test_refused_life_mark(void **state)
{
    pthread_t thread;
    bool refused;
    (void)state;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    atomic_store(&shared->consumer, 77);
    assert_int_equal(pthread_create(&thread, NULL, set_refused_mark, &refused), 0);
    pthread_join(thread, NULL);
    if (refused)
        assert_int_equal(atomic_load(&shared->consumer), 0);
    munmap(shared, sizeof *shared);
    if (!refused)
        skip();
}

/* --- a file of one's own ---------------------------------------------------------------------------- */

static struct own_file file;

static void open_own(void)
{
    int fd = open(in_directory("own"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    own_file_init(&file, fd, in_directory("own"));
}

static void expect_contents(const char *name, const char *expected)
{
    char bytes[100];
    int fd = open(in_directory(name), O_RDONLY);
    ssize_t n = read(fd, bytes, sizeof bytes);
    close(fd);
    assert_int_equal(n, strlen(expected));
    assert_memory_equal(bytes, expected, strlen(expected));
}

static int write_own(const char *text)
{
    return own_file_write(&file, (const uint8_t *)text, strlen(text));
}

/* The program closes descriptors that it does not know, and may reuse their numbers. */
static void test_closed_descriptors(void **state)
{
    (void)state;
    open_own();
    assert_in_range(file.fd, 900, 10000);
    assert_int_equal(write_own("one "), 0);
    close(file.fd);
    assert_int_equal(write_own("two "), 0);
    int fd = open(in_directory("other"), O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(dup2(fd, file.fd), file.fd);
    int theirs = file.fd;
    assert_int_equal(write_own("three"), 0);
    assert_int_equal(write_own("!"), 0);
    assert_int_equal(write_own(""), 0);
    expect_contents("own", "one two three!");
    expect_contents("other", "");
    assert_int_equal(fcntl(theirs, F_GETFD), 0); /* still belongs to the program */
    close(theirs);
    assert_int_equal(dup2(fd, file.fd), file.fd);
    theirs = file.fd;
    own_file_close(&file);
    assert_int_equal(file.fd, -1);
    assert_int_equal(fcntl(theirs, F_GETFD), 0);
    close(theirs);
    close(fd);
    open_own();
    theirs = file.fd;
    own_file_close(&file);
    assert_int_equal(fcntl(theirs, F_GETFD), -1);
}

/* A file that has replaced ours under its name is not ours. */
static void test_replaced_files(void **state)
{
    (void)state;
    char moved[256];
    strcpy(moved, in_directory("moved"));
    open_own();
    assert_int_equal(rename(in_directory("own"), moved), 0);
    assert_int_equal(write_own("moved"), 0);
    close(file.fd);
    unsigned before = count_descriptors();
    assert_int_equal(write_own("gone"), TRACE_ERR_IO);
    assert_int_equal(count_descriptors(), before);
    int fd = open(in_directory("own"), O_WRONLY | O_CREAT, 0600);
    assert_int_equal(write(fd, "theirs", 6), 6);
    close(fd);
    before = count_descriptors();
    assert_int_equal(write_own("ours"), TRACE_ERR_IO);
    assert_int_equal(count_descriptors(), before);
    expect_contents("own", "theirs");
    assert_int_equal(file.fd, -1);
    unlink(moved);
}

/* A write beyond the limit would raise a deadly signal. */
static void test_size_limit(void **state)
{
    (void)state;
    for (rlim_t limit = 8; limit <= 12; ++limit) {
        open_own();
        int status;
        pid_t pid = fork();
        if (pid == 0) {
            const struct rlimit l = {limit, limit};
            setrlimit(RLIMIT_FSIZE, &l);
            int rc = write_own("12345");
            _exit(rc != 0 ? 1 : write_own("67890") != 0 ? 2 : 0);
        }
        waitpid(pid, &status, 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), limit < 10 ? 2 : 0);
        expect_contents("own", limit < 10 ? "12345" : "1234567890");
        own_file_close(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descriptions),      cmocka_unit_test(test_long_descriptions),
        cmocka_unit_test(test_addresses),         cmocka_unit_test(test_visits),
        cmocka_unit_test(test_interrupted_visit), cmocka_unit_test(test_interrupted_connection),
        cmocka_unit_test(test_no_descriptors),    cmocka_unit_test(test_strangers),
        cmocka_unit_test(test_silent_callers),    cmocka_unit_test(test_starting_processes),
        cmocka_unit_test(test_left_processes),    cmocka_unit_test(test_titles),
        cmocka_unit_test(test_inherited_mark),    cmocka_unit_test(test_life_marks),
        cmocka_unit_test(test_refused_life_mark), cmocka_unit_test(test_closed_descriptors),
        cmocka_unit_test(test_replaced_files),    cmocka_unit_test(test_size_limit),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
