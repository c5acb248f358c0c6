/* SPDX-License-Identifier: MIT */
#include "image/image.h"

#include <md5.h>

void image_md5(const struct image *im, char out[IMAGE_MD5_SIZE])
{
    static const char digits[] = "0123456789ABCDEF";
    uint8_t digest[MD5_DIGEST_LENGTH];
    MD5_CTX context;
    MD5Init(&context);
    MD5Update(&context, im->pixels, image_size(im));
    MD5Final(digest, &context);
    for (size_t i = 0; i < sizeof digest; ++i) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
    out[2 * sizeof digest] = '\0';
}
