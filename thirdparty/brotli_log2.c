/* SPDX-License-Identifier: MIT
 * The logarithm for Brotli's encoder, which is the only code in trace-cli that would need the C library's
 * libm. Loading that takes a tenth of the time in which a command starts.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#define EXPONENT_BIAS 1023
#define MANTISSA_BITS 52
#define TERMS         11 /* of the series; the next one is below the precision of a double */

/* x must be positive and normal: Brotli passes numbers of bytes. The error is a few units in the last place.
 */
double log2(double x)
{
    static const double two_by_ln2 = 2.8853900817779268147;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> MANTISSA_BITS) - EXPONENT_BIAS;
    bits = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | (uint64_t)EXPONENT_BIAS << MANTISSA_BITS;
    double mantissa;
    memcpy(&mantissa, &bits, sizeof mantissa);
    if (mantissa > 4.0 / 3) { /* closer to 1, where the series is short */
        mantissa /= 2;
        ++exponent;
    }
    /* ln(m) = 2 (t + t^3 / 3 + t^5 / 5 + …) with t = (m - 1) / (m + 1) */
    double t = (mantissa - 1) / (mantissa + 1);
    double sum = 0;
    for (int i = TERMS; i >= 0; --i)
        sum = sum * t * t + 1.0 / (2 * i + 1);
    return exponent + two_by_ln2 * t * sum;
}
