/* SPDX-License-Identifier: MIT */
#include "images/page_picture.h"

#include "base/base64.h"
#include "base/error.h"
#include "images/page_text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Reads the file if it is a PNG, which browsers can show. *data is NULL if it is not. */
static int read_png(const char *path, char **data, size_t *size)
{
    static const char signature[] = {(char)0x89, 'P', 'N', 'G'};
    char head[sizeof signature];
    FILE *in = fopen(path, "rb"), *copy = NULL;
    *data = NULL;
    if (in == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    if (fread(head, 1, sizeof head, in) == sizeof head && memcmp(head, signature, sizeof head) == 0 &&
        (copy = open_memstream(data, size)) != NULL) {
        char block[16384];
        fwrite(head, 1, sizeof head, copy);
        for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
            fwrite(block, 1, n, copy);
    }
    bool failed = ferror(in) || (copy != NULL && (ferror(copy) | fclose(copy)) != 0);
    fclose(in);
    return failed ? trace_error_set(TRACE_ERR_IO, "%s: cannot be read", path) : 0;
}

static int encode(const struct image *im, char **data, size_t *size)
{
    FILE *out = open_memstream(data, size);
    if (out == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a picture");
    int rc = image_write_png(im, out);
    if (fclose(out) != 0 && rc == 0)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory for a picture");
    return rc;
}

int page_picture_embed(FILE *file, const struct image *im, const char *path, uint64_t *bytes)
{
    char *data = NULL, *text = NULL;
    size_t size = 0;
    int rc = path != NULL ? read_png(path, &data, &size) : 0;
    if (rc == 0 && data == NULL)
        rc = encode(im, &data, &size);
    if (rc == 0 && (text = malloc(BASE64_SIZE(size))) == NULL)
        rc = trace_error_set(TRACE_ERR_MEMORY, "out of memory for a picture");
    if (rc == 0) {
        fputs("src=\"data:image/png;base64,", file);
        fwrite(text, 1, base64_encode(text, data, size), file);
        fputc('"', file);
        *bytes += BASE64_SIZE(size);
    }
    free(text);
    free(data);
    return rc;
}

void page_picture_link(FILE *file, const char *path)
{
    char absolute[PATH_MAX];
    if (realpath(path, absolute) == NULL)
        return; /* the small picture is there */
    fputs("data-full=\"file://", file);
    page_address(file, absolute);
    fputs("\" ", file);
}
