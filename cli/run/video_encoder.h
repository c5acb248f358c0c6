/* SPDX-License-Identifier: MIT
 * Makes a video of pictures that another program prints, by ffmpeg.
 */
#ifndef CLI_VIDEO_ENCODER_H
#define CLI_VIDEO_ENCODER_H

/* Runs program with the words of its command line, which end with NULL. Its standard output is a stream of
 * PNM pictures; path gets them as a video with rate pictures a second. All sizes are those of the first
 * picture. Errors: TRACE_ERR_UNSUPPORTED if there is no ffmpeg; TRACE_ERR_IO if either program cannot be run,
 * or fails. */
int video_encode(const char *path, unsigned rate, const char *program, const char *const *words);

#endif
