/* libcurl at its first use. It brings some thirty libraries along, and loading them takes longer than all else that a
 * program of ours does before its first answer: `bursar --version`, the journal's commands and the console's first
 * screen need none of it. So no program is linked with it; the functions stand here under libcurl's own names and pass
 * on what they are given. Whoever calls one includes <curl/curl.h> and notices nothing. Any thread. */
#include "base/mem.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>

/* The number is that of the binary interface, which has not changed since 2006. */
#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

/* A handle that is only asked became const. */
#if LIBCURL_VERSION_NUM >= 0x080100
#define URL_READ const CURLU
#else
#define URL_READ CURLU
#endif

#define FUNCTIONS(X)            \
    X(curl_easy_cleanup)        \
    X(curl_easy_getinfo)        \
    X(curl_easy_init)           \
    X(curl_easy_setopt)         \
    X(curl_free)                \
    X(curl_multi_add_handle)    \
    X(curl_multi_cleanup)       \
    X(curl_multi_info_read)     \
    X(curl_multi_init)          \
    X(curl_multi_perform)       \
    X(curl_multi_poll)          \
    X(curl_multi_remove_handle) \
    X(curl_multi_setopt)        \
    X(curl_slist_append)        \
    X(curl_slist_free_all)      \
    X(curl_url)                 \
    X(curl_url_cleanup)         \
    X(curl_url_get)             \
    X(curl_url_set)             \
    X(curl_version_info)

struct library {
#define X(name) __typeof__(name) *name;
    FUNCTIONS(X)
#undef X
};

static struct library curl_loaded;

static void curl_load_function(void *library, const char *name, void *pointer) {
    void *function = dlsym(library, name);
    if (!function)
        mem_fatal(LIBRARY " lacks a function that is needed: it is older than 7.85");
    memcpy(pointer, &function, sizeof function);
}

static void curl_load(void) {
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        mem_fatal(LIBRARY " cannot be loaded: install libcurl, or look for its libraries with ldd");
#define X(name) curl_load_function(library, #name, &curl_loaded.name);
    FUNCTIONS(X)
#undef X
}

static const struct library *curl_library(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, curl_load);
    return &curl_loaded;
}

/* What stands behind an option is said by its number, as libcurl itself reads it. */
enum option_kind { OPTION_LONG, OPTION_POINTER, OPTION_OFF_T };

static enum option_kind option_kind_of(int option) {
    if (option < CURLOPTTYPE_OBJECTPOINT)
        return OPTION_LONG;
    return option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB ? OPTION_OFF_T : OPTION_POINTER;
}

/* In parentheses: libcurl's header has macros of these names, which look at the types. */
CURLcode(curl_easy_setopt)(CURL *easy, CURLoption option, ...) {
    va_list args;
    CURLcode code;
    va_start(args, option);
    switch (option_kind_of((int)option)) {
    case OPTION_LONG:
        code = (curl_library()->curl_easy_setopt)(easy, option, va_arg(args, long));
        break;
    case OPTION_OFF_T:
        code = (curl_library()->curl_easy_setopt)(easy, option, va_arg(args, curl_off_t));
        break;
    default:
        code = (curl_library()->curl_easy_setopt)(easy, option, va_arg(args, void *));
    }
    va_end(args);
    return code;
}

CURLMcode(curl_multi_setopt)(CURLM *multi, CURLMoption option, ...) {
    va_list args;
    CURLMcode code;
    va_start(args, option);
    if (option_kind_of((int)option) == OPTION_LONG)
        code = (curl_library()->curl_multi_setopt)(multi, option, va_arg(args, long));
    else
        code = (curl_library()->curl_multi_setopt)(multi, option, va_arg(args, void *));
    va_end(args);
    return code;
}

CURLcode(curl_easy_getinfo)(CURL *easy, CURLINFO info, ...) {
    va_list args;
    va_start(args, info);
    CURLcode code = (curl_library()->curl_easy_getinfo)(easy, info, va_arg(args, void *));
    va_end(args);
    return code;
}

CURL *curl_easy_init(void) {
    return curl_library()->curl_easy_init();
}

void curl_easy_cleanup(CURL *easy) {
    if (easy)
        curl_library()->curl_easy_cleanup(easy);
}

void curl_free(void *block) {
    if (block)
        curl_library()->curl_free(block);
}

CURLM *curl_multi_init(void) {
    return curl_library()->curl_multi_init();
}

CURLMcode curl_multi_cleanup(CURLM *multi) {
    return multi ? curl_library()->curl_multi_cleanup(multi) : CURLM_BAD_HANDLE;
}

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) {
    return curl_library()->curl_multi_add_handle(multi, easy);
}

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) {
    return curl_library()->curl_multi_remove_handle(multi, easy);
}

CURLMsg *curl_multi_info_read(CURLM *multi, int *left) {
    return curl_library()->curl_multi_info_read(multi, left);
}

CURLMcode curl_multi_perform(CURLM *multi, int *running) {
    return curl_library()->curl_multi_perform(multi, running);
}

CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd fds[], unsigned n, int timeout_ms, int *ready) {
    return curl_library()->curl_multi_poll(multi, fds, n, timeout_ms, ready);
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *line) {
    return curl_library()->curl_slist_append(list, line);
}

void curl_slist_free_all(struct curl_slist *list) {
    if (list)
        curl_library()->curl_slist_free_all(list);
}

CURLU *curl_url(void) {
    return curl_library()->curl_url();
}

void curl_url_cleanup(CURLU *url) {
    if (url)
        curl_library()->curl_url_cleanup(url);
}

CURLUcode curl_url_get(URL_READ *url, CURLUPart what, char **part, unsigned flags) {
    return curl_library()->curl_url_get(url, what, part, flags);
}

CURLUcode curl_url_set(CURLU *url, CURLUPart what, const char *part, unsigned flags) {
    return curl_library()->curl_url_set(url, what, part, flags);
}

curl_version_info_data *curl_version_info(CURLversion age) {
    return curl_library()->curl_version_info(age);
}
