/* SPDX-License-Identifier: MIT
 * Reads PNG by libpng, which reports errors by longjmp. So the functions below keep the state that must
 * survive one in `struct png_job`.
 */
#include "image/image.h"

#include <png.h>
#include <stdlib.h>

#include "base/error.h"

enum { SIGNATURE_BYTES = 8 };

struct png_job {
    png_structp png;
    png_infop info;
    char message[160];
};

static void on_error(png_structp png, png_const_charp message)
{
    struct png_job *job = png_get_error_ptr(png);
    snprintf(job->message, sizeof job->message, "%s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* Converts everything to 8 bits per channel, and palettes to RGB. Returns the number of channels. */
static uint32_t set_transforms(struct png_job *job)
{
    png_set_user_limits(job->png, IMAGE_MAX_SIDE, IMAGE_MAX_SIDE);
    png_read_info(job->png, job->info);
    png_set_expand(job->png);
    png_set_scale_16(job->png);
    png_set_packing(job->png);
    png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
    return png_get_channels(job->png, job->info);
}

/* An empty file is none, either. */
static bool has_signature(FILE *file)
{
    png_byte head[SIGNATURE_BYTES];
    return fread(head, 1, sizeof head, file) == sizeof head && png_sig_cmp(head, 0, sizeof head) == 0;
}

static int read_rows(struct png_job *job, struct image *out, png_bytep **rows, FILE *file)
{
    png_init_io(job->png, file);
    png_set_sig_bytes(job->png, SIGNATURE_BYTES);
    uint32_t channels = set_transforms(job);
    uint32_t height = png_get_image_height(job->png, job->info);
    int rc = image_init(out, png_get_image_width(job->png, job->info), height, channels);
    if (rc != 0)
        return rc;
    *rows = malloc(height * sizeof **rows);
    if (*rows == NULL)
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for a PNG picture");
    for (uint32_t y = 0; y < height; ++y)
        (*rows)[y] = out->pixels + (size_t)y * out->width * channels;
    png_read_image(job->png, *rows);
    png_read_end(job->png, NULL);
    return 0;
}

int image_read_png(struct image *out, FILE *file)
{
    struct png_job job = {0};
    *out = (struct image){0};
    if (!has_signature(file))
        return trace_error_set(TRACE_ERR_FORMAT, "it is no PNG picture");
    job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png != NULL ? png_create_info_struct(job.png) : NULL;
    if (job.info == NULL) {
        png_destroy_read_struct(&job.png, NULL, NULL);
        return trace_error_set(TRACE_ERR_MEMORY, "out of memory for PNG decompression");
    }
    png_bytep *rows = NULL;
    /* Accessed through a pointer, so that the longjmp cannot restore an old copy. */
    png_bytep **rows_out = &rows;
    volatile int rc = 0;
    if (setjmp(png_jmpbuf(job.png)) == 0)
        rc = read_rows(&job, out, rows_out, file);
    else
        rc = trace_error_set(TRACE_ERR_FORMAT, "reading PNG: %s", job.message);
    png_destroy_read_struct(&job.png, &job.info, NULL);
    free(*rows_out);
    if (rc != 0)
        image_fini(out);
    return rc;
}
