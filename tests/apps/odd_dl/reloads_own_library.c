/* SPDX-License-Identifier: MIT
 * Loads and unloads a library with its own GL functions many times, at different addresses, along with the
 * system's library.
 *
 * count: 10000 glIsTexture\(texture = 77\) = GL_TRUE
 * count: 1 glIsTexture\(texture = 77\) = GL_FALSE
 * apitrace: no (10000 calls without a context are no replay)
 */
#include <dlfcn.h>
#include <stdio.h>
#include <sys/mman.h>

int main(void)
{
    unsigned char (*is_texture)(unsigned texture);
    void *system = dlopen("libGL.so.1", RTLD_NOW | RTLD_LOCAL), *last = NULL;
    if (system == NULL)
        return 99;
    *(void **)&is_texture = dlsym(system, "glIsTexture");
    printf("system: %d\n", is_texture(77));
    int right = 0, places = 0;
    for (int i = 0; i < 10000; ++i) {
        void *own = dlopen("$ORIGIN/fake_gl.so", RTLD_NOW | RTLD_LOCAL);
        if (own == NULL)
            return 1;
        *(void **)&is_texture = dlsym(own, "glIsTexture");
        right += is_texture(77);
        dlclose(own);
        void *hole = mmap(NULL, (size_t)(i % 7 + 1) << 16, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        places += hole != last;
        last = hole;
    }
    printf("own: %d of 10000 right\n", right);
    return places > 0 ? 0 : 1;
}
