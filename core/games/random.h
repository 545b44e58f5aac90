// A small, fast generator that is passed explicitly wherever chance is used, so
// that a seed gives the same game on one thread. xoshiro256++ (Blackman and
// Vigna), seeded through splitmix64.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tengen {

// A good 64-bit mix of `state`; also the source of hash keys.
constexpr std::uint64_t splitmix64(std::uint64_t state) {
    state += 0x9e3779b97f4a7c15u;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}

class Random {
public:
    explicit constexpr Random(std::uint64_t seed) {
        for (std::uint64_t i = 0; i < 4; ++i) state_[i] = splitmix64(splitmix64(seed) + i);
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t t = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= t;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    // Uniform in [0, bound). The 32-bit draw leaves a bias below bound / 2^32,
    // far under anything that a count of games could show.
    constexpr std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
    }

    // Uniform in [0, 1).
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

private:
    std::array<std::uint64_t, 4> state_{};
};

}  // namespace tengen
