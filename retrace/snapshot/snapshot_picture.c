/* SPDX-License-Identifier: MIT */
#include "snapshot/snapshot_picture.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

void snapshot_picture_fini(struct snapshot_picture *p)
{
    image_fini(&p->image);
}

void snapshot_picture_prepare(struct snapshot_picture *p)
{
    if (p->is_bottom_up)
        image_flip(&p->image);
    p->is_bottom_up = false;
    if (p->drop_alpha && !p->is_depth)
        image_drop_alpha(&p->image);
}

static int write_pnm(const struct snapshot_picture *p, const char *number, FILE *file)
{
    const struct image *im = &p->image;
    if (!p->is_depth)
        return image_write_pnm(im, number, file);
    fprintf(file, "Pf\n#%s\n%u %u\n1\n", number, im->width, im->height);
    fwrite(im->pixels, 1, image_size(im), file);
    return ferror(file) ? trace_error_set_errno(TRACE_ERR_IO, errno, "writing a PNM picture") : 0;
}

int snapshot_picture_write(const struct snapshot_picture *p, enum snapshot_format format, uint64_t number,
                           FILE *file)
{
    char text[32];
    char digest[IMAGE_MD5_SIZE];
    switch (format) {
    case SNAPSHOT_PNM:
        snprintf(text, sizeof text, "%llu", (unsigned long long)number);
        write_pnm(p, text, file);
        break;
    case SNAPSHOT_RGB:
        fwrite(p->image.pixels, 1, image_size(&p->image), file);
        break;
    case SNAPSHOT_MD5:
        image_md5(&p->image, digest);
        fprintf(file, "%s\n", digest);
        break;
    }
    return ferror(file) ? trace_error_set_errno(TRACE_ERR_IO, errno, "stdout") : 0;
}

/* 0 is black, 1 is white. */
static void depths_to_grey(struct image *im)
{
    size_t count = (size_t)im->width * im->height;
    for (size_t i = 0; i < count; ++i) {
        float depth;
        memcpy(&depth, im->pixels + i * sizeof depth, sizeof depth);
        im->pixels[i] = (uint8_t)((depth >= 1 ? 1 : depth > 0 ? depth : 0) * 255 + 0.5F);
    }
    im->channels = 1;
}

int snapshot_picture_write_png(struct snapshot_picture *p, struct png_encoder *e, FILE *file)
{
    if (p->is_depth)
        depths_to_grey(&p->image);
    p->is_depth = false;
    return png_encoder_write(e, &p->image, file);
}
