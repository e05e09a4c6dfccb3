#include "codec.h"

#include "store/dictionary.h"

#include "base/str.h"

#include <stdlib.h>
#include <zstd.h>

/* Level 1: within 3% of level 3 in size under this dictionary, and a quarter faster. */
enum { LEVEL = 1, PREFIX_MAX = 10 };

struct codec {
    ZSTD_CCtx *pack; /* made at the first row packed: readers never need it */
    ZSTD_DCtx *unpack;
    struct str packed;
    char *plain;
    size_t plain_cap;
};

struct codec *codec_new(void) {
    struct codec *codec = mem_new(sizeof *codec);
    str_init(&codec->packed, ZSTD_COMPRESSBOUND((size_t)CODEC_ROW_MAX) + PREFIX_MAX);
    return codec;
}

void codec_free(struct codec *codec) {
    if (!codec)
        return;
    ZSTD_freeCCtx(codec->pack);
    ZSTD_freeDCtx(codec->unpack);
    str_clear(&codec->packed);
    free(codec->plain);
    free(codec);
}

static bool ready_to_pack(struct codec *codec) {
    if (codec->pack)
        return true;
    codec->pack = ZSTD_createCCtx();
    return codec->pack && !ZSTD_isError(ZSTD_CCtx_setParameter(codec->pack, ZSTD_c_compressionLevel, LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_loadDictionary(codec->pack, dictionary_bytes, dictionary_len()));
}

static bool ready_to_unpack(struct codec *codec) {
    if (codec->unpack)
        return true;
    codec->unpack = ZSTD_createDCtx();
    return codec->unpack && !ZSTD_isError(ZSTD_DCtx_loadDictionary(codec->unpack, dictionary_bytes, dictionary_len()));
}

static void codec_put_number(struct str *out, size_t number) {
    for (; number >= 0x80; number >>= 7)
        str_add_char(out, (char)(unsigned char)(number | 0x80));
    str_add_char(out, (char)number);
}

static bool codec_get_number(const unsigned char **at, const unsigned char *end, size_t *out) {
    *out = 0;
    for (unsigned shift = 0; shift < 35 && *at < end; shift += 7) {
        unsigned char byte = *(*at)++;
        *out |= (size_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* The frame is written where str keeps its bytes, so room is made by adding and taking away. */
static char *codec_room(struct str *str, size_t bytes) {
    size_t before = str->len;
    str_add_repeat(str, '\0', bytes);
    str->len = before;
    return str->s + before;
}

enum err codec_pack(struct codec *codec, const void *plain, size_t cells_len, size_t len, const void **out,
                    size_t *out_len, struct error *error) {
    if (len > CODEC_ROW_MAX)
        return error_set(error, ERR_LIMIT, "a row of %zu bytes is too large for the cache", len);
    if (!ready_to_pack(codec))
        return error_set(error, ERR_STORE, "the dictionary of the cache cannot be used");
    str_reset(&codec->packed);
    codec_put_number(&codec->packed, cells_len);
    size_t bound = ZSTD_compressBound(len);
    char *to = codec_room(&codec->packed, bound);
    size_t packed = ZSTD_compress2(codec->pack, to, bound, plain, len);
    if (ZSTD_isError(packed))
        return error_set(error, ERR_STORE, "a row cannot be packed");
    *out = codec->packed.s;
    *out_len = codec->packed.len + packed;
    return ERR_OK;
}

static char *plain_room(struct codec *codec, size_t bytes) {
    if (bytes > codec->plain_cap) {
        codec->plain = mem_resize(codec->plain, bytes, 1);
        codec->plain_cap = bytes;
    }
    return codec->plain;
}

bool codec_unpack(struct codec *codec, const void *packed, size_t len, struct arena *arena, struct codec_row *out) {
    const unsigned char *at = packed, *end = at + len;
    size_t cells_len;
    if (!codec_get_number(&at, end, &cells_len) || !ready_to_unpack(codec))
        return false;
    unsigned long long size = ZSTD_getFrameContentSize(at, (size_t)(end - at));
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > CODEC_ROW_MAX || cells_len > size)
        return false;
    char *to = arena ? arena_new(arena, (size_t)size + 1) : plain_room(codec, (size_t)size + 1);
    size_t got = ZSTD_decompressDCtx(codec->unpack, to, (size_t)size, at, (size_t)(end - at));
    if (ZSTD_isError(got) || got != size)
        return false;
    to[size] = '\0';
    *out = (struct codec_row){to, to + cells_len, cells_len, (size_t)size - cells_len};
    return true;
}
