/* SPDX-License-Identifier: MIT
 * fork() by a direct system call, which the C library does not notice. Parent and child then use threads and
 * robust mutexes.
 *
 * count: 30 glColor4ub\(
 * lacks: red = 3
 */
#include <GL/gl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 10 };

static void *make_calls(void *number)
{
    for (int i = 0; i < CALLS; ++i)
        glColor4ub(*(GLubyte *)number, (GLubyte)i, 0, 0);
    return NULL;
}

static int use_everything(GLubyte number)
{
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_mutexattr_t robust;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &robust);
    int rc = pthread_mutex_lock(&mutex);
    make_calls(&number);
    rc += pthread_create(&thread, NULL, make_calls, &number);
    rc += pthread_join(thread, NULL);
    return rc + pthread_mutex_unlock(&mutex);
}

int main(void)
{
    GLubyte first = 1;
    make_calls(&first);
    pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0)
        _exit(use_everything(3));
    int status = -1;
    waitpid(child, &status, 0);
    printf("child: %d, parent: %d\n", status, use_everything(2));
    return 0;
}
