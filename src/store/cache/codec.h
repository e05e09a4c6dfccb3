#ifndef STORE_CODEC_H
#define STORE_CODEC_H
/* A stored row's bytes: cells and raw JSON in one zstd frame under the numbered dictionary, since raw repeats what
 * cells hold (measured: 0.31 of the JSON, against 0.6 with cells beside it, and unpacking both costs what unpacking one
 * does). One codec per connection; one thread at a time. */

#include "base/error.h"
#include "base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum { CODEC_ROW_MAX = 48 << 20 }; /* cells and raw together, unpacked */

struct codec;
struct codec *codec_new(void);
void codec_free(struct codec *codec);

/* What a row unpacks to; both point into one block. */
struct codec_row {
    const char *cells, *raw;
    size_t cells_len, raw_len;
};

/* Packs `plain`, which is cells_len bytes of cells followed by raw. *out is good until the next call. */
enum err codec_pack(struct codec *codec, const void *plain, size_t cells_len, size_t len, const void **out,
                    size_t *out_len, struct error *error) MUST_CHECK;
/* Into the arena, or with NULL into the codec's own buffer, good until the next call. false: not such a row. raw is
 * NUL-terminated. */
bool codec_unpack(struct codec *codec, const void *packed, size_t len, struct arena *arena, struct codec_row *out);

#endif
