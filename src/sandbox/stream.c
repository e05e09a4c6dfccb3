#include "stream.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP_FROM = 512, GZIP_WINDOW = 15 + 16, BLOCK = 16384, ZEROS_LEN = 65536 };

/* A body given out piece by piece. */
struct stream {
    const struct call *call;
    struct stream_wait wait;
    uint64_t end; /* bytes after which it stops, cut or whole */
    bool cut;     /* stopping there breaks the announced length */
    z_stream zip; /* bomb */
    uint64_t unzipped;
    bool zipping, finished;
};

static bool accepts_gzip(const struct call *call) {
    const char *accepted = call_find_header(call, "Accept-Encoding");
    const char *at = !accepted ? NULL : strstr(accepted, "gzip");
    return at && (strncmp(at + 4, ";q=0", 4) != 0 || at[8] == '.');
}

/* Heap bytes, or NULL where compressing gains nothing. */
static unsigned char *compressed(const struct str *body, size_t *len) {
    z_stream zip = {0};
    if (deflateInit2(&zip, 1, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    uLong bound = deflateBound(&zip, (uLong)body->len);
    unsigned char *out = mem_new(bound);
    zip.next_in = (unsigned char *)body->s;
    zip.avail_in = (uInt)body->len;
    zip.next_out = out;
    zip.avail_out = (uInt)bound;
    bool ok = deflate(&zip, Z_FINISH) == Z_STREAM_END && zip.total_out < body->len;
    *len = zip.total_out;
    (void)deflateEnd(&zip);
    if (!ok) {
        free(out);
        return NULL;
    }
    return out;
}

static ssize_t give_plain(struct stream *stream, uint64_t at, char *to, size_t max) {
    const struct str *body = &stream->call->answer;
    if (stream->call->hit.pace >= 0) {
        max = 1;
        if (at > 0 && !stream->wait.wait(stream->wait.context, stream->call->hit.pace))
            return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    if (at >= stream->end)
        return stream->cut ? MHD_CONTENT_READER_END_WITH_ERROR : MHD_CONTENT_READER_END_OF_STREAM;
    if (at >= body->len) {
        memset(to, ' ', max);
        return (ssize_t)max;
    }
    uint64_t stop = stream->end < body->len ? stream->end : body->len;
    size_t part = stop - at < max ? (size_t)(stop - at) : max;
    memcpy(to, body->s + at, part);
    return (ssize_t)part;
}

static ssize_t give_bomb(struct stream *stream, char *to, size_t max) {
    static const unsigned char zeros[ZEROS_LEN]; /* NUL bytes */
    uint64_t total = (uint64_t)stream->call->hit.bomb;
    if (stream->finished)
        return MHD_CONTENT_READER_END_OF_STREAM;
    stream->zip.next_out = (unsigned char *)to;
    stream->zip.avail_out = (uInt)max;
    while (stream->zip.avail_out == max && !stream->finished) {
        if (stream->zip.avail_in == 0 && stream->unzipped < total) {
            uint64_t left = total - stream->unzipped;
            stream->zip.next_in = (unsigned char *)zeros;
            stream->zip.avail_in = left < ZEROS_LEN ? (uInt)left : ZEROS_LEN;
            stream->unzipped += stream->zip.avail_in;
        }
        int flush = stream->unzipped == total ? Z_FINISH : Z_NO_FLUSH;
        stream->finished = deflate(&stream->zip, flush) == Z_STREAM_END;
    }
    size_t made = max - stream->zip.avail_out;
    return made > 0 ? (ssize_t)made : MHD_CONTENT_READER_END_OF_STREAM;
}

static ssize_t stream_give(void *context, uint64_t at, char *to, size_t max) {
    struct stream *stream = context;
    return stream->zipping ? give_bomb(stream, to, max) : give_plain(stream, at, to, max);
}

static void stream_forget(void *context) {
    struct stream *stream = context;
    if (stream->zipping)
        (void)deflateEnd(&stream->zip);
    free(stream);
}

static struct MHD_Response *bent(struct call *call, const struct stream_wait *wait, long long *bytes) {
    const struct rule_hit *hit = &call->hit;
    struct stream *stream = mem_new(sizeof *stream);
    uint64_t size = call->answer.len;
    stream->call = call;
    stream->wait = *wait;
    stream->end = size;
    *bytes = (long long)size;
    if (hit->bomb >= 0 && deflateInit2(&stream->zip, 9, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
        stream->zipping = true;
        size = MHD_SIZE_UNKNOWN;
        *bytes = -1;
    } else if ((hit->flags & RULE_ENDLESS) != 0) {
        stream->end = UINT64_MAX;
        size = MHD_SIZE_UNKNOWN;
        *bytes = -1;
    }
    if (hit->truncate >= 0 && (uint64_t)hit->truncate < stream->end) {
        stream->end = (uint64_t)hit->truncate;
        stream->cut = true;
        *bytes = hit->truncate;
    }
    struct MHD_Response *response = MHD_create_response_from_callback(size, BLOCK, stream_give, stream, stream_forget);
    if (response && stream->zipping)
        (void)MHD_add_response_header(response, "Content-Encoding", "gzip");
    return response;
}

static struct MHD_Response *whole(struct call *call, long long *bytes) {
    size_t len = call->answer.len;
    unsigned char *zipped = NULL;
    if (len >= GZIP_FROM && accepts_gzip(call))
        zipped = compressed(&call->answer, &len);
    if (!zipped) {
        *bytes = (long long)call->answer.len;
        return MHD_create_response_from_buffer(call->answer.len, call->answer.s, MHD_RESPMEM_PERSISTENT);
    }
    *bytes = (long long)len;
    struct MHD_Response *response = MHD_create_response_from_buffer(len, zipped, MHD_RESPMEM_MUST_FREE);
    (void)MHD_add_response_header(response, "Content-Encoding", "gzip");
    return response;
}

struct MHD_Response *stream_response(struct call *call, const struct stream_wait *wait, long long *bytes) {
    const struct rule_hit *hit = &call->hit;
    bool bends = hit->truncate >= 0 || hit->bomb >= 0 || hit->pace >= 0 || (hit->flags & RULE_ENDLESS) != 0;
    struct MHD_Response *response = hit->id != 0 && bends ? bent(call, wait, bytes) : whole(call, bytes);
    if (response && call->answer.len >= GZIP_FROM)
        (void)MHD_add_response_header(response, "Vary", "Accept-Encoding");
    return response;
}
