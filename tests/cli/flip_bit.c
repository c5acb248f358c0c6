/* SPDX-License-Identifier: MIT
 * For LD_PRELOAD: simulates a disk that flips one bit of each file, in byte FLIP_AT.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) ssize_t write(int fd, const void *bytes, size_t count)
{
    const char *at = getenv("FLIP_AT");
    off_t start = lseek(fd, 0, SEEK_CUR);
    off_t place = at != NULL ? atol(at) - start : -1;
    uint8_t *copy = malloc(count + 1);
    struct stat st;
    if (copy == NULL || fd <= STDERR_FILENO || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || place < 0 ||
        place >= (off_t)count) {
        free(copy);
        return syscall(SYS_write, fd, bytes, count);
    }
    memcpy(copy, bytes, count);
    copy[place] ^= 0x10;
    ssize_t n = syscall(SYS_write, fd, copy, count);
    free(copy);
    return n;
}
