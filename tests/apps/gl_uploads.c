/* SPDX-License-Identifier: MIT
 * Uploads much data in few calls: gl_uploads MEGABYTES THREADS [TRACE]. There is no context, so GL ignores
 * the calls, and the memory costs nothing because it is never written. Prints how much memory its parent has
 * needed so far. If the name of its trace is given, it is killed as soon as that file contains some data.
 */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t size;
static uint8_t *memory;

static void *upload(void *argument)
{
    const char *text = (const char *)argument;
    const GLint length = (GLint)(size / 64);
    /* A blob, strings, an array of numbers. */
    glBufferSubData(GL_ARRAY_BUFFER, 7, (GLsizeiptr)size, memory);
    glClearStencil(1);
    glShaderSource(1, 2, (const GLchar *const[]){text, (const char *)memory}, (const GLint[]){5, length});
    glClearStencil(2);
    glDeleteBuffers((GLsizei)(size / 256), (const GLuint *)(const void *)memory);
    glClearStencil(3);
    return NULL;
}

static void *kill_us(void *argument)
{
    struct stat st = {.st_size = 0};
    while (stat(argument, &st) != 0 || st.st_size < 1 << 16)
        usleep(100);
    raise(SIGKILL);
    return NULL;
}

static void print_parent(void)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/status", (int)getppid());
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, "VmHWM:", 6) == 0)
            fputs(line, stdout);
    if (f != NULL)
        fclose(f);
}

int main(int argc, char **argv)
{
    pthread_t threads[64], killer;
    unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) % 64 : 1;
    size = (size_t)(argc > 1 ? atoi(argv[1]) : 1) << 20;
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    for (size_t i = 0; i < size; i += (size_t)1 << 24)
        memcpy(memory + i, &i, sizeof i);
    if (argc > 3)
        pthread_create(&killer, NULL, kill_us, argv[3]);
    for (unsigned i = 0; i < count; ++i)
        pthread_create(&threads[i], NULL, upload, (void *)"hello");
    for (unsigned i = 0; i < count; ++i)
        pthread_join(threads[i], NULL);
    print_parent();
    return 0;
}
