/* SPDX-License-Identifier: MIT
 * For test_lookup.c: libraries of one source. ANSWER: what its functions return, + 1 for the second, …
 *   IS_GL: it defines glGetError() and glIsTexture(), as GL does
 *   GETTER: the name of a function that finds more functions by name
 *   HAS: the name of one more function
 *   CALLS: it is linked to another one's glGetError() and glIsTexture(), and calls them
 *   VARIABLE: it has a variable called glGetError
 */
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Looks something up from here. */
EXPORT void *look_up(void *handle, const char *name);
EXPORT void *look_up_version(void *handle, const char *name, const char *version);

void *look_up(void *handle, const char *name)
{
    void *volatile found = dlsym(handle, name); /* no tail call: the caller's address is what counts */
    return found;
}

void *look_up_version(void *handle, const char *name, const char *version)
{
    void *volatile found = dlvsym(handle, name, version);
    return found;
}

#ifdef IS_GL
EXPORT unsigned glGetError(void);
EXPORT unsigned glIsTexture(void);
EXPORT unsigned ask_own(void);

unsigned glGetError(void)
{
    return ANSWER;
}

unsigned glIsTexture(void)
{
    return ANSWER + 1;
}

/* As any function calls another one of its library: by the way of the loader. */
unsigned ask_own(void)
{
    return glGetError();
}
#endif

#ifdef GETTER
EXPORT void *GETTER(const char *name);

static unsigned extension(void)
{
    return ANSWER + 2;
}

void *GETTER(const char *name)
{
    return strcmp(name, "glIsVertexArray") == 0 || strcmp(name, "glIsQuery") == 0 ? (void *)extension : NULL;
}
#endif

#ifdef HAS
EXPORT unsigned HAS(void);

unsigned HAS(void)
{
    return ANSWER + 3;
}
#endif

#ifdef CALLS
unsigned glGetError(void);
unsigned CALLS(void);
EXPORT unsigned call_error(void);
EXPORT unsigned call_other(void);
EXPORT unsigned call_by_pointer(void);

unsigned call_error(void)
{
    return glGetError();
}

unsigned call_other(void)
{
    return CALLS();
}

unsigned call_by_pointer(void)
{
    static unsigned (*volatile const pointer)(void) = glGetError;
    return pointer();
}
#endif

#ifdef VARIABLE
EXPORT extern unsigned (*VARIABLE)(void);
EXPORT void set_variable(unsigned (*value)(void));
EXPORT unsigned call_variable(void);

unsigned (*VARIABLE)(void);

void set_variable(unsigned (*value)(void))
{
    VARIABLE = value;
}

unsigned call_variable(void)
{
    return VARIABLE();
}
#endif

/* So that no library is without a function. */
EXPORT unsigned plain_function(void);

unsigned plain_function(void)
{
    return ANSWER + 9;
}
