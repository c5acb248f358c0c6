/* SPDX-License-Identifier: MIT
 * Calls every function of GL and GLX (or, with the argument `egl`, of GL and EGL) once, with the stub
 * libraries, to compare the traces of two tools. Each call is preceded by glClearStencil() with its number.
 * The arguments are those of tests/specs/lengths.txt, except that enums are from their groups, and images
 * have byte components.
 */
#include "length_cases.h"
#include "runtime/invoke.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void stub_gl_return(uint64_t value);
void stub_egl_return(uint64_t value);
void (*glXGetProcAddressARB(const char *name))(void);
void (*eglGetProcAddress(const char *name))(void);
int glXMakeCurrent(void *display, unsigned long drawable, void *context);
unsigned eglMakeCurrent(void *display, void *draw, void *read, void *context);

static bool use_egl;
static char objects[64];
static struct length_case call;

/* They change what is current, end the connection, or are called to count. The maps have no memory to show.
 */
static const char *const left_out[] = {
    "glClearStencil",
    "glGetError",
    "eglGetError",
    "glXGetProcAddress",
    "glXGetProcAddressARB",
    "eglGetProcAddress",
    "glXMakeCurrent",
    "glXMakeContextCurrent",
    "glXMakeCurrentReadSGI",
    "eglMakeCurrent",
    "eglReleaseThread",
    "eglTerminate",
    "eglSwapBuffers",
    "glXDestroyContext",
    "eglDestroyContext",
    "glXFreeContextEXT",
    "glXGetCurrentContext",
    "eglGetCurrentContext",
    "glXCreateContextWithConfigSGIX",
    "glXMakeAssociatedContextCurrentAMD",
    "glGetVertexAttribArrayObjectfvATI",
    "glGetVertexAttribArrayObjectivATI",
};

static const char *const hooks[] = {
    "",
#define WRAPPER_HOOK(name) #name,
#include "wrapper_hooks.inc"
#undef WRAPPER_HOOK
};

/* Most hooks depend on state that the stubs do not have. These add fake calls at most. */
static bool runs_with(unsigned hook)
{
    static const char *const possible[] = {"",
                                           "begin_frame",
                                           "bind_framebuffer",
                                           "blit_framebuffer",
                                           "delete_framebuffers",
                                           "get_attribute",
                                           "get_fixed_values",
                                           "get_indexed_values",
                                           "indexed_viewport",
                                           "indexed_viewport_v",
                                           "use_egl_config",
                                           "use_glx_config",
                                           "use_glx_visual",
                                           "viewport",
                                           "viewport_array"};
    for (size_t i = 0; i < sizeof possible / sizeof *possible; ++i)
        if (strcmp(hooks[hook], possible[i]) == 0)
            return true;
    return false;
}

static bool is_called(const struct spec_function *f)
{
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; ++i)
        if (strcmp(spec_string(f->name), left_out[i]) == 0)
            return false;
    return runs_with(f->before) && runs_with(f->after) &&
           (f->api == SPEC_API_GL || f->api == (use_egl ? SPEC_API_EGL : SPEC_API_GLX));
}

static void (*find(const char *name))(void)
{
    return use_egl ? eglGetProcAddress(name) : glXGetProcAddressARB(name);
}

/* Returns a value in the middle of the group, or the first two bits of a mask. */
static int64_t pick(const struct spec_group *group)
{
    int64_t bits = 0;
    unsigned found = 0;
    for (uint32_t i = 0; group->bitmask && i < group->count && found < 2; ++i)
        if (__builtin_popcountll((uint64_t)spec_group_name(group, i)->value) == 1) {
            bits |= spec_group_name(group, i)->value;
            found++;
        }
    return group->bitmask ? bits : spec_group_name(group, group->count / 2)->value;
}

static void set_argument(const struct spec_param *p, union spec_arg *arg)
{
    if (p->form == SPEC_FORM_OPAQUE)
        memset(arg->p, 0, CASE_MEMORY); /* apitrace prints a part of it */
    if (p->form == SPEC_FORM_STRING && (p->flags & SPEC_PARAM_OUT) != 0)
        memcpy(arg->p, "abc", 4); /* as long as the lengths of the case */
    bool has_names = (p->flags & (SPEC_PARAM_ENUM | SPEC_PARAM_BITMASK)) != 0;
    if (!has_names || (p->flags & SPEC_PARAM_ATTRIBS) != 0)
        return;
    int64_t value = pick(&spec_groups[p->group]);
    if (strcmp(spec_string(p->name), "format") == 0)
        value = 0x1908; /* GL_RGBA */
    else if (strcmp(spec_string(p->name), "type") == 0)
        value = 0x1401; /* GL_UNSIGNED_BYTE */
    if (p->form == SPEC_FORM_VALUE)
        arg->i = value;
    else if (p->form == SPEC_FORM_ARRAY)
        spec_store((enum spec_type)p->type, arg->p, 0, (union spec_arg){.i = value});
}

static void make_call(const struct spec_function *f)
{
    union spec_arg ret;
    length_case_init(&call, f);
    for (unsigned i = 0; i < f->param_count; ++i)
        set_argument(spec_param(f, i), &call.args[i]);
    set_argument(&f->ret, &call.args[f->param_count]);
    uint64_t value =
        f->ret.type == SPEC_VOID && f->ret.form == SPEC_FORM_VALUE ? 0 : call.args[f->param_count].u;
    void (*function)(void) = find(spec_string(f->name));
    stub_gl_return(value);
    stub_egl_return(value);
    spec_invoke(f, function, call.args, &ret);
    stub_gl_return(0);
    stub_egl_return(0);
}

static void count_call(int number)
{
    union spec_arg args[] = {{.i = number}}, ret;
    const struct spec_function *f = spec_find_function("glClearStencil");
    spec_invoke(f, find(spec_string(f->name)), args, &ret);
}

static void make_context_current(void)
{
    const struct spec_function *f = spec_find_function(use_egl ? "eglCreateContext" : "glXCreateContext");
    union spec_arg args[] = {{.p = objects}, {.p = NULL}, {.p = NULL}, {.p = NULL}}, ret;
    stub_gl_return((uintptr_t)objects);
    stub_egl_return((uintptr_t)objects);
    spec_invoke(f, find(spec_string(f->name)), args, &ret);
    stub_gl_return(0);
    stub_egl_return(0);
    if (use_egl)
        eglMakeCurrent(objects, objects, objects, objects);
    else
        glXMakeCurrent(objects, 7, objects);
}

int main(int argc, char **argv)
{
    use_egl = argc > 1 && strcmp(argv[1], "egl") == 0;
    make_context_current();
    for (unsigned i = 0; i < spec_function_count; ++i) {
        if (!is_called(&spec_functions[i]))
            continue;
        count_call((int)i);
        make_call(&spec_functions[i]);
    }
    puts("done");
    return 0;
}
