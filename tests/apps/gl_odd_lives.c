/* SPDX-License-Identifier: MIT
 * Legal uses of OpenGL that are seldom seen: objects that are deleted while something uses them, contexts
 * that outlive those they share with, memory that stays mapped, calls that read the program's memory late or
 * not at all. Prints the pixels' checksum and the error after each.
 */
#define GL_GLEXT_PROTOTYPES
#include "app_glx.h"
#include "app_hash.h"

#include <GL/gl.h>
#include <GL/glext.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 64 };

static struct app_glx app;
static GLXContext second; /* shares with the first */

static const char flat_vertex[] =
    "#version 150 compatibility\nin vec2 at; out vec4 kept;\n"
    "void main() { kept = vec4(at, 0.25, 1.0); gl_Position = vec4(at, 0.0, 1.0); }\n";
static const char flat_fragment[] = "#version 150 compatibility\nuniform vec4 tint;\n"
                                    "void main() { gl_FragColor = tint; }\n";
static const GLfloat triangle[] = {-0.8f, -0.8f, 0.8f, -0.8f, 0.0f, 0.8f};
static const GLfloat square[] = {-0.5f, -0.5f, 0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f};

/* A context that shares with the first one, and has the window's visual. */
static GLXContext another_context(void)
{
    XWindowAttributes attributes;
    int count;
    XGetWindowAttributes(app.display, app.window, &attributes);
    XVisualInfo wanted = {.visualid = XVisualIDFromVisual(attributes.visual)};
    XVisualInfo *visual = XGetVisualInfo(app.display, VisualIDMask, &wanted, &count);
    GLXContext context = glXCreateContext(app.display, visual, app.context, True);
    XFree(visual);
    return context;
}

static void clear(void)
{
    glClearColor(0.1f, 0.2f, 0.3f, 1.0f);
    glClear(GL_COLOR_BUFFER_BIT);
}

static void show(const char *what)
{
    printf("%s: %016llx, error 0x%x\n", what, (unsigned long long)app_hash_pixels(SIDE, SIDE), glGetError());
}

static GLuint shader(GLenum type, const char *source)
{
    GLuint name = glCreateShader(type);
    glShaderSource(name, 1, &source, NULL);
    glCompileShader(name);
    return name;
}

/* The shaders are deleted while they are attached, the program while it is used. */
static GLuint flat_program(void)
{
    static const char *const varyings[] = {"kept"};
    GLuint program = glCreateProgram(), v = shader(GL_VERTEX_SHADER, flat_vertex),
           f = shader(GL_FRAGMENT_SHADER, flat_fragment);
    glAttachShader(program, v);
    glAttachShader(program, f);
    glDeleteShader(v);
    glDeleteShader(f);
    glBindAttribLocation(program, 0, "at");
    glTransformFeedbackVaryings(program, 1, varyings, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 1.0f, 0.5f, 0.0f, 1.0f);
    return program;
}

static void deleted_while_used(void)
{
    GLuint program = flat_program(), buffer, array, other, texture, framebuffer;
    clear();
    glGenVertexArrays(1, &array);
    glGenVertexArrays(1, &other);
    glGenBuffers(1, &buffer);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof triangle, triangle, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glDeleteProgram(program);
    glBindVertexArray(other);
    glDeleteBuffers(1, &buffer); /* the array object that is not bound keeps it */
    GLuint again;
    glGenBuffers(1, &again); /* and its name may come again */
    glBindBuffer(GL_ARRAY_BUFFER, again);
    glBufferData(GL_ARRAY_BUFFER, sizeof square, square, GL_STATIC_DRAW);
    glBindVertexArray(array);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    show("deleted buffer and program");
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteTextures(1, &texture); /* the framebuffer that is not bound keeps it */
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    clear();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    show("deleted texture in a framebuffer");
    glDeleteFramebuffers(1, &framebuffer);
    show("deleted framebuffer");
    glDeleteVertexArrays(1, &array);
    glDeleteVertexArrays(1, &other);
    glDeleteBuffers(1, &again);
    glUseProgram(0);
}

static void mapped_across_contexts(void)
{
    const GLbitfield bits = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, sizeof square, NULL, bits);
    void *mapped = glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof square, bits);
    memcpy(mapped, triangle, sizeof triangle);
    glXMakeCurrent(app.display, app.window, second);
    clear();
    glColor3f(1.0f, 0.0f, 1.0f);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    show("mapped in another context");
    memcpy(mapped, square, sizeof square);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    show("written since");
    glXMakeCurrent(app.display, app.window, app.context);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glBufferData(GL_ARRAY_BUFFER, 16, NULL, GL_STREAM_DRAW); /* GL_INVALID_OPERATION */
    show("immutable");
    glDeleteBuffers(1, &buffer);
}

static void orphaned_while_mapped(void)
{
    GLuint buffer;
    clear();
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof square, square, GL_STREAM_DRAW);
    memset(glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY), 0, sizeof square);
    glBufferData(GL_ARRAY_BUFFER, sizeof square, NULL, GL_STREAM_DRAW); /* unmaps it */
    memcpy(glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY), square, sizeof square);
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glColor3f(0.0f, 1.0f, 1.0f);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    show("orphaned while mapped");
    glMapBuffer(GL_ARRAY_BUFFER, GL_READ_WRITE);
    glDeleteBuffers(1, &buffer); /* unmaps it, too */
    show("deleted while mapped");
}

static void arrays_in_lists(void)
{
    GLfloat points[8];
    static const GLubyte indices[] = {0, 1, 2, 0xFF, 1, 3, 2};
    GLuint list = glGenLists(1);
    memcpy(points, square, sizeof points);
    clear();
    glVertexPointer(2, GL_FLOAT, 0, points);
    glEnableClientState(GL_VERTEX_ARRAY);
    glNewList(list, GL_COMPILE);
    glColor3f(1.0f, 1.0f, 0.0f);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBegin(GL_TRIANGLES);
    for (int i = 1; i < 4; ++i)
        glArrayElement(i);
    glEnd();
    glEndList();
    memset(points, 0, sizeof points); /* the list has its copy */
    glCallList(list);
    show("arrays in a list");
    memcpy(points, square, sizeof points);
    glEnable(GL_PRIMITIVE_RESTART);
    glPrimitiveRestartIndex(0xFF);
    glColor3f(0.0f, 0.0f, 1.0f);
    glDrawElements(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_BYTE, indices);
    glDisable(GL_PRIMITIVE_RESTART);
    show("restart in client memory");
    glNewList(list, GL_COMPILE_AND_EXECUTE);
    glDeleteLists(list, 1);
    glEndList();
    glCallList(list);
    show("a list that was deleted while compiled");
    glDisableClientState(GL_VERTEX_ARRAY);
}

static void feedback_and_conditions(void)
{
    GLuint program = flat_program(), feedback, buffers[2], query;
    GLfloat kept[32] = {0};
    clear();
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof square, square, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    glGenTransformFeedbacks(1, &feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, buffers[1]);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, sizeof kept, NULL, GL_STATIC_READ);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 1);
    glPauseTransformFeedback();
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    glResumeTransformFeedback();
    glDrawArrays(GL_POINTS, 2, 2);
    glEndTransformFeedback();
    glGetBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 48, kept);
    printf("feedback %g %g %g\n", (double)kept[0], (double)kept[4], (double)kept[9]);
    show("feedback");
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glGenQueries(1, &query);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, query);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    glClear(GL_COLOR_BUFFER_BIT);
    glEndConditionalRender();
    show("not cleared");
    glBeginConditionalRender(query, GL_QUERY_WAIT_INVERTED);
    glDrawTransformFeedback(GL_POINTS, feedback);
    glClear(GL_COLOR_BUFFER_BIT);
    glDeleteQueries(1, &query);
    glEndConditionalRender();
    show("cleared");
    glDeleteTransformFeedbacks(1, &feedback);
    glDeleteBuffers(2, buffers);
    glDisableVertexAttribArray(0);
    glUseProgram(0);
    glDeleteProgram(program);
}

static void indirect_client_memory(void)
{
    static const GLuint command[] = {4, 1, 0, 0}, elements[] = {3, 1, 0, 0, 0};
    static const GLushort indices[] = {0, 1, 2};
    GLuint buffers[2];
    clear();
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof square, square, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    glColor3f(0.5f, 0.5f, 0.0f);
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, command);
    show("indirect command in client memory");
    glColor3f(0.0f, 0.5f, 0.5f);
    glDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, elements);
    glMultiDrawArraysIndirect(GL_LINES, command, 1, 0);
    show("indirect elements");
    glDisableClientState(GL_VERTEX_ARRAY);
    glDeleteBuffers(2, buffers);
}

static GLuint framebuffer_with_texture(GLuint texture)
{
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return framebuffer;
}

static void draw_square(void)
{
    clear();
    glRectf(-0.5f, -0.5f, 0.5f, 0.5f);
}

/* What is bound stays so, though its name is gone: it cannot be bound again. */
static void deleted_by_another_context(void)
{
    static const GLubyte green[] = {0, 255, 0, 255};
    static GLubyte pixels[SIDE * SIDE * 4];
    GLuint textures[2], framebuffer, renderbuffers[2], pack;
    GLint width = 0, size = 0;
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIDE, SIDE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, green);
    framebuffer = framebuffer_with_texture(textures[0]);
    glGenRenderbuffers(2, renderbuffers);
    for (int i = 0; i < 2; ++i) {
        glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, SIDE - i, SIDE);
    }
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, renderbuffers[0]);
    glXMakeCurrent(app.display, app.window, second);
    glDeleteTextures(1, &textures[1]);
    glDeleteRenderbuffers(1, &renderbuffers[1]);
    glXMakeCurrent(app.display, app.window, app.context);
    glEnable(GL_TEXTURE_2D);
    glColor3f(1.0f, 1.0f, 1.0f);
    draw_square();
    show("a deleted texture is used");
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    draw_square();
    show("and in the window");
    glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH, &width);
    glGenBuffers(1, &pack);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, pack);
    glBufferData(GL_PIXEL_PACK_BUFFER, sizeof pixels, NULL, GL_STREAM_READ);
    glXMakeCurrent(app.display, app.window, second);
    glDeleteBuffers(1, &pack);
    glXMakeCurrent(app.display, app.window, app.context);
    draw_square();
    glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof pixels, pixels);
    glGetBufferParameteriv(GL_PIXEL_PACK_BUFFER, GL_BUFFER_SIZE, &size);
    printf("renderbuffer of width %d, buffer of %d bytes: %016llx\n", width, size,
           (unsigned long long)app_hash(pixels, sizeof pixels));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glDisable(GL_TEXTURE_2D);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &textures[0]);
    show("deleted by another context");
}

static GLsync fence;

/* Waits for the other thread's fence, deletes it, and leaves its context current. */
static void *in_thread(void *unused)
{
    glXMakeCurrent(app.display, app.window, second);
    printf("wait 0x%x\n", glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, UINT64_C(60000000000)));
    glDeleteSync(fence);
    clear();
    glRectf(-0.25f, -0.25f, 0.25f, 0.75f);
    show("in a thread");
    fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    return unused;
}

/* The objects of the first context live on in the second, which its thread never let go of. */
static void ends_of_contexts(void)
{
    pthread_t thread;
    GLuint texture;
    static const GLubyte red[] = {255, 0, 0, 255};
    fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glFlush();
    glXMakeCurrent(app.display, None, NULL);
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
    glXMakeCurrent(app.display, app.window, app.context);
    glWaitSync(fence, 0, GL_TIMEOUT_IGNORED);
    glDeleteSync(fence);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, red);
    GLXContext third = another_context();
    glXDestroyContext(app.display, app.context); /* while it is current */
    show("destroyed while current");
    glXMakeCurrent(app.display, app.window, third);
    clear();
    glEnable(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, texture);
    glColor3f(1.0f, 1.0f, 1.0f);
    glRectf(-0.5f, -0.5f, 0.5f, 0.5f);
    show("objects of a context that has gone");
    app.context = third;
}

/* A frame that begins with a part of the window looks as if the window had become smaller. */
static void parts_of_the_window(void)
{
    for (int frame = 0; frame < 3; ++frame) {
        glXSwapBuffers(app.display, app.window);
        glViewport(0, 0, frame == 0 ? SIDE : SIDE / 2, SIDE);
        clear();
        glRectf(-0.5f, -0.5f, 0.5f, 0.5f);
        glViewport(frame == 0 ? 0 : SIDE / 2, 0, frame == 0 ? SIDE : SIDE / 2, SIDE);
        glRectf(-0.7f, -0.2f, 0.7f, 0.2f);
        show("two parts of a window");
    }
    glViewport(0, 0, SIDE, SIDE);
}

int main(void)
{
    app_glx_open(&app, SIDE, SIDE);
    second = another_context();
    deleted_while_used();
    mapped_across_contexts();
    orphaned_while_mapped();
    arrays_in_lists();
    feedback_and_conditions();
    indirect_client_memory();
    deleted_by_another_context();
    ends_of_contexts();
    parts_of_the_window();
    glXSwapBuffers(app.display, app.window);
    app_glx_close(&app);
    return 0;
}
