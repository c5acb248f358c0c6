/* SPDX-License-Identifier: MIT
 * What is asked of a flight recorder: files, one after the other, each for a reason; and what became of them,
 * for those who wait. Can be used by any thread.
 */
#ifndef COLLECTOR_FLIGHT_REQUESTS_H
#define COLLECTOR_FLIGHT_REQUESTS_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define FLIGHT_REASON_SIZE 128
#define FLIGHT_REQUESTS    64 /* that wait at the same time, and answers that are remembered */

/* Whether a file has what was appended to the recorder, or all that the program had called. */
enum flight_moment { FLIGHT_APPENDED, FLIGHT_CALLED };

struct flight_request {
    uint64_t number; /* from 1 */
    enum flight_moment at;
    char reason[FLIGHT_REASON_SIZE];
};

struct flight_answer {
    uint64_t number; /* of the request; 0: none */
    char *path;      /* owned; NULL: there was nothing to write, or an error */
    bool failed;
};

struct flight_requests {
    pthread_mutex_t mutex;
    struct flight_request waiting[FLIGHT_REQUESTS]; /* the oldest first */
    unsigned count;
    uint64_t last;                                 /* number of the latest request */
    uint64_t answered;                             /* likewise, of those that were answered */
    struct flight_answer answers[FLIGHT_REQUESTS]; /* by the number's remainder */
    unsigned failures;
    bool closed;
};

void flight_requests_init(struct flight_requests *r);
void flight_requests_fini(struct flight_requests *r);

/* Adds a request, and returns its number; 0 if none is accepted any more. reason: copied. With
 * FLIGHT_APPENDED, as markers and slow frames may ask at each frame, a request that waits for the same is
 * enough, and its number is returned. So it is if too many wait. */
uint64_t flight_requests_add(struct flight_requests *r, enum flight_moment at, const char *reason);

/* Returns whether a request waits, and copies the oldest. */
bool flight_requests_peek(struct flight_requests *r, struct flight_request *out);

/* Does the same, and removes it. It must be answered before the next one is taken. */
bool flight_requests_take(struct flight_requests *r, struct flight_request *out);

/* path: of the file; NULL: there was nothing to write, or failed says that there was an error. Copied. */
void flight_requests_answer(struct flight_requests *r, uint64_t number, const char *path, bool failed);

/* Has it been answered? path (size bytes) receives the file's name or "", of the latest answer if number is 0
 * or this one's is forgotten. */
bool flight_requests_answered(struct flight_requests *r, uint64_t number, char *path, size_t size,
                              bool *failed);

/* Accepts no more. Returns false if some still wait. */
bool flight_requests_close(struct flight_requests *r);

/* Returns how many files could not be written. */
unsigned flight_requests_failures(struct flight_requests *r);

#endif
