/* hash.h - bytes -> 64 bits (xxHash, XXH3). Stable across machines of one endianness. */
#ifndef FRAY_BASE_HASH_H
#define FRAY_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t length, uint64_t seed);

#endif
