/* SPDX-License-Identifier: MIT
 * Classifies the data that a call uploads, by the name of the function.
 */
#ifndef TRACE_CALL_UPLOADS_H
#define TRACE_CALL_UPLOADS_H

enum trace_upload {
    TRACE_UPLOAD_OTHER, /* vertices from client memory, program binaries, … */
    TRACE_UPLOAD_TEXTURE,
    TRACE_UPLOAD_BUFFER, /* includes writes to a mapped buffer */
    TRACE_UPLOAD_KINDS,
};

enum trace_upload trace_call_upload(const char *name);

#endif
