// The transposition table of the Othello searches: bounds on the score of a
// position, to a depth and a selectivity, and the best moves found.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "games/othello_bits.h"

namespace tengen {

inline std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
    const Word128 product = Word128{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}
inline std::uint64_t position_key(std::uint64_t own, std::uint64_t rival) {
    const std::uint64_t once = fold_multiply(own ^ 0x9e3779b97f4a7c15u, rival ^ 0xd1b54a32d192ed03u);
    return fold_multiply(once ^ own, 0x2127599bf4325c37u ^ rival);
}
inline std::uint64_t position_key(Word128 own, Word128 rival) {
    return fold_multiply(
        position_key(static_cast<std::uint64_t>(own), static_cast<std::uint64_t>(rival)) ^ 0x880355f21e6d1965u,
        position_key(static_cast<std::uint64_t>(own >> 64), static_cast<std::uint64_t>(rival >> 64)) | 1);
}

// Sixteen bytes, four to a cache line.
struct OthelloEntry {
    static constexpr std::uint8_t no_move = 255;
    std::uint64_t key = 0;
    std::int8_t lower = -127, upper = 127;
    std::uint8_t depth = 0, selectivity = 0;  // of the bounds
    std::uint8_t move = no_move, second = no_move;
    std::uint8_t age = 0;   // of the search that wrote it; 0: empty
    std::uint8_t work = 0;  // log2 of the nodes below it
};
static_assert(sizeof(OthelloEntry) == 16);

class OthelloTable {
public:
    explicit OthelloTable(std::size_t megabytes) {
        while ((sizeof(Bucket) << (bits_ + 1)) <= (megabytes << 20)) ++bits_;
        buckets_ = std::make_unique<Bucket[]>(std::size_t{1} << bits_);
    }
    void clear() {
        std::fill_n(buckets_.get(), std::size_t{1} << bits_, Bucket{});
        age_ = 1;
    }
    // What was written before this call gives way first.
    void new_search() { age_ = age_ == 255 ? 1 : static_cast<std::uint8_t>(age_ + 1); }

    void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[place(key)]); }

    const OthelloEntry* find(std::uint64_t key) const {
        for (const OthelloEntry& entry : buckets_[place(key)].entries)
            if (entry.key == key && entry.age) return &entry;
        return nullptr;
    }

    // The result `score` of a search of the window (alpha, beta).
    void store(std::uint64_t key, int depth, int selectivity, int work, int alpha, int beta, int score, int move) {
        Bucket& bucket = buckets_[place(key)];
        OthelloEntry* worst = nullptr;
        for (OthelloEntry& entry : bucket.entries) {
            if (entry.key == key && entry.age) {
                worst = &entry;
                break;
            }
            if (!worst || worth(entry) < worth(*worst)) worst = &entry;
        }
        OthelloEntry& entry = *worst;
        if (entry.key != key || !entry.age) entry = OthelloEntry{.key = key};
        // Bounds of another depth or selectivity say nothing about this one's.
        if (entry.depth != depth || entry.selectivity != selectivity || entry.lower > entry.upper) {
            entry.lower = -127, entry.upper = 127;
            entry.depth = static_cast<std::uint8_t>(depth), entry.selectivity = static_cast<std::uint8_t>(selectivity);
        }
        if (score < beta && score < entry.upper) entry.upper = static_cast<std::int8_t>(score);
        if (score > alpha && score > entry.lower) entry.lower = static_cast<std::int8_t>(score);
        if (move != OthelloEntry::no_move && entry.move != move &&
            (score > alpha || entry.move == OthelloEntry::no_move)) {
            entry.second = entry.move;
            entry.move = static_cast<std::uint8_t>(move);
        }
        entry.age = age_;
        entry.work = static_cast<std::uint8_t>(work);
    }

private:
    struct alignas(64) Bucket {
        OthelloEntry entries[4];
    };
    // The multiplication leaves the high bits of a key best mixed.
    std::size_t place(std::uint64_t key) const { return key >> (64 - bits_); }
    int worth(const OthelloEntry& entry) const {
        return entry.age == age_ ? 512 + entry.work : entry.age ? entry.work : -1;
    }

    int bits_ = 4;
    std::uint8_t age_ = 1;
    std::unique_ptr<Bucket[]> buckets_;
};

}  // namespace tengen
