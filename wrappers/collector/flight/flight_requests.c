/* SPDX-License-Identifier: MIT */
#include "collector/flight/flight_requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void flight_requests_init(struct flight_requests *r)
{
    *r = (struct flight_requests){.count = 0};
    pthread_mutex_init(&r->mutex, NULL);
}

void flight_requests_fini(struct flight_requests *r)
{
    for (unsigned i = 0; i < FLIGHT_REQUESTS; ++i)
        free(r->answers[i].path);
    pthread_mutex_destroy(&r->mutex);
}

static uint64_t add(struct flight_requests *r, enum flight_moment at, const char *reason)
{
    struct flight_request *newest = r->count > 0 ? &r->waiting[r->count - 1] : NULL;
    if (r->closed)
        return 0;
    if (newest != NULL && at == FLIGHT_APPENDED && newest->at == at)
        return newest->number;
    if (r->count == FLIGHT_REQUESTS) {
        newest->at = at == FLIGHT_CALLED ? at : newest->at;
        return newest->number;
    }
    struct flight_request *request = &r->waiting[r->count++];
    *request = (struct flight_request){.number = ++r->last, .at = at};
    snprintf(request->reason, sizeof request->reason, "%s", reason);
    return request->number;
}

uint64_t flight_requests_add(struct flight_requests *r, enum flight_moment at, const char *reason)
{
    pthread_mutex_lock(&r->mutex);
    uint64_t number = add(r, at, reason);
    pthread_mutex_unlock(&r->mutex);
    return number;
}

bool flight_requests_peek(struct flight_requests *r, struct flight_request *out)
{
    pthread_mutex_lock(&r->mutex);
    bool found = r->count > 0;
    if (found)
        *out = r->waiting[0];
    pthread_mutex_unlock(&r->mutex);
    return found;
}

bool flight_requests_take(struct flight_requests *r, struct flight_request *out)
{
    pthread_mutex_lock(&r->mutex);
    bool found = r->count > 0;
    if (found) {
        *out = r->waiting[0];
        r->count--;
        memmove(r->waiting, r->waiting + 1, r->count * sizeof r->waiting[0]);
    }
    pthread_mutex_unlock(&r->mutex);
    return found;
}

void flight_requests_answer(struct flight_requests *r, uint64_t number, const char *path, bool failed)
{
    char *copy = path != NULL ? strdup(path) : NULL;
    pthread_mutex_lock(&r->mutex);
    struct flight_answer *a = &r->answers[number % FLIGHT_REQUESTS];
    free(a->path);
    *a = (struct flight_answer){number, copy, failed};
    r->answered = number;
    r->failures += failed;
    pthread_mutex_unlock(&r->mutex);
}

bool flight_requests_answered(struct flight_requests *r, uint64_t number, char *path, size_t size,
                              bool *failed)
{
    pthread_mutex_lock(&r->mutex);
    bool answered = r->answered >= number;
    const struct flight_answer *a = &r->answers[number % FLIGHT_REQUESTS];
    if (number == 0 || a->number != number)
        a = &r->answers[r->answered % FLIGHT_REQUESTS];
    snprintf(path, size, "%s", a->path != NULL ? a->path : "");
    *failed = a->failed;
    pthread_mutex_unlock(&r->mutex);
    return answered;
}

bool flight_requests_close(struct flight_requests *r)
{
    pthread_mutex_lock(&r->mutex);
    bool none = r->count == 0;
    r->closed |= none;
    pthread_mutex_unlock(&r->mutex);
    return none;
}

unsigned flight_requests_failures(struct flight_requests *r)
{
    pthread_mutex_lock(&r->mutex);
    unsigned failures = r->failures;
    pthread_mutex_unlock(&r->mutex);
    return failures;
}
