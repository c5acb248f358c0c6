/* SPDX-License-Identifier: MIT
 * Display lists, and what selection and feedback write to the program's memory.
 */
#include "stub_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static struct result_buffer {
    void *memory; /* NULL: none */
    size_t size;
} selection, feedback;

/* The programs that lists use; 0: none. */
enum { STUB_LISTS = 100 };
static GLuint programs[STUB_LISTS], open_list;
static GLenum open_mode;

void stub_lists_use(GLuint program)
{
    if (open_mode != 0 && open_list < STUB_LISTS)
        programs[open_list] = program;
    if (open_mode != GL_COMPILE)
        stub_programs_use(program);
}

/* Uses the program of a list. */
static void execute(GLuint list)
{
    if (list < STUB_LISTS && programs[list] != 0)
        stub_lists_use(programs[list]);
}

void stub_lists_reset(void)
{
    selection = feedback = (struct result_buffer){NULL, 0};
    memset(programs, 0, sizeof programs);
    open_mode = 0;
}

static GLuint make_lists(GLsizei count)
{
    GLuint first = stub_gl.last_name + 1;
    stub_gl.last_name += (GLuint)count;
    return count < 9999999 ? first : 0;
}

static void new_list(GLuint list, GLenum mode)
{
    open_list = list;
    open_mode = mode;
    stub_gl.integers[GL_LIST_INDEX] = (GLint)list;
    if (list < STUB_LISTS)
        programs[list] = 0;
}

static void end_list(void)
{
    open_mode = 0;
    stub_gl.integers[GL_LIST_INDEX] = 0;
}

static void delete_lists(GLuint first, GLsizei count)
{
    stub_gl_log("glDeleteLists(%u, %d)", first, count);
}

static void call_list(GLuint list)
{
    stub_gl_log("glCallList(%u)", list);
    execute(list);
}

STUB_LOGS_ONE_NAME(set_base, glListBase)

static void push_attributes(GLbitfield mask)
{
    stub_gl_log("glPushAttrib(0x%x)", mask);
}

static void pop_attributes(void)
{
    stub_gl_log("glPopAttrib()");
}

static void call_lists(GLsizei count, GLenum type, const void *names)
{
    if (type != GL_UNSIGNED_INT) {
        stub_gl_log("glCallLists(%d, 0x%x)", count, type);
        for (GLsizei i = 0; type == GL_UNSIGNED_BYTE && i < count; ++i)
            execute(((const GLubyte *)names)[i]);
        return;
    }
    for (GLsizei i = 0; i < count; ++i) {
        GLuint name;
        memcpy(&name, (const char *)names + (size_t)i * sizeof name, sizeof name);
        stub_gl_log("glCallLists: %u", name);
    }
}

static void set_feedback(GLsizei size, GLenum type, GLfloat *memory)
{
    stub_gl_log("glFeedbackBuffer(%d, 0x%x)", size, type);
    feedback = (struct result_buffer){memory, (size_t)size * sizeof *memory};
}

static void set_selection(GLsizei size, GLuint *memory)
{
    stub_gl_log("glSelectBuffer(%d)", size);
    selection = (struct result_buffer){memory, (size_t)size * sizeof *memory};
}

/* Fills both buffers. Neither changes the other. */
static GLint render_mode(GLenum mode)
{
    stub_gl_log("glRenderMode(0x%x)", mode);
    if (selection.memory != NULL)
        memset(selection.memory, 's', selection.size);
    if (feedback.memory != NULL)
        memset(feedback.memory, 'f', feedback.size);
    for (size_t i = 0; selection.memory != NULL && i < selection.size; ++i)
        assert_int_equal(((char *)selection.memory)[i], 's');
    return 0;
}

void *stub_lists_function(const char *name)
{
    static const struct stub_function functions[] = {
        {"glEndList", (void (*)(void))end_list},           {"glNewList", (void (*)(void))new_list},
        {"glCallList", (void (*)(void))call_list},         {"glCallLists", (void (*)(void))call_lists},
        {"glDeleteLists", (void (*)(void))delete_lists},   {"glFeedbackBuffer", (void (*)(void))set_feedback},
        {"glGenLists", (void (*)(void))make_lists},        {"glListBase", (void (*)(void))set_base},
        {"glPushAttrib", (void (*)(void))push_attributes}, {"glPopAttrib", (void (*)(void))pop_attributes},
        {"glRenderMode", (void (*)(void))render_mode},     {"glSelectBuffer", (void (*)(void))set_selection},
    };
    return STUB_FIND(functions, name);
}
