/* SPDX-License-Identifier: MIT */
#include "call/driver_messages.h"

#include <stdio.h>
#include <string.h>

#include "objects/replay_state.h"

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at != NULL && (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* The current context. Core profiles have no single string. */
static bool has_extension(struct replayer *r, const char *name)
{
    if (r->current->version < 30 || r->gl.glGetStringi == NULL)
        return has_word((const char *)r->gl.glGetString(GL_EXTENSIONS), name);
    GLint count = replay_get_integer(r, GL_NUM_EXTENSIONS, 0);
    for (GLint i = 0; i < count; ++i) {
        const char *extension = (const char *)r->gl.glGetStringi(GL_EXTENSIONS, (GLuint)i);
        if (extension != NULL && strcmp(extension, name) == 0)
            return true;
    }
    return false;
}

/* How messages and markers are called in the current context. */
static enum driver_debugging examine(struct replayer *r)
{
    const struct replay_context *context = r->current;
    if (context->version >= (context->is_es ? 32 : 43))
        return DEBUGGING_CORE;
    if (has_extension(r, "GL_KHR_debug"))
        return context->is_es ? DEBUGGING_KHR : DEBUGGING_CORE;
    return has_extension(r, "GL_GREMEDY_string_marker") ? DEBUGGING_GREMEDY : DEBUGGING_NONE;
}

static enum driver_debugging debugging_of(struct replayer *r)
{
    if (r->current->debugging == DEBUGGING_UNKNOWN)
        r->current->debugging = examine(r);
    return r->current->debugging;
}

/* --- what the driver says --------------------------------------------------------------------------- */

static const char *severity_name(GLenum severity)
{
    switch (severity) {
    case GL_DEBUG_SEVERITY_HIGH:
        return "major";
    case GL_DEBUG_SEVERITY_MEDIUM:
        return "medium";
    case GL_DEBUG_SEVERITY_LOW:
        return "minor";
    default:
        return "note:";
    }
}

static const char *type_name(GLenum type)
{
    switch (type) {
    case GL_DEBUG_TYPE_ERROR:
        return "error";
    case GL_DEBUG_TYPE_DEPRECATED_BEHAVIOR:
        return "deprecated behaviour";
    case GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR:
        return "undefined behaviour";
    case GL_DEBUG_TYPE_PORTABILITY:
        return "portability";
    case GL_DEBUG_TYPE_PERFORMANCE:
        return "performance";
    default:
        return "other";
    }
}

/* Markers, also those of the program, are not the driver's. */
static void APIENTRY print_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                   const GLchar *text, const void *context)
{
    struct replayer *r = (struct replayer *)(uintptr_t)context;
    if (source == GL_DEBUG_SOURCE_APPLICATION || source == GL_DEBUG_SOURCE_THIRD_PARTY)
        return;
    int size = length >= 0 ? (int)length : (int)strlen(text);
    while (size > 0 && text[size - 1] == '\n')
        size--;
    replay_progress_clear(&r->progress);
    fprintf(stderr, "%llu: message: %s %s %u: %.*s\n", (unsigned long long)r->call_number,
            severity_name(severity), type_name(type), id, size, text);
}

void driver_messages_begin(struct replayer *r)
{
    enum driver_debugging debugging = debugging_of(r);
    if (debugging == DEBUGGING_CORE && r->gl.glDebugMessageCallback != NULL)
        r->gl.glDebugMessageCallback(print_message, r);
    else if (debugging == DEBUGGING_KHR && r->gl.glDebugMessageCallbackKHR != NULL)
        r->gl.glDebugMessageCallbackKHR(print_message, r);
    else
        return;
    r->gl.glEnable(GL_DEBUG_OUTPUT);
    r->gl.glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
}

/* --- markers ---------------------------------------------------------------------------------------- */

void driver_messages_mark(struct replayer *r, const struct trace_call *call)
{
    char text[128];
    if (r->current == NULL || r->current->inside_begin)
        return;
    int length = snprintf(text, sizeof text, "%llu %s", (unsigned long long)call->number, call->sig->name);
    if (length >= (int)sizeof text)
        length = (int)sizeof text - 1;
    enum driver_debugging debugging = debugging_of(r);
    if (debugging == DEBUGGING_CORE && r->gl.glDebugMessageInsert != NULL)
        r->gl.glDebugMessageInsert(GL_DEBUG_SOURCE_THIRD_PARTY, GL_DEBUG_TYPE_MARKER, (GLuint)call->number,
                                   GL_DEBUG_SEVERITY_NOTIFICATION, length, text);
    else if (debugging == DEBUGGING_KHR && r->gl.glDebugMessageInsertKHR != NULL)
        r->gl.glDebugMessageInsertKHR(GL_DEBUG_SOURCE_THIRD_PARTY, GL_DEBUG_TYPE_MARKER, (GLuint)call->number,
                                      GL_DEBUG_SEVERITY_NOTIFICATION, length, text);
    else if (debugging == DEBUGGING_GREMEDY && r->gl.glStringMarkerGREMEDY != NULL)
        r->gl.glStringMarkerGREMEDY(length, text);
}
