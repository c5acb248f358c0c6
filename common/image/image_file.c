/* SPDX-License-Identifier: MIT */
#include "image/image.h"

#include "base/error.h"

#include <errno.h>
#include <sys/stat.h>

int image_write_png_file(const struct image *im, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    struct stat status;
    bool regular = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode);
    int rc = image_write_png(im, file);
    if (rc != 0)
        trace_error_prefix(rc, "%s", path);
    if (fclose(file) != 0 && rc == 0)
        rc = trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    if (rc != 0 && regular) /* devices and pipes must not be removed */
        remove(path);
    return rc;
}

int image_read_file(struct image *out, const char *path)
{
    *out = (struct image){0};
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return trace_error_set_errno(TRACE_ERR_IO, errno, "%s", path);
    int first = fgetc(file);
    ungetc(first, file);
    int rc = first == 'P' ? image_read_pnm(out, file) : image_read_png(out, file);
    fclose(file);
    return rc != 0 ? trace_error_prefix(rc, "%s", path) : 0;
}
