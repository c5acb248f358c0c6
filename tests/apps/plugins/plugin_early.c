/* SPDX-License-Identifier: MIT
 * A plugin whose constructor and destructor call GL.
 */
#include <GL/gl.h>
#include <dlfcn.h>
#include <stdio.h>

__attribute__((constructor)) static void begin(void)
{
    unsigned (*get_error)(void);
    *(void **)&get_error = dlsym(RTLD_DEFAULT, "glGetError");
    printf("constructor: %d %d\n", (int)glGetError(), get_error != NULL);
}

__attribute__((destructor)) static void end(void)
{
    printf("destructor: %d\n", (int)glGetError());
}

__attribute__((visibility("default"))) int plugin_number = 7;
