/* SPDX-License-Identifier: MIT */
#include "cmocka_all.h"
#include "sample_trace.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_BYTES 262144
#define NAME_BYTES 32
#define FOLDER     "a folder"
#define HEAD_BYTES (NAME_BYTES + sizeof(uint32_t)) /* before each file: its name and size */

const char *sample_trace_path(void)
{
    static char path[40];
    strcpy(path, "/tmp/test_every_format.XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    return path;
}

/* --- taking ---------------------------------------------------------------------------------------- */

static size_t take_file(const char *path, struct buf *out)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(buf_reserve(out, MOST_BYTES), 0);
    size_t count = fread(out->data + out->len, 1, MOST_BYTES, file);
    assert_true(count < MOST_BYTES);
    out->len += count;
    fclose(file);
    unlink(path);
    return count;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void take_folder(const char *folder, struct buf *out)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_visible, alphasort);
    assert_true(count > 0);
    assert_int_equal(buf_append(out, FOLDER, strlen(FOLDER)), 0);
    for (int i = 0; i < count; ++i) {
        char path[512], name[NAME_BYTES] = "";
        snprintf(name, sizeof name, "%.31s", entries[i]->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        size_t at = out->len;
        assert_int_equal(buf_append(out, name, NAME_BYTES), 0);
        assert_int_equal(buf_append(out, "\0\0\0", sizeof(uint32_t)), 0);
        uint32_t size = (uint32_t)take_file(path, out);
        memcpy(out->data + at + NAME_BYTES, &size, sizeof size);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(rmdir(folder), 0);
}

void sample_trace_take(const char *path, struct buf *out)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    if (S_ISDIR(st.st_mode))
        take_folder(path, out);
    else
        take_file(path, out);
}

/* --- making ---------------------------------------------------------------------------------------- */

static void put_file(const char *folder, const uint8_t *head, size_t size)
{
    char name[NAME_BYTES], path[512];
    memcpy(name, head, NAME_BYTES);
    name[NAME_BYTES - 1] = '\0';
    for (char *p = name; *p != '\0'; ++p)
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789_", *p) == NULL)
            *p = '_';
    snprintf(path, sizeof path, "%s/%s", folder, name[0] != '\0' ? name : "nameless");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(head + HEAD_BYTES, 1, size, file), size);
    fclose(file);
}

/* A folder's bytes may have been cut, and its files' names and sizes may be wrong. There are always metadata:
 * without, it is no trace. */
static void put_folder(const char *folder, const uint8_t *bytes, size_t count)
{
    static const uint8_t no_metadata[HEAD_BYTES] = "metadata";
    size_t at = strlen(FOLDER);
    put_file(folder, no_metadata, 0);
    while (at + HEAD_BYTES <= count) {
        uint32_t size;
        memcpy(&size, bytes + at + NAME_BYTES, sizeof size);
        size_t left = count - at - HEAD_BYTES;
        size = size < left ? size : (uint32_t)left;
        put_file(folder, bytes + at, size);
        at += HEAD_BYTES + size;
    }
}

void sample_trace_open(struct sample_trace *t, const uint8_t *bytes, size_t count)
{
    t->is_folder = count >= strlen(FOLDER) && memcmp(bytes, FOLDER, strlen(FOLDER)) == 0;
    if (t->is_folder) {
        strcpy(t->path, "/tmp/test_every_format.XXXXXX");
        assert_non_null(mkdtemp(t->path));
        put_folder(t->path, bytes, count);
        return;
    }
    sample_file_open(&t->file);
    sample_file_set(&t->file, bytes, count);
    snprintf(t->path, sizeof t->path, "%s", t->file.path);
}

void sample_trace_close(struct sample_trace *t)
{
    if (!t->is_folder) {
        sample_file_close(&t->file);
        return;
    }
    struct dirent **entries;
    int count = scandir(t->path, &entries, is_visible, alphasort);
    for (int i = 0; i < count; ++i) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", t->path, entries[i]->d_name);
        unlink(path);
        free(entries[i]);
    }
    free(entries);
    rmdir(t->path);
}
