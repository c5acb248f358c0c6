/* SPDX-License-Identifier: MIT */
#include "state_driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "image/image.h"

static char pictures[1 << 14];

const char *state_picture_png(uint32_t width, uint32_t height, uint32_t channels, const void *pixels)
{
    static struct buf texts[4];
    static unsigned next;
    struct buf *text = &texts[next++ % 4];
    struct state_writer w;
    struct image image;
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    assert_int_equal(image_init(&image, width, height, channels), 0);
    memcpy(image.pixels, pixels, image_size(&image));
    assert_int_equal(image_write_png(&image, file), 0);
    fclose(file);
    image_fini(&image);
    buf_clear(text);
    state_writer_init(&w, text, false);
    state_bytes(&w, bytes, size);
    text->data[text->len - 1] = '\0'; /* without the quotation marks */
    free(bytes);
    return (const char *)text->data + 1;
}

void state_picture_add(const char *member, int width, int height, int depth, const char *format,
                       const char *label, const char *data)
{
    size_t n = strlen(pictures);
    snprintf(pictures + n, sizeof pictures - n,
             "%s\"%s\":{\"__class__\":\"image\",\"__width__\":%d,\"__height__\":%d,\"__depth__\":%d,"
             "\"__format__\":\"%s\",%s%s%s\"__data__\":\"%s\"}",
             n > 0 ? "," : "", member, width, height, depth, format, label != NULL ? "\"__label__\":\"" : "",
             label != NULL ? label : "", label != NULL ? "\"," : "", data);
}

void state_picture_expect(void (*part)(struct state_dump *d), const char *member, const char *log)
{
    char json[sizeof pictures + 100];
    snprintf(json, sizeof json, "{\"%s\":{%s}}", member, pictures);
    pictures[0] = '\0';
    state_driver_expect(part, json, log);
}
