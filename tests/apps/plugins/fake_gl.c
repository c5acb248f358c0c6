/* SPDX-License-Identifier: MIT
 * A program's own library with GL functions. Its answers are unlike those of any driver.
 */
#define EXPORT __attribute__((visibility("default")))

EXPORT unsigned glGetError(void);
EXPORT unsigned char glIsTexture(unsigned texture);
EXPORT void *eglGetProcAddress(const char *name);
EXPORT const unsigned char *glGetString(unsigned name);

unsigned glGetError(void)
{
    return 0x1234;
}

unsigned char glIsTexture(unsigned texture)
{
    return texture == 77;
}

const unsigned char *glGetString(unsigned name)
{
    (void)name;
    return (const unsigned char *)"fake";
}

void *eglGetProcAddress(const char *name)
{
    static const struct {
        const char *name;
        void *function;
    } functions[] = {{"glGetError", (void *)glGetError}, {"glIsTexture", (void *)glIsTexture}};
    for (unsigned i = 0; i < 2; ++i)
        for (unsigned k = 0; functions[i].name[k] == name[k]; ++k)
            if (name[k] == '\0')
                return functions[i].function;
    return 0;
}
