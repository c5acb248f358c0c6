/* SPDX-License-Identifier: MIT
 * Tests mappings in a program that locks its memory, and what is left of one that failed.
 */
#include "cmocka_all.h"
#include "memory/unlocked_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SIZE ((size_t)3 << 12)

/* Returns whether a file with this in its name is mapped. */
static bool is_mapped(const char *name)
{
    char line[512];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL)
        found |= strstr(line, name) != NULL;
    fclose(maps);
    return found;
}

static int make_file(const char *name)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, SIZE), 0);
    return fd;
}

static void expect_usable(int flags, int fd)
{
    char *p = map_unlocked(SIZE, flags, fd, 0);
    assert_non_null(p);
    p[0] = p[SIZE - 1] = 1;
    munmap(p, SIZE);
}

/* A read-only file cannot be mapped for writing, neither immediately nor when the mapping is made
 * accessible. */
static void expect_failure(const char *name)
{
    char path[64];
    int fd = make_file(name);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int readable = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(readable >= 0);
    errno = 0;
    assert_null(map_unlocked(SIZE, MAP_SHARED, readable, 0));
    assert_int_equal(errno, EACCES);
    assert_false(is_mapped(name));
    close(readable);
    close(fd);
}

static void test_mappings(void **state)
{
    (void)state;
    int fd = make_file("sound");
    for (int locked = 0; locked < 2; ++locked) {
        expect_usable(MAP_PRIVATE | MAP_ANONYMOUS, -1);
        expect_usable(MAP_SHARED, fd);
        expect_failure(locked ? "unwritable_locked" : "unwritable");
        expect_locked_mappings();
    }
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mappings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
