/* SPDX-License-Identifier: MIT
 * What the driver says, the markers and labels that it gets, and its extensions.
 */
#include "stub_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static GLDEBUGPROC receiver;
static const void *receiver_context;

void stub_messages_reset(void)
{
    receiver = NULL;
}

void stub_messages_say(const struct stub_message *m)
{
    if (receiver != NULL && stub_gl.integers[GL_DEBUG_OUTPUT] != 0)
        receiver(m->source, m->type, m->id, m->severity, m->length, m->text, receiver_context);
}

static void set_receiver(GLDEBUGPROC function, const void *context)
{
    stub_gl_log("glDebugMessageCallback");
    receiver = function;
    receiver_context = context;
}

static void set_receiver_khr(GLDEBUGPROC function, const void *context)
{
    set_receiver(function, context);
    stub_gl_log("by its KHR name");
}

static void insert(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length, const GLchar *text)
{
    assert_int_equal(strlen(text), length);
    stub_gl_log("marker 0x%x, 0x%x, %u, 0x%x: %s", source, type, id, severity, text);
}

static void insert_khr(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                       const GLchar *text)
{
    insert(source, type, id, severity, length, text);
    stub_gl_log("by its KHR name");
}

/* Drivers have entry points even of extensions that they do not support. */
static void string_marker(GLsizei length, const void *string)
{
    if (stub_gl.extensions == NULL || strstr(stub_gl.extensions, "GL_GREMEDY_string_marker") == NULL)
        stub_gl.error = GL_INVALID_OPERATION;
    else
        stub_gl_log("marker %.*s", length, (const char *)string);
}

static void label_object(GLenum identifier, GLuint name, GLsizei length, const GLchar *label)
{
    stub_gl_log("label of 0x%x, %u: %.*s", identifier, name, (int)length, label);
}

/* The label is the number of the object. */
static void get_label(GLenum identifier, GLuint name, GLsizei room, GLsizei *length, GLchar *label)
{
    (void)identifier;
    *length = snprintf(label, (size_t)room, "%u", name);
}

static GLenum purge_object(GLenum type, GLuint name, GLenum option)
{
    stub_gl_log("purged 0x%x, %u: 0x%x", type, name, option);
    return option;
}

/* Newer contexts have no single string of extensions. */
static const GLubyte *get_extension(GLenum name, GLuint index)
{
    static char word[80];
    const char *at = stub_gl.extensions;
    assert_int_equal(name, GL_EXTENSIONS);
    for (; at != NULL && index > 0; --index)
        at = strchr(at, ' ') != NULL ? strchr(at, ' ') + 1 : NULL;
    if (at == NULL) /* there are fewer than the driver said */
        return NULL;
    word[0] = '\0';
    strncat(word, at, strcspn(at, " "));
    return (const GLubyte *)word;
}

void *stub_messages_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glDebugMessageCallback", (void (*)(void))set_receiver},
        {"glDebugMessageCallbackKHR", (void (*)(void))set_receiver_khr},
        {"glDebugMessageInsert", (void (*)(void))insert},
        {"glDebugMessageInsertKHR", (void (*)(void))insert_khr},
        {"glGetObjectLabel", (void (*)(void))get_label},
        {"glGetObjectLabelEXT", (void (*)(void))get_label},
        {"glGetObjectLabelKHR", (void (*)(void))get_label},
        {"glGetStringi", (void (*)(void))get_extension},
        {"glObjectLabel", (void (*)(void))label_object},
        {"glObjectPurgeableAPPLE", (void (*)(void))purge_object},
        {"glStringMarkerGREMEDY", (void (*)(void))string_marker},
    };
    return STUB_FIND(functions, name);
}
