/* SPDX-License-Identifier: MIT
 * What the data is for that a call hands over: by the function's name.
 */
#ifndef TRACE_CALL_UPLOADS_H
#define TRACE_CALL_UPLOADS_H

enum trace_upload {
    TRACE_UPLOAD_OTHER, /* vertices in the program's memory, program binaries, … */
    TRACE_UPLOAD_TEXTURE,
    TRACE_UPLOAD_BUFFER, /* also what was written to a mapped one */
    TRACE_UPLOAD_KINDS,
};

enum trace_upload trace_call_upload(const char *name);

#endif
