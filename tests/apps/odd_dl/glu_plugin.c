/* SPDX-License-Identifier: MIT
 * libGLU calls GL on the program's behalf. It is loaded repeatedly, in each possible way.
 *
 * count: 12 glGetError\(\) = GL_NO_ERROR
 * count: 12 glOrtho\(left = 0, right = [0-9]+,
 */
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    static const int modes[] = {RTLD_NOW,
                                RTLD_LAZY,
                                RTLD_NOW | RTLD_DEEPBIND,
                                RTLD_LAZY | RTLD_DEEPBIND,
                                RTLD_NOW | RTLD_GLOBAL,
                                RTLD_LAZY | RTLD_GLOBAL | RTLD_DEEPBIND};
    for (unsigned i = 0; i < 2 * sizeof modes / sizeof modes[0]; ++i) {
        void *glu = dlopen("libGLU.so.1", modes[i / 2]);
        if (glu == NULL) {
            fprintf(stderr, "no libGLU.so.1\n");
            return 99;
        }
        const unsigned char *(*error_string)(unsigned error);
        void (*ortho)(double left, double right, double bottom, double top);
        unsigned (*get_error)(void);
        *(void **)&error_string = dlsym(glu, "gluErrorString");
        *(void **)&ortho = dlsym(glu, "gluOrtho2D");
        *(void **)&get_error = dlsym(glu, "glGetError"); /* found in its dependencies */
        ortho(0, i, 0, 1);
        printf("%s, error %u\n", error_string(0x0502), get_error());
        dlclose(glu);
    }
    return 0;
}
