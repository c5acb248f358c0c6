/* SPDX-License-Identifier: MIT */
#include "runtime/length.h"

/* Sizes of images in client memory: OpenGL 4.6 core, section 8.4.4 "Transfer of Pixel Rectangles"
 * (tables 8.2, 8.3 and 8.8), and the formats that extensions and older versions add. */

enum {
    GL_BITMAP_TYPE = 0x1a00,
};

/* Returns the number of components of a pixel of this format, or 0 if the format is unknown. */
static unsigned format_components(uint32_t format)
{
    switch (format) {
    case 0x1900: /* GL_COLOR_INDEX */
    case 0x1901: /* GL_STENCIL_INDEX */
    case 0x1902: /* GL_DEPTH_COMPONENT */
    case 0x1903: /* GL_RED */
    case 0x1904: /* GL_GREEN */
    case 0x1905: /* GL_BLUE */
    case 0x1906: /* GL_ALPHA */
    case 0x1909: /* GL_LUMINANCE */
    case 0x8049: /* GL_INTENSITY */
    case 0x80e5: /* GL_COLOR_INDEX8_EXT */
    case 0x8d94: /* GL_RED_INTEGER */
    case 0x8d95: /* GL_GREEN_INTEGER */
    case 0x8d96: /* GL_BLUE_INTEGER */
    case 0x8d97: /* GL_ALPHA_INTEGER */
    case 0x8d9c: /* GL_LUMINANCE_INTEGER_EXT */
        return 1;
    case 0x190a: /* GL_LUMINANCE_ALPHA */
    case 0x8227: /* GL_RG */
    case 0x8228: /* GL_RG_INTEGER */
    case 0x84f9: /* GL_DEPTH_STENCIL */
    case 0x8d9d: /* GL_LUMINANCE_ALPHA_INTEGER_EXT */
    case 0x85b9: /* GL_YCBCR_422_APPLE: two components, packed types */
    case 0x8757: /* GL_YCBCR_MESA */
    case 0x8a1f: /* GL_RGB_422_APPLE */
    case 0x80cc: /* GL_422_EXT */
    case 0x80cd: /* GL_422_REV_EXT */
    case 0x80ce: /* GL_422_AVERAGE_EXT */
    case 0x80cf: /* GL_422_REV_AVERAGE_EXT */
    case 0x81bb: /* GL_YCRCB_422_SGIX */
    case 0x86f4: /* GL_HILO_NV */
    case 0x86f5: /* GL_DSDT_NV */
        return 2;
    case 0x1907: /* GL_RGB */
    case 0x80e0: /* GL_BGR */
    case 0x8d98: /* GL_RGB_INTEGER */
    case 0x8d9a: /* GL_BGR_INTEGER */
    case 0x81bc: /* GL_YCRCB_444_SGIX */
    case 0x86f6: /* GL_DSDT_MAG_NV */
        return 3;
    case 0x1908: /* GL_RGBA */
    case 0x80e1: /* GL_BGRA */
    case 0x8000: /* GL_ABGR_EXT */
    case 0x8d99: /* GL_RGBA_INTEGER */
    case 0x8d9b: /* GL_BGRA_INTEGER */
    case 0x800c: /* GL_CMYK_EXT */
    case 0x86f7: /* GL_DSDT_MAG_VIB_NV */
        return 4;
    case 0x800d: /* GL_CMYKA_EXT */
        return 5;
    default:
        return 0;
    }
}

/* Returns the size in bytes of a component, or of a whole pixel if *packed is set. Returns 0 if the type is
 * unknown. */
static unsigned type_bytes(uint32_t type, bool *packed)
{
    *packed = false;
    switch (type) {
    case 0x1400: /* GL_BYTE */
    case 0x1401: /* GL_UNSIGNED_BYTE */
        return 1;
    case 0x1402: /* GL_SHORT */
    case 0x1403: /* GL_UNSIGNED_SHORT */
    case 0x140b: /* GL_HALF_FLOAT */
    case 0x8d61: /* GL_HALF_FLOAT_OES */
        return 2;
    case 0x1404: /* GL_INT */
    case 0x1405: /* GL_UNSIGNED_INT */
    case 0x1406: /* GL_FLOAT */
    case 0x140c: /* GL_FIXED */
        return 4;
    case 0x140a: /* GL_DOUBLE */
        return 8;
    }
    *packed = true;
    switch (type) {
    case 0x8032: /* GL_UNSIGNED_BYTE_3_3_2 */
    case 0x8362: /* GL_UNSIGNED_BYTE_2_3_3_REV */
        return 1;
    case 0x8033: /* GL_UNSIGNED_SHORT_4_4_4_4 */
    case 0x8034: /* GL_UNSIGNED_SHORT_5_5_5_1 */
    case 0x8363: /* GL_UNSIGNED_SHORT_5_6_5 */
    case 0x8364: /* GL_UNSIGNED_SHORT_5_6_5_REV */
    case 0x8365: /* GL_UNSIGNED_SHORT_4_4_4_4_REV */
    case 0x8366: /* GL_UNSIGNED_SHORT_1_5_5_5_REV */
    case 0x85ba: /* GL_UNSIGNED_SHORT_8_8_APPLE */
    case 0x85bb: /* GL_UNSIGNED_SHORT_8_8_REV_APPLE */
        return 2;
    case 0x8035: /* GL_UNSIGNED_INT_8_8_8_8 */
    case 0x8036: /* GL_UNSIGNED_INT_10_10_10_2 */
    case 0x8367: /* GL_UNSIGNED_INT_8_8_8_8_REV */
    case 0x8368: /* GL_UNSIGNED_INT_2_10_10_10_REV */
    case 0x84fa: /* GL_UNSIGNED_INT_24_8 */
    case 0x8c3b: /* GL_UNSIGNED_INT_10F_11F_11F_REV */
    case 0x8c3e: /* GL_UNSIGNED_INT_5_9_9_9_REV */
    case 0x86da: /* GL_UNSIGNED_INT_S8_S8_8_8_NV */
    case 0x86db: /* GL_UNSIGNED_INT_8_8_S8_S8_REV_NV */
        return 4;
    case 0x8dad: /* GL_FLOAT_32_UNSIGNED_INT_24_8_REV */
        return 8;
    default:
        return 0;
    }
}

/* Returns the size of a pixel in bits, or 0 if format or type is unknown. */
static unsigned pixel_bits(uint32_t format, uint32_t type)
{
    bool packed;
    if (type == GL_BITMAP_TYPE)
        return 1;
    unsigned bytes = type_bytes(type, &packed);
    return 8 * (packed ? bytes : bytes * format_components(format));
}

int64_t spec_pixel_size(uint32_t format, uint32_t type)
{
    return (pixel_bits(format, type) + 7) / 8;
}

/* Returns a * b + c, or SPEC_LENGTH_UNKNOWN if an operand is that or the result does not fit. */
static int64_t multiply_add(int64_t a, int64_t b, int64_t c)
{
    int64_t product, sum;
    if (a < 0 || b < 0 || c < 0 || __builtin_mul_overflow(a, b, &product) ||
        __builtin_add_overflow(product, c, &sum))
        return SPEC_LENGTH_UNKNOWN;
    return sum;
}

int64_t spec_image_size(uint32_t format, uint32_t type, int64_t width, int64_t height, int64_t depth,
                        const struct spec_pixel_store *store)
{
    int64_t bits = pixel_bits(format, type);
    if (bits == 0 || width <= 0 || height <= 0 || depth <= 0)
        return 0; /* an error of the caller: GL reads nothing */
    int64_t alignment = store->alignment > 0 ? store->alignment : 4;
    int64_t row_pixels = store->row_length > 0 ? store->row_length : width;
    int64_t image_rows = store->image_height > 0 ? store->image_height : height;
    int64_t row_bits = multiply_add(row_pixels, bits, 7);
    if (row_bits < 0)
        return SPEC_LENGTH_UNKNOWN;
    int64_t row = (row_bits / 8 + alignment - 1) / alignment * alignment;
    /* The last row of the last image ends with its last pixel; its padding is not read. */
    int64_t last_row = multiply_add((int64_t)store->skip_pixels + width, bits, 7);
    int64_t rows = store->inverted ? height - 1 - store->skip_rows : height - 1 + store->skip_rows;
    int64_t images = depth > 1 || store->skip_images > 0 ? (int64_t)store->skip_images + depth - 1 : 0;
    if (store->inverted && rows < 0 && images == 0)
        return 0; /* all rows are below the address */
    int64_t whole_rows = multiply_add(images, image_rows, store->inverted && rows < 0 ? 0 : rows);
    return last_row < 0 ? SPEC_LENGTH_UNKNOWN : multiply_add(whole_rows, row, last_row / 8);
}

static int64_t blocks(int64_t pixels, int64_t block)
{
    return (pixels + block - 1) / block;
}

int64_t spec_compressed_size(int64_t image_size, const int64_t size[3], const struct spec_pixel_store *store,
                             const struct spec_block_store *block)
{
    if (block->size <= 0 || block->width <= 0 || size[0] <= 0)
        return image_size;
    bool has_rows = size[1] > 0 && block->height > 0,
         has_images = has_rows && size[2] > 0 && block->depth > 0;
    int64_t row = multiply_add(blocks(store->row_length > 0 ? store->row_length : size[0], block->width),
                               block->size, 0);
    int64_t rows = has_rows ? blocks(size[1], block->height) : 1;
    int64_t image_rows =
        has_rows ? blocks(store->image_height > 0 ? store->image_height : size[1], block->height) : 1;
    int64_t images = has_images ? store->skip_images / block->depth + blocks(size[2], block->depth) - 1 : 0;
    int64_t last_row =
        multiply_add(store->skip_pixels / block->width + blocks(size[0], block->width), block->size, 0);
    int64_t whole_rows =
        multiply_add(images, image_rows, rows - 1 + (has_rows ? store->skip_rows / block->height : 0));
    int64_t read = last_row < 0 ? SPEC_LENGTH_UNKNOWN : multiply_add(whole_rows, row, last_row);
    return read < 0 || read > image_size ? read : image_size;
}
