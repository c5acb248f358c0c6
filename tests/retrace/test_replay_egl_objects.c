/* SPDX-License-Identifier: MIT
 * Tests replays of EGL images and syncs: what they are made from, what refers to them, and when they end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "stub_gl.h"

/* 0x30b1 is EGL_GL_TEXTURE_2D. The texture 1 is 101 here. */
#define TEXTURE "glGenTextures n=1 textures=[1]\n"
#define IMAGE(target, object)                                                                                \
    "eglCreateImageKHR dpy=0x10 ctx=0x30 target=" target " buffer=" object " attrib_list=[12476,2,12344] = " \
    "0x900\n"
#define SHOW "glEGLImageTargetTexture2DOES target=3553 image=0x900\n"
#define TEXELS                                                                                               \
    "glTexImage2D target=3553 level=0 internalformat=6408 width=1 height=1 border=0 format=6408 type=5121 "  \
    "pixels=#abcd\n"

static void test_images(void **state)
{
    (void)state;
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL, TEXTURE IMAGE("12465", "0x1") SHOW "eglDestroyImageKHR dpy=0x10 image=0x900 = 1\n"
                                                            "eglDestroyImageKHR dpy=0x10 image=0x900 = 1\n");
    stub_gl_expect("eglCreateImageKHR(1, 0x30b1, 101, 0x30bc, 0x2)\n"
                   "glEGLImageTargetTexture2DOES(0xde1, 0xe001)\n"
                   "eglDestroyImageKHR(0xe001)\n");
    assert_int_equal(stub_gl.failures, 0);
}

/* A texture may get the storage of an image, too. */
static void test_storage_of_images(void **state)
{
    (void)state;
#define STORAGE "glEGLImageTargetTexStorageEXT target=3553 image=0x900 attrib_list=0x0\n"
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL, IMAGE("12465", "0x1") STORAGE "~" TEXELS);
    stub_gl_expect("eglCreateImageKHR(1, 0x30b1, 1, 0x30bc, 0x2)\n"
                   "glEGLImageTargetTexStorageEXT(0xde1, 0xe001)\n");
    stub_gl_reset("4.6");
    stub_gl.is_glx = true;
    stub_gl_replay(NULL, IMAGE("12465", "0x1") STORAGE "~" TEXELS);
    stub_gl_expect("glTexImage2D(1 x 1, 'abcd' of 4)\n");
#undef STORAGE
}

/* Images are made of faces of cube maps, and of renderbuffers, too. Other memory is not in the trace. */
static void test_sources_of_images(void **state)
{
    (void)state;
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL, "glGenTextures n=1 textures=[1]\n"
                         "glGenRenderbuffers n=1 renderbuffers=[1]\n" IMAGE("12472", "0x1")
                             IMAGE("12473", "0x1") IMAGE("12464", "0x1") IMAGE("12474", "0x1"));
    stub_gl_expect("eglCreateImageKHR(1, 0x30b8, 101, 0x30bc, 0x2)\n"
                   "eglCreateImageKHR(1, 0x30b9, 102, 0x30bc, 0x2)\n");
    stub_gl_expect_message("the memory of the image is not in the trace");
    assert_int_equal(stub_gl.failures, 2);
}

/* As many attributes as there is room for. An odd one is left out. */
static void test_attributes_of_images(void **state)
{
    (void)state;
#define CREATE "eglCreateImageKHR dpy=0x10 ctx=0x30 target=12465 buffer=0x1 attrib_list="
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL, CREATE "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,12344] = 0x900\n" CREATE
                                "0x0 = 0x901\n" CREATE "[5] = 0x902\n");
    stub_gl_expect(
        "eglCreateImageKHR(1, 0x30b1, 1, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xa, 0xb, 0xc, "
        "0xd, 0xe)\n"
        "eglCreateImageKHR(1, 0x30b1, 1)\n"
        "eglCreateImageKHR(1, 0x30b1, 1)\n");
#undef CREATE
}

/* What the program did not get is not made. What cannot be made is reported once, and what refers to it. */
static void test_images_that_are_not_there(void **state)
{
    (void)state;
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(
        NULL, "eglCreateImageKHR dpy=0x10 ctx=0x30 target=12465 buffer=0x1 attrib_list=0x0 = 0x0\n"
              "eglCreateImageKHR dpy=0x10 ctx=0x31 target=12465 buffer=0x1 attrib_list=0x0 = 0x900\n" SHOW
              "eglDestroyImageKHR dpy=0x10 image=0x900 = 1\n");
    stub_gl_expect("");
    stub_gl_expect_message("context 0x31 does not exist");
    assert_int_equal(stub_gl.failures, 2);
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.refuses_egl_objects = true;
    stub_gl_replay(NULL, IMAGE("12465", "0x1") SHOW);
    stub_gl_expect_message("the driver cannot make this image");
    assert_int_equal(stub_gl.failures, 2);
}

/* An image may belong to a context that is not current in the thread, and that has names of its own. */
static void test_images_of_other_contexts(void **state)
{
    (void)state;
#define OTHER    "eglCreateContext dpy=0x10 config=0x1 share_context=0x0 attrib_list=[12344] = 0x31\n"
#define OF_OTHER "eglCreateImageKHR dpy=0x10 ctx=0x31 target=12465 buffer=0x1 attrib_list=0x0 = 0x900\n"
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL,
                   TEXTURE OTHER "eglMakeCurrent dpy=0x10 draw=0x0 read=0x0 ctx=0x31 = 1\n" TEXTURE
                                 "eglMakeCurrent dpy=0x10 draw=0x20 read=0x20 ctx=0x30 = 1\n" OF_OTHER SHOW
                                 "eglMakeCurrent dpy=0x10 draw=0x0 read=0x0 ctx=0x0 = 1\n" OF_OTHER
                                 "eglMakeCurrent dpy=0x10 draw=0x20 read=0x20 ctx=0x30 = 1\n"
                                 "eglDestroyImageKHR dpy=0x10 image=0x900 = 1\n");
    stub_gl_expect("context 3: es 1.0, shares with 0\n"
                   "current: 3, 0, 0\n"
                   "drawable 4: of context 1, 32 x 32\n"
                   "current: 1, 4, 4\n"
                   "eglCreateImageKHR(3, 0x30b1, 102)\n"
                   "glEGLImageTargetTexture2DOES(0xde1, 0xe001)\n"
                   "current: 0, 0, 0\n"
                   "eglCreateImageKHR(3, 0x30b1, 102)\n"
                   "current: 1, 4, 4\n"
                   "eglDestroyImageKHR(0xe002)\n");
    assert_int_equal(stub_gl.failures, 0);
#undef OTHER
#undef OF_OTHER
}

/* Contexts of GLX have no images. The texels are in the trace. One warning says what is lost. */
static void test_images_without_egl(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.is_glx = true;
    stub_gl_replay(NULL, IMAGE("12465", "0x1") SHOW "~" TEXELS IMAGE("12465", "0x1") SHOW
                   "eglDestroyImageKHR dpy=0x10 image=0x900 = 1\n");
    stub_gl_expect("glTexImage2D(1 x 1, 'abcd' of 4)\n");
    stub_gl_expect_message("contexts of GLX have no EGL images");
    const char *first = strstr(stub_gl.messages, "no EGL images");
    assert_null(strstr(first + 1, "no EGL images"));
    assert_int_equal(stub_gl.failures, 0);
}

/* Without a context, an image ends with its display. */
static void test_destroyed_without_a_context(void **state)
{
    (void)state;
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL,
                   IMAGE("12465", "0x1") "eglCreateSyncKHR dpy=0x10 type=12537 attrib_list=0x0 = 0x800\n"
                                         "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                                         "eglDestroyImageKHR dpy=0x10 image=0x900 = 1\n"
                                         "eglDestroySyncKHR dpy=0x10 sync=0x800 = 1\n");
    stub_gl_expect("eglCreateImageKHR(1, 0x30b1, 1, 0x30bc, 0x2)\n"
                   "eglCreateSyncKHR(0x30f9)\n"
                   "current: 0, 0, 0\n");
    assert_int_equal(stub_gl.failures, 0);
}

/* The texels that the trace has after an image is shown are those of the image. Others are not. */
static void test_texels_of_images(void **state)
{
    (void)state;
#define UPLOAD "glTexImage2D(1 x 1, 'abcd' of 4)\n"
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL, IMAGE("12465", "0x1") SHOW "~" TEXELS "~" TEXELS SHOW TEXELS "~" TEXELS);
    stub_gl_expect("eglCreateImageKHR(1, 0x30b1, 1, 0x30bc, 0x2)\n"
                   "glEGLImageTargetTexture2DOES(0xde1, 0xe001)\n" UPLOAD
                   "glEGLImageTargetTexture2DOES(0xde1, 0xe001)\n" UPLOAD UPLOAD);
    /* the image is missing, so they are needed */
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL, SHOW "~" TEXELS);
    stub_gl_expect(UPLOAD);
#undef UPLOAD
}

/* --- syncs ---------------------------------------------------------------------------------------------- */

/* All kinds of syncs are fences here. */
static void test_syncs(void **state)
{
    (void)state;
    static const char *const names[][3] = {
        {"eglCreateSyncKHR dpy=0x10 type=12536 attrib_list=0x0",
         "eglClientWaitSyncKHR dpy=0x10 sync=0x900 flags=0 timeout=5",
         "eglDestroySyncKHR dpy=0x10 sync=0x900"},
        {"eglCreateSync dpy=0x10 type=12537 attrib_list=0x0",
         "eglClientWaitSync dpy=0x10 sync=0x900 flags=0 timeout=5", "eglDestroySync dpy=0x10 sync=0x900"},
        {"eglCreateFenceSyncNV dpy=0x10 condition=12537 attrib_list=0x0",
         "eglClientWaitSyncNV sync=0x900 flags=0 timeout=5", "eglDestroySyncNV sync=0x900"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char calls[600];
        snprintf(calls, sizeof calls,
                 "%s = 0x900\n"
                 "%s = 12534\n" /* satisfied */
                 "%s = 12533\n" /* timed out */
                 "%s = 1\n"
                 "%s = 1\n",
                 names[i][0], names[i][1], names[i][1], names[i][2], names[i][2]);
        stub_gl_reset("OpenGL ES 3.2");
        stub_gl_replay(NULL, calls);
        stub_gl_expect("eglCreateSyncKHR(0x30f9)\n"
                       "eglClientWaitSyncKHR(0xe001, 0x1, 10000000000)\n"
                       "eglDestroySyncKHR(0xe001)\n");
        assert_int_equal(stub_gl.failures, 0);
        assert_string_equal(stub_gl.messages, "");
    }
}

/* Contexts of GLX have no syncs, but can finish what a sync would be waited for. */
static void test_syncs_without_egl(void **state)
{
    (void)state;
    stub_gl_reset("4.6");
    stub_gl.is_glx = stub_gl.logs_finishes = true;
    stub_gl_replay(NULL, "glPixelStorei pname=3317 param=1\n"
                         "eglCreateSyncKHR dpy=0x10 type=12537 attrib_list=0x0 = 0x900\n"
                         "glPixelStorei pname=3317 param=2\n"
                         "eglClientWaitSyncKHR dpy=0x10 sync=0x900 flags=0 timeout=5 = 12534\n"
                         "eglDestroySyncKHR dpy=0x10 sync=0x900 = 1\n");
    stub_gl_expect("glPixelStorei(0xcf5, 1)\n"
                   "glFinish()\n"
                   "glPixelStorei(0xcf5, 2)\n"
                   "glFinish()\n"); /* the last is the replay's own */
    assert_int_equal(stub_gl.failures, 0);
    assert_string_equal(stub_gl.messages, "");
}

/* A thread without a context may make a sync, signal it, and wait for any. */
static void test_syncs_without_a_context(void **state)
{
    (void)state;
#define WAIT_FOR(sync) "eglClientWaitSyncKHR dpy=0x10 sync=" sync " flags=0 timeout=5 = 12534\n"
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL, "eglCreateSyncKHR dpy=0x10 type=12537 attrib_list=0x0 = 0x900\n"
                         "glXMakeCurrent dpy=0x10 drawable=0 ctx=0x0 = 1\n"
                         "eglCreateSyncKHR dpy=0x10 type=12538 attrib_list=0x0 = 0x901\n"
                         "eglSignalSyncKHR dpy=0x10 sync=0x901 mode=12530 = 1\n" WAIT_FOR("0x900") WAIT_FOR(
                             "0x901") "glXMakeCurrent dpy=0x10 drawable=77 ctx=0x30 = 1\n" WAIT_FOR("0x901")
                             WAIT_FOR("0x900") "eglDestroySyncKHR dpy=0x10 sync=0x901 = 1\n");
    stub_gl_expect("eglCreateSyncKHR(0x30f9)\n"
                   "current: 0, 0, 0\n"
                   "current: 1, 2, 2\n"
                   "eglClientWaitSyncKHR(0xe001, 0x1, 10000000000)\n");
    assert_int_equal(stub_gl.failures, 0);
    assert_string_equal(stub_gl.messages, "");
#undef WAIT_FOR
}

/* A driver may lack functions for images and syncs. Each call is a failure, but for those that free what
 * there is not. */
static void test_drivers_without_objects(void **state)
{
    (void)state;
    static const char *const lacks[] = {"eglCreateImageKHR", "eglDestroyImageKHR", "eglCreateSyncKHR",
                                        "eglDestroySyncKHR", "eglClientWaitSyncKHR"};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; ++i) {
        char message[200];
        stub_gl_reset("OpenGL ES 3.2");
        stub_gl.timers.lacks = lacks[i];
        stub_gl_replay(NULL,
                       IMAGE("12465", "0x1") "eglCreateSyncKHR dpy=0x10 type=12537 attrib_list=0x0 = 0x800\n"
                                             "eglDestroyImageKHR dpy=0x10 image=0x900 = 1\n"
                                             "eglDestroySyncKHR dpy=0x10 sync=0x800 = 1\n");
        stub_gl_expect("");
        snprintf(message, sizeof message, "eglCreateSyncKHR: the driver does not have %s", lacks[i]);
        stub_gl_expect_message(message);
        assert_int_equal(stub_gl.failures, 2);
    }
}

/* Between glBegin() and glEnd(), nothing can be finished. */
static void test_syncs_inside_begin(void **state)
{
    (void)state;
    stub_gl_reset("2.1");
    stub_gl.is_glx = stub_gl.logs_finishes = true;
    stub_gl_replay(NULL, "glBegin mode=4\n"
                         "eglCreateSyncKHR dpy=0x10 type=12537 attrib_list=0x0 = 0x900\n"
                         "glVertex2f x=1.5 y=2.0\nglEnd\n");
    stub_gl_expect_line("glVertex2f(1.5, 2)");
    assert_memory_equal(stub_gl.log, "glVertex2f", 10);
    assert_int_equal(stub_gl.failures, 0);
}

static void test_wrong_syncs(void **state)
{
    (void)state;
#define CREATE "eglCreateSyncKHR dpy=0x10 type=12537 attrib_list=0x0 = "
#define WAIT   "eglClientWaitSyncKHR dpy=0x10 sync=0x900 flags=0 timeout=5 = 12534\n"
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl_replay(NULL, CREATE "0x0\n" WAIT "eglDestroySyncKHR dpy=0x10 sync=0x900 = 1\n");
    stub_gl_expect("");
    stub_gl_expect_message("eglClientWaitSyncKHR: no such sync");
    assert_int_equal(stub_gl.failures, 1);
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.refuses_egl_objects = true;
    stub_gl_replay(NULL, CREATE "0x900\n");
    stub_gl_expect_message("the driver cannot make this sync");
    stub_gl_reset("OpenGL ES 3.2");
    stub_gl.wait_result = GL_TIMEOUT_EXPIRED;
    stub_gl_replay(NULL, CREATE "0x900\n" WAIT);
    stub_gl_expect_message("a sync that was signalled in the trace is not signalled after ten seconds");
#undef CREATE
#undef WAIT
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_storage_of_images),
        cmocka_unit_test(test_sources_of_images),
        cmocka_unit_test(test_attributes_of_images),
        cmocka_unit_test(test_images_that_are_not_there),
        cmocka_unit_test(test_destroyed_without_a_context),
        cmocka_unit_test(test_texels_of_images),
        cmocka_unit_test(test_images_of_other_contexts),
        cmocka_unit_test(test_images_without_egl),
        cmocka_unit_test(test_syncs),
        cmocka_unit_test(test_syncs_without_egl),
        cmocka_unit_test(test_syncs_without_a_context),
        cmocka_unit_test(test_wrong_syncs),
        cmocka_unit_test(test_drivers_without_objects),
        cmocka_unit_test(test_syncs_inside_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
