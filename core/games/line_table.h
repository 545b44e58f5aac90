// What a stone makes of one line: S0's seven shapes, for both players at once.
//
// A shape is a statement about one line through one point, with that point
// taken as the player's stone; every line considered contains the point:
//   five            the line is won;
//   open four       two or more points complete five;
//   rush four       one point completes five;
//   open three      one more stone makes an open four;
//   sleeping three  one more stone makes a four, none an open four;
//   open two        one more stone makes an open three;
//   sleeping two    one more stone makes a sleeping three.
// Rival stones and edges block. "Five" stands for the game's line length, and
// what wins is the rule's business, so the same definition serves every rule
// and length. Under renju black's open three needs a *straight* four: two
// separate fours on one line are a foul, not a threat.
#pragma once

#include <cstdint>
#include <vector>

#include "games/lines.h"

namespace tengen {

enum class Rule : std::uint8_t { freestyle, standard, renju, caro };

enum class Shape : std::uint8_t {
    none,
    sleeping_two,
    open_two,
    sleeping_three,
    open_three,
    rush_four,
    open_four,
    five,
};

// One byte for one line through one point: black's shape, white's shape, and
// the two facts that renju fouls need about black.
class LineEntry {
public:
    constexpr LineEntry() = default;
    constexpr explicit LineEntry(std::uint8_t bits) : bits_(bits) {}
    constexpr LineEntry(Shape black, Shape white, bool overline, bool two_fours)
        : bits_(static_cast<std::uint8_t>(static_cast<int>(black) | static_cast<int>(white) << 3 | overline << 6 |
                                          two_fours << 7)) {}

    constexpr Shape shape(Side side) const { return static_cast<Shape>(side == Side::black ? bits_ & 7 : bits_ >> 3 & 7); }
    constexpr bool overline() const { return bits_ >> 6 & 1; }   // black would have six or more
    constexpr bool two_fours() const { return bits_ >> 7 & 1; }  // black would have two fours on this line
    constexpr std::uint8_t bits() const { return bits_; }

    // The entry of a point that `side` occupies: the other side makes nothing.
    constexpr LineEntry only(Side side) const {
        return LineEntry(static_cast<std::uint8_t>(bits_ & (side == Side::black ? 0xc7 : 0x38)));
    }

private:
    std::uint8_t bits_ = 0;
};

// Whether a run wins for `side` under `rule`, with lines of `win`.
constexpr bool run_wins(Rule rule, int win, Side side, const Run& run) {
    if (run.length < win) return false;
    const Cell rival = stone_of(other(side));
    switch (rule) {
        case Rule::freestyle: return true;
        case Rule::standard: return run.length == win;
        case Rule::renju: return side == Side::white || run.length == win;
        case Rule::caro: return run.length > win || run.before != rival || run.after != rival;
    }
    return false;
}

// Entries for every line of one rule and line length. Immutable once built, so
// any number of threads may read it. Short lines are looked up in a table of
// all windows; longer ones, whose table would not fit, are worked out each time.
class LineTable {
public:
    LineTable(Rule rule, int win);

    // How far from a point its line matters: a stone farther away changes nothing.
    int radius() const { return radius_; }

    LineEntry at(std::uint64_t word, int offset) const {
        if (!table_.empty()) return LineEntry(table_[key(word, offset)]);
        return compute(word, offset);
    }

private:
    // The window around the point, without the point itself.
    std::uint32_t key(std::uint64_t word, int offset) const {
        const std::uint64_t window = word >> (2 * (offset + Lines::pad - radius_));
        const std::uint64_t low = window & mask_, high = window >> (2 * radius_ + 2) & mask_;
        return static_cast<std::uint32_t>(low | high << (2 * radius_));
    }
    LineEntry compute(std::uint64_t word, int offset) const;
    void build();

    Rule rule_;
    int win_;
    int radius_;
    std::uint64_t mask_;
    std::vector<std::uint8_t> table_;
};

}  // namespace tengen
