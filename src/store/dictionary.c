#include "dictionary.h"

/* The assembler reads the file from the folder that make runs in. */
__asm__(".section .rodata\n"
        ".global dictionary_bytes\n"
        ".global dictionary_end\n"
        ".balign 16\n"
        "dictionary_bytes:\n"
        ".incbin \"src/store/dictionary/1.bin\"\n"
        "dictionary_end:\n"
        ".byte 0\n"
        ".previous\n");
