/* SPDX-License-Identifier: MIT */
/* Runs a command with its standard output in the file OUT, and prints "SECONDS PEAK_KIB CPU_SECONDS": wall
 * time, the largest resident set of any of its processes, and processor time. Passes on the command's exit
 * status. usage: measure OUT COMMAND [ARGS…] */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    int out = argc < 3 ? -1 : open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (out < 0) {
        fprintf(stderr, "usage: measure OUT COMMAND [ARGS...]\n");
        return 2;
    }
    double start = now();
    pid_t pid = fork();
    if (pid == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(out, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || getrusage(RUSAGE_CHILDREN, &usage) != 0) {
        perror("measure");
        return 1;
    }
    printf("%.4f %ld %.4f\n", now() - start, usage.ru_maxrss,
           seconds(usage.ru_utime) + seconds(usage.ru_stime));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
