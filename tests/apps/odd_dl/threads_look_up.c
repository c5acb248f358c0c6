/* SPDX-License-Identifier: MIT
 * Threads that look up functions, and load and unload libraries, at the same time.
 *
 * expect: glGetError\(\)
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, ROUNDS = 60 };

static const char *const names[] = {"glGetError",    "glIsTexture",          "glXGetCurrentContext",
                                    "glClear",       "glXSwapBuffers",       "glNoSuchThing",
                                    "eglGetDisplay", "glActiveTexture",      "glVertexPointer",
                                    "glMapBuffer",   "glXGetProcAddressARB", "glGetString"};
enum { NAMES = sizeof names / sizeof names[0] };

static void *work(void *number)
{
    long found = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        void *library = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL);
        void *own = dlopen("$ORIGIN/fake_gl.so", RTLD_LAZY | RTLD_LOCAL | (round % 2 ? RTLD_DEEPBIND : 0));
        for (unsigned i = 0; i < NAMES; ++i)
            found += dlsym(library, names[(i + (unsigned)(long)number) % NAMES]) != NULL;
        unsigned (*get_error)(void);
        *(void **)&get_error = dlsym(library, "glGetError");
        found += get_error() == 0 ? 100 : 0;
        *(void **)&get_error = dlsym(own, "glGetError");
        found += get_error() == 0x1234 ? 10000 : 0;
        dlclose(own);
        dlclose(library);
    }
    return (void *)found;
}

int main(void)
{
    pthread_t threads[THREADS];
    if (dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL) == NULL)
        return 99;
    for (long i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; ++i) {
        void *found;
        pthread_join(threads[i], &found);
        printf("thread %d: %ld\n", i, (long)found);
    }
    return 0;
}
