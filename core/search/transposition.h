// A table of positions that several threads read and write without locks.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

namespace tengen {

enum class Bound : std::uint8_t { none, upper, lower, exact };

struct Stored {
    std::int16_t move = -1;
    std::int16_t score = 0;
    std::int16_t evaluation = 0;
    std::int8_t depth = 0;
    Bound bound = Bound::none;
};

// Each slot is two words; the first is the key mixed with the second, so a
// slot that two threads wrote at once fails its check and reads as empty.
// Writes and reads are relaxed atomics: no thread ever waits.
class TranspositionTable {
public:
    explicit TranspositionTable(std::size_t megabytes) {
        slots_count_ = std::bit_floor(std::max<std::size_t>(megabytes, 1) * (1 << 20) / sizeof(Slot));
        slots_ = std::make_unique<Slot[]>(slots_count_);
    }

    void clear() {
        for (std::size_t i = 0; i < slots_count_; ++i) {
            slots_[i].check.store(0, std::memory_order_relaxed);
            slots_[i].data.store(0, std::memory_order_relaxed);
        }
    }

    // Whether the position is known; then `found` is what was stored.
    bool probe(std::uint64_t key, Stored& found) const {
        const Slot& slot = slots_[key & (slots_count_ - 1)];
        const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
        if ((slot.check.load(std::memory_order_relaxed) ^ data) != key || !data) return false;
        found = std::bit_cast<Stored>(data);
        return true;
    }

    // Keeps the deeper of two results for one position, and the newer of two positions.
    void store(std::uint64_t key, const Stored& value) {
        Slot& slot = slots_[key & (slots_count_ - 1)];
        Stored old;
        if (value.bound != Bound::exact && probe(key, old) && old.depth > value.depth + 2) return;
        Stored now = value;
        if (now.move < 0 && probe(key, old)) now.move = old.move;
        const auto data = std::bit_cast<std::uint64_t>(now);
        slot.check.store(key ^ data, std::memory_order_relaxed);
        slot.data.store(data, std::memory_order_relaxed);
    }

    void prefetch(std::uint64_t key) const { __builtin_prefetch(&slots_[key & (slots_count_ - 1)]); }

private:
    struct Slot {
        std::atomic<std::uint64_t> check{0};
        std::atomic<std::uint64_t> data{0};
    };
    static_assert(sizeof(Stored) == 8);

    std::size_t slots_count_ = 0;
    std::unique_ptr<Slot[]> slots_;
};

}  // namespace tengen
