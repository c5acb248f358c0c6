/* SPDX-License-Identifier: MIT */
#include "run/video_encoder.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts a program with one end of the pipe as its standard input or output. Signals that this program
 * ignores keep their default there. Returns an errno value. */
static int start(pid_t *out, const char *program, const char *const *words, int end, int descriptor)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, end, descriptor);
    int failed = posix_spawnp(out, program, &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

static int wait_for(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return status;
}

/* Most codecs need even sides, and most players colours with fewer samples than pixels; a GIF needs neither.
 */
static const char *filter_for(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ".gif") == 0 ? "null"
                                                       : "pad=ceil(iw/2)*2:ceil(ih/2)*2,format=yuv420p";
}

static int start_encoder(pid_t *out, const char *path, unsigned rate, int input)
{
    char rate_text[16], file[4096];
    snprintf(rate_text, sizeof rate_text, "%u", rate);
    /* A name with a colon or a dash would be taken for a protocol or an option. */
    int length = snprintf(file, sizeof file, "file:%s", path);
    if (length < 0 || (size_t)length >= sizeof file)
        return trace_error_set(TRACE_ERR_USAGE, "the name of the video is too long");
    const char *words[] = {"ffmpeg", "-loglevel", "error", "-y", "-f",  "image2pipe",     "-vcodec", "ppm",
                           "-r",     rate_text,   "-i",    "-",  "-vf", filter_for(path), file,      NULL};
    int failed = start(out, "ffmpeg", words, input, STDIN_FILENO);
    if (failed == ENOENT)
        return trace_error_set(TRACE_ERR_UNSUPPORTED,
                               "--video needs the program ffmpeg, which is not installed");
    return failed == 0 ? 0 : trace_error_set_errno(TRACE_ERR_IO, failed, "ffmpeg");
}

/* Both have ended. If ffmpeg fails, the other program fails, too, since nobody reads what it prints. */
static int judge(const char *path, int encoder_status, int program_status)
{
    if (encoder_status != 0)
        return trace_error_set(TRACE_ERR_IO, "%s: ffmpeg could not make the video", path);
    if (program_status != 0)
        return trace_error_set(TRACE_ERR_IO, "%s: the trace was not replayed without errors", path);
    return 0;
}

int video_encode(const char *path, unsigned rate, const char *program, const char *const *words)
{
    int ends[2];
    pid_t encoder, source;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "a pipe to ffmpeg");
    int rc = start_encoder(&encoder, path, rate, ends[0]);
    close(ends[0]);
    if (rc != 0) {
        close(ends[1]);
        return rc;
    }
    int failed = start(&source, program, words, ends[1], STDOUT_FILENO);
    close(ends[1]);
    if (failed != 0) {
        wait_for(encoder);
        return trace_error_set_errno(TRACE_ERR_IO, failed, "%s", program);
    }
    int source_status = wait_for(source), encoder_status = wait_for(encoder);
    return judge(path, encoder_status, source_status);
}
