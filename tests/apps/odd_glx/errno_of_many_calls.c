/* SPDX-License-Identifier: MIT
 * More calls than the recorder accepts without waiting. Each must preserve errno, the signal mask and the
 * thread's cancellation state.
 *
 * count: 100000 glColor4ub\(
 */
#include <GL/gl.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

int main(void)
{
    unsigned wrong = 0;
    sigset_t mask, after;
    int state;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    for (int i = 0; i < 100000; ++i) {
        errno = i % 100;
        glColor4ub((GLubyte)i, 0, 0, 0);
        wrong += errno != i % 100;
    }
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int n = 1; n < 32; ++n)
        wrong += sigismember(&after, n) != sigismember(&mask, n);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    printf("%u wrong, cancellation %s\n", wrong, state == PTHREAD_CANCEL_ENABLE ? "possible" : "impossible");
    return 0;
}
