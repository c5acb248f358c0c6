/* SPDX-License-Identifier: MIT
 * A program with two libraries that have the same functions: the system's and its own. Each call must go to
 * the library in which the function was looked up, even after one of them was unloaded and loaded again.
 *
 * arguments: system
 * arguments: own
 * count: 11 glGetError\(
 * count: 4 glIsTexture\(
 * count: 2 eglGetProcAddress\(
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

struct functions {
    void *library;
    unsigned (*get_error)(void);
    unsigned char (*is_texture)(unsigned texture);
};

static int load(struct functions *f, const char *name)
{
    f->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (f->library == NULL)
        return 0;
    *(void **)&f->get_error = dlsym(f->library, "glGetError");
    *(void **)&f->is_texture = dlsym(f->library, "glIsTexture");
    return 1;
}

static void ask(const char *who, const struct functions *f)
{
    printf("%s: %u %u\n", who, f->get_error(), f->get_error());
}

int main(int argc, char **argv)
{
    static const char own_name[] = "$ORIGIN/fake_gl.so", system_name[] = "libGL.so.1";
    struct functions system = {.get_error = NULL}, own = {.get_error = NULL};
    int own_first = argc > 1 && strcmp(argv[1], "own") == 0;
    if (!load(own_first ? &own : &system, own_first ? own_name : system_name) ||
        !load(own_first ? &system : &own, own_first ? system_name : own_name)) {
        fprintf(stderr, "%s\n", dlerror());
        return 99;
    }
    ask("system", &system);
    ask("own", &own);
    printf("own: %d %d, system %d\n", own.is_texture(77), own.is_texture(78), system.is_texture(77));
    void *(*get)(const char *name);
    *(void **)&get = dlsym(own.library, "eglGetProcAddress");
    unsigned (*get_error)(void);
    *(void **)&get_error = get("glGetError");
    printf("own by address: %u, and nothing %d\n", get_error(), get("glNoSuchFunction") == NULL);
    dlclose(own.library);
    ask("system", &system);
    if (!load(&own, own_name))
        return 99;
    ask("own", &own);
    printf("own: %d\n", own.is_texture(77));
    dlclose(own_first ? system.library : own.library);
    ask(own_first ? "own" : "system", own_first ? &own : &system);
    return 0;
}
