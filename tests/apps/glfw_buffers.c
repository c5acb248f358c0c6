/* SPDX-License-Identifier: MIT */
/* OpenGL 3.3 core through GLFW: shaders, uniforms, a uniform block, a vertex array object, buffers that are
 * uploaded, updated and mapped, a texture uploaded with a row length, a framebuffer object, instancing,
 * primitive restart. Functions come from glfwGetProcAddress, as with every loader. */
#include "app_hash.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GL/glext.h>
#include <GLFW/glfw3.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 128, HEIGHT = 96, FRAMES = 3 };

#define FUNCTIONS(X)                                                                                         \
    X(PFNGLATTACHSHADERPROC, AttachShader)                                                                   \
    X(PFNGLBINDBUFFERBASEPROC, BindBufferBase)                                                               \
    X(PFNGLBINDBUFFERPROC, BindBuffer)                                                                       \
    X(PFNGLBINDFRAMEBUFFERPROC, BindFramebuffer)                                                             \
    X(PFNGLBINDVERTEXARRAYPROC, BindVertexArray)                                                             \
    X(PFNGLBLITFRAMEBUFFERPROC, BlitFramebuffer)                                                             \
    X(PFNGLBUFFERDATAPROC, BufferData)                                                                       \
    X(PFNGLBUFFERSUBDATAPROC, BufferSubData)                                                                 \
    X(PFNGLCOMPILESHADERPROC, CompileShader)                                                                 \
    X(PFNGLCREATEPROGRAMPROC, CreateProgram)                                                                 \
    X(PFNGLCREATESHADERPROC, CreateShader)                                                                   \
    X(PFNGLDELETEPROGRAMPROC, DeleteProgram)                                                                 \
    X(PFNGLDELETESHADERPROC, DeleteShader)                                                                   \
    X(PFNGLDRAWELEMENTSINSTANCEDPROC, DrawElementsInstanced)                                                 \
    X(PFNGLENABLEVERTEXATTRIBARRAYPROC, EnableVertexAttribArray)                                             \
    X(PFNGLFLUSHMAPPEDBUFFERRANGEPROC, FlushMappedBufferRange)                                               \
    X(PFNGLFRAMEBUFFERTEXTURE2DPROC, FramebufferTexture2D)                                                   \
    X(PFNGLGENBUFFERSPROC, GenBuffers)                                                                       \
    X(PFNGLGENFRAMEBUFFERSPROC, GenFramebuffers)                                                             \
    X(PFNGLGENVERTEXARRAYSPROC, GenVertexArrays)                                                             \
    X(PFNGLGETATTRIBLOCATIONPROC, GetAttribLocation)                                                         \
    X(PFNGLGETPROGRAMIVPROC, GetProgramiv)                                                                   \
    X(PFNGLGETUNIFORMBLOCKINDEXPROC, GetUniformBlockIndex)                                                   \
    X(PFNGLGETUNIFORMLOCATIONPROC, GetUniformLocation)                                                       \
    X(PFNGLLINKPROGRAMPROC, LinkProgram)                                                                     \
    X(PFNGLMAPBUFFERRANGEPROC, MapBufferRange)                                                               \
    X(PFNGLPRIMITIVERESTARTINDEXPROC, PrimitiveRestartIndex)                                                 \
    X(PFNGLSHADERSOURCEPROC, ShaderSource)                                                                   \
    X(PFNGLUNIFORM1IPROC, Uniform1i)                                                                         \
    X(PFNGLUNIFORM2FVPROC, Uniform2fv)                                                                       \
    X(PFNGLUNIFORMBLOCKBINDINGPROC, UniformBlockBinding)                                                     \
    X(PFNGLUNIFORMMATRIX4FVPROC, UniformMatrix4fv)                                                           \
    X(PFNGLUNMAPBUFFERPROC, UnmapBuffer)                                                                     \
    X(PFNGLUSEPROGRAMPROC, UseProgram)                                                                       \
    X(PFNGLVERTEXATTRIBPOINTERPROC, VertexAttribPointer)

static struct {
#define X(type, name) type name;
    FUNCTIONS(X)
#undef X
} gl;

static const char *const vertex_source[] = {
    "#version 330 core\n",
    "in vec2 position;\nuniform mat4 transform;\nuniform vec2 offsets[3];\nout vec2 coord;\n",
    ("void main()\n{\n    coord = position * 0.5 + 0.5;\n"
     "    gl_Position = transform * vec4(position * 0.4 + offsets[gl_InstanceID], 0.0, 1.0);\n}\n"),
};

static const char fragment_source[] = "#version 330 core\n"
                                      "uniform sampler2D image;\n"
                                      "layout(std140) uniform Tint { vec4 tint; };\n"
                                      "in vec2 coord;\nout vec4 color;\n"
                                      "void main() { color = texture(image, coord) * tint; }\n";

static void fail(const char *what)
{
    fprintf(stderr, "glfw_buffers: %s\n", what);
    exit(99);
}

static GLFWwindow *open_window(void)
{
    if (!glfwInit())
        fail("glfwInit failed");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    GLFWwindow *window = glfwCreateWindow(WIDTH, HEIGHT, "glfw_buffers", NULL, NULL);
    if (window == NULL)
        fail("no window with an OpenGL 3.3 core context");
    glfwMakeContextCurrent(window);
#define X(type, name)                                                                                        \
    gl.name = (type)glfwGetProcAddress("gl" #name);                                                          \
    if (gl.name == NULL)                                                                                     \
        fail("no gl" #name);
    FUNCTIONS(X)
#undef X
    return window;
}

static GLuint build_program(void)
{
    GLuint program = gl.CreateProgram();
    GLuint vertex = gl.CreateShader(GL_VERTEX_SHADER);
    gl.ShaderSource(vertex, 3, vertex_source, NULL);
    GLuint fragment = gl.CreateShader(GL_FRAGMENT_SHADER);
    const char *text = fragment_source;
    GLint length = (GLint)strlen(fragment_source);
    gl.ShaderSource(fragment, 1, &text, &length);
    gl.CompileShader(vertex);
    gl.CompileShader(fragment);
    gl.AttachShader(program, vertex);
    gl.AttachShader(program, fragment);
    gl.LinkProgram(program);
    gl.DeleteShader(vertex);
    gl.DeleteShader(fragment);
    GLint linked = 0;
    gl.GetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        fail("the program does not link");
    return program;
}

/* Uploads a checkerboard of 4x4 texels from a larger image: row length and skipped pixels matter. */
static void create_texture(void)
{
    uint8_t image[6][8][3];
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 8; x++)
            memset(image[y][x], (x + y) % 2 ? 255 : 64 + 8 * x, 3);
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 8);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 2);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 4, 4, 0, GL_RGB, GL_UNSIGNED_BYTE, image);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static GLuint create_framebuffer(void)
{
    GLuint texture, framebuffer;
    glGenTextures(1, &texture);
    GLint bound;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.GenFramebuffers(1, &framebuffer);
    gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glBindTexture(GL_TEXTURE_2D, (GLuint)bound);
    return framebuffer;
}

struct buffers {
    GLuint vertices, indices, tint;
};

static void create_geometry(struct buffers *b, GLuint program)
{
    static const GLfloat corners[] = {-1, -1, 1, -1, 1, 1, -1, 1};
    static const GLushort indices[] = {0, 1, 2, 0xffff, 0, 2, 3};
    GLuint array, names[3];
    gl.GenVertexArrays(1, &array);
    gl.BindVertexArray(array);
    gl.GenBuffers(3, names);
    *b = (struct buffers){names[0], names[1], names[2]};
    gl.BindBuffer(GL_ARRAY_BUFFER, b->vertices);
    gl.BufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_DYNAMIC_DRAW);
    gl.BindBuffer(GL_ELEMENT_ARRAY_BUFFER, b->indices);
    gl.BufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, NULL, GL_STATIC_DRAW);
    gl.BufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, sizeof indices, indices);
    gl.BindBuffer(GL_UNIFORM_BUFFER, b->tint);
    gl.BufferData(GL_UNIFORM_BUFFER, 4 * sizeof(GLfloat), NULL, GL_DYNAMIC_DRAW);
    gl.BindBufferBase(GL_UNIFORM_BUFFER, 1, b->tint);
    gl.UniformBlockBinding(program, gl.GetUniformBlockIndex(program, "Tint"), 1);
    GLuint location = (GLuint)gl.GetAttribLocation(program, "position");
    gl.EnableVertexAttribArray(location);
    gl.VertexAttribPointer(location, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnable(GL_PRIMITIVE_RESTART);
    gl.PrimitiveRestartIndex(0xffff);
}

/* Updates one frame's data: the tint by a mapping, one corner by a mapping that is flushed explicitly. */
static void update_buffers(const struct buffers *b, int frame)
{
    gl.BindBuffer(GL_UNIFORM_BUFFER, b->tint);
    GLfloat *tint = gl.MapBufferRange(GL_UNIFORM_BUFFER, 0, 4 * sizeof(GLfloat),
                                      GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
    tint[0] = 1.0f;
    tint[1] = 0.25f * (float)(frame + 1);
    tint[2] = 0.5f;
    tint[3] = 1.0f;
    gl.UnmapBuffer(GL_UNIFORM_BUFFER);

    gl.BindBuffer(GL_ARRAY_BUFFER, b->vertices);
    GLfloat *corner = gl.MapBufferRange(GL_ARRAY_BUFFER, 4 * sizeof(GLfloat), 2 * sizeof(GLfloat),
                                        GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
    corner[0] = 1.0f - 0.3f * (float)frame;
    corner[1] = 1.0f;
    gl.FlushMappedBufferRange(GL_ARRAY_BUFFER, 0, 2 * sizeof(GLfloat));
    gl.UnmapBuffer(GL_ARRAY_BUFFER);
}

static void set_uniforms(GLuint program)
{
    static const GLfloat identity[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1};
    static const GLfloat offsets[6] = {-0.5f, -0.5f, 0.5f, -0.5f, 0.0f, 0.5f};
    gl.UseProgram(program);
    gl.Uniform1i(gl.GetUniformLocation(program, "image"), 0);
    gl.UniformMatrix4fv(gl.GetUniformLocation(program, "transform"), 1, GL_FALSE, identity);
    gl.Uniform2fv(gl.GetUniformLocation(program, "offsets"), 3, offsets);
}

static void print_frame(int frame)
{
    static uint8_t pixels[WIDTH * HEIGHT * 4];
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    printf("glfw_buffers %d: %016" PRIx64 " error 0x%x\n", frame, app_hash(pixels, sizeof pixels),
           glGetError());
}

int main(void)
{
    GLFWwindow *window = open_window();
    GLuint program = build_program();
    set_uniforms(program);
    struct buffers buffers;
    create_geometry(&buffers, program);
    create_texture();
    GLuint framebuffer = create_framebuffer();
    glViewport(0, 0, WIDTH, HEIGHT);
    for (int frame = 0; frame < FRAMES; frame++) {
        update_buffers(&buffers, frame);
        gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glClearColor(0.0f, 0.1f * (float)frame, 0.2f, 1.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        gl.DrawElementsInstanced(GL_TRIANGLE_STRIP, 7, GL_UNSIGNED_SHORT, NULL, 3);
        gl.BindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
        gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
        gl.BlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        print_frame(frame);
        glfwSwapBuffers(window);
        glfwPollEvents();
    }
    gl.DeleteProgram(program);
    glfwTerminate();
    return 0;
}
