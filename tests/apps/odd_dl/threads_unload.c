/* SPDX-License-Identifier: MIT
 * Each thread loads a library of its own that calls GL, looks up a function in it, and unloads it, again and
 * again: a thread's lookup finds the other libraries on their way out.
 *
 * expect: glGetError\(\)
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 400 };

static const struct {
    const char *file, *function;
} libraries[] = {{"$ORIGIN/plugin_linked.so", "plugin_draw"},
                 {"$ORIGIN/plugin_exits.so", "plugin_draw"},
                 {"$ORIGIN/plugin_pointers.so", "plugin_draw"},
                 {"$ORIGIN/fake_gl.so", "glGetError"}};
enum { THREADS = sizeof libraries / sizeof libraries[0] };

static void *work(void *number)
{
    long found = 0, n = (long)number;
    for (int round = 0; round < ROUNDS; ++round) {
        void *library = dlopen(libraries[n].file, RTLD_NOW | RTLD_LOCAL);
        if (library == NULL)
            break;
        dlsym(library, libraries[n].function);
        found += dlclose(library) == 0;
    }
    return (void *)found;
}

int main(void)
{
    pthread_t threads[THREADS];
    unsigned (*get_error)(void);
    void *gl = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (gl == NULL)
        return 99;
    for (long i = 0; i < THREADS; ++i)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; ++i) {
        void *found;
        pthread_join(threads[i], &found);
        printf("library %d: %ld\n", i, (long)found);
    }
    *(void **)&get_error = dlsym(gl, "glGetError");
    return (int)get_error();
}
