/* SPDX-License-Identifier: MIT
 * EGL images and syncs. Handles are 0xe001, 0xe002, …, in the order of creation.
 */
#include "stub_parts.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

static uintptr_t last_handle;

void stub_egl_reset(void)
{
    last_handle = 0xe000;
}

static unsigned long long number(const void *handle)
{
    return (uintptr_t)handle;
}

static void *new_handle(void)
{
    return stub_gl.refuses_egl_objects ? NULL : (void *)++last_handle;
}

static EGLImageKHR create_image(EGLDisplay display, EGLContext context, EGLenum target,
                                EGLClientBuffer buffer, const EGLint *attribs)
{
    char text[200] = "";
    for (int n = 0; *attribs != EGL_NONE; ++attribs)
        n += snprintf(text + n, sizeof text - (size_t)n, ", 0x%x", (unsigned)*attribs);
    assert_int_equal(display, STUB_EGL_DISPLAY);
    stub_gl_log("eglCreateImageKHR(%llu, 0x%x, %llu%s)", number(context), target, number(buffer), text);
    return new_handle();
}

static EGLBoolean destroy_image(EGLDisplay display, EGLImageKHR image)
{
    assert_int_equal(display, STUB_EGL_DISPLAY);
    stub_gl_log("eglDestroyImageKHR(0x%llx)", number(image));
    return EGL_TRUE;
}

static EGLSyncKHR create_sync(EGLDisplay display, EGLenum type, const EGLint *attribs)
{
    assert_int_equal(display, STUB_EGL_DISPLAY);
    assert_null(attribs);
    stub_gl_log("eglCreateSyncKHR(0x%x)", type);
    return new_handle();
}

static EGLBoolean destroy_sync(EGLDisplay display, EGLSyncKHR sync)
{
    assert_int_equal(display, STUB_EGL_DISPLAY);
    stub_gl_log("eglDestroySyncKHR(0x%llx)", number(sync));
    return EGL_TRUE;
}

static EGLint wait_for_sync(EGLDisplay display, EGLSyncKHR sync, EGLint flags, EGLTimeKHR nanoseconds)
{
    assert_int_equal(display, STUB_EGL_DISPLAY);
    stub_gl_log("eglClientWaitSyncKHR(0x%llx, 0x%x, %llu)", number(sync), flags,
                (unsigned long long)nanoseconds);
    return stub_gl.wait_result == GL_TIMEOUT_EXPIRED ? EGL_TIMEOUT_EXPIRED_KHR : EGL_CONDITION_SATISFIED_KHR;
}

static void show_image(GLenum target, void *image)
{
    stub_gl_log("glEGLImageTargetTexture2DOES(0x%x, 0x%llx)", target, number(image));
}

static void show_storage(GLenum target, GLeglImageOES image, const GLint *attribs)
{
    (void)attribs;
    stub_gl_log("glEGLImageTargetTexStorageEXT(0x%x, 0x%llx)", target, number(image));
}

void *stub_egl_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"eglClientWaitSyncKHR", (void (*)(void))wait_for_sync},
        {"eglCreateImageKHR", (void (*)(void))create_image},
        {"eglCreateSyncKHR", (void (*)(void))create_sync},
        {"eglDestroyImageKHR", (void (*)(void))destroy_image},
        {"eglDestroySyncKHR", (void (*)(void))destroy_sync},
        {"glEGLImageTargetTexStorageEXT", (void (*)(void))show_storage},
        {"glEGLImageTargetTexture2DOES", (void (*)(void))show_image},
    };
    return STUB_FIND(functions, name);
}
