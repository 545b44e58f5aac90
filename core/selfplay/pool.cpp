#include "selfplay/pool.h"

#include <deque>
#include <string>
#include <type_traits>

#include "selfplay/game.h"
#include "selfplay/team.h"

namespace tengen {
namespace {

template <class T>
void require(bool fine, const char* name, const char* range, T value) {
    if (!fine) throw GameError(std::string("self-play: ") + name + " must be " + range + ", not " + std::to_string(value));
}

}  // namespace

void check(const SelfPlayOptions& o) {
    require(!o.variants.empty() && o.variants.size() <= 255, "variants", "1..255", o.variants.size());
    require(o.games >= 1 && o.games <= 1 << 20, "games", "1..1048576", o.games);
    require(o.threads >= 1 && o.threads <= 256, "threads", "1..256", o.threads);
    require(o.stride >= 3 && o.stride <= max_size, "stride", "3..22", o.stride);
    for (const SelfPlayVariant& v : o.variants) {
        require(v.size >= 4 && v.size <= o.stride, "size", "4..stride", v.size);
        require(v.weight > 0 && v.weight <= 1e9, "weight", "above 0", v.weight);
    }
    require(o.full_visits >= 2 && o.full_visits <= 65535, "full_visits", "2..65535", o.full_visits);
    require(o.cheap_visits >= 2 && o.cheap_visits <= 65535, "cheap_visits", "2..65535", o.cheap_visits);
    const auto share = [](const char* name, double value) { require(value >= 0 && value <= 1, name, "0..1", value); };
    share("full_share", o.full_share);
    share("noise_weight", o.noise_weight);
    share("resign_check", o.resign_check);
    share("plain_share", o.plain_share);
    require(o.balance >= 0 && o.balance <= 100, "balance", "0..100", o.balance);
    require(o.exploration >= 0 && o.exploration <= 100, "exploration", "0..100", o.exploration);
    require(o.first_play >= 0 && o.first_play <= 2, "first_play", "0..2", o.first_play);
    require(o.moves >= 1 && o.moves <= max_cells, "moves", "1..484", o.moves);
    require(o.effort >= 0 && o.effort <= 1000000, "effort", "0..1000000", o.effort);
    require(o.noise_total > 0 && o.noise_total <= 1000, "noise_total", "above 0, at most 1000", o.noise_total);
    require(o.temperature_start >= 0 && o.temperature_start <= 100, "temperature_start", "0..100", o.temperature_start);
    require(o.temperature_end >= 0 && o.temperature_end <= 100, "temperature_end", "0..100", o.temperature_end);
    require(o.temperature_moves >= 0 && o.temperature_moves <= 1000, "temperature_moves", "0..1000", o.temperature_moves);
    require(o.opening_least >= 0 && o.opening_least <= o.opening_most, "opening_least", "0..opening_most", o.opening_least);
    require(o.opening_most <= 16, "opening_most", "0..16", o.opening_most);
    require(o.resign > 0, "resign", "above 0", o.resign);
}

template <class B>
class SelfPlayPool<B>::Impl {
public:
    explicit Impl(const SelfPlayOptions& options) : options_(options), team_(options.threads) {
        for (int i = 0; i < options_.threads; ++i) hands_.emplace_back(options_);
        for (int i = 0; i < options_.games; ++i)
            slots_.emplace_back(options_, splitmix64(options_.seed) + static_cast<std::uint64_t>(i));
    }

    const SelfPlayOptions& options() const { return options_; }
    int actions() const { return options_.stride * options_.stride + !std::is_same_v<B, GomokuBoard>; }

    void step(const float* policy, const float* wdl, std::uint8_t* planes) {
        if (started_ != (policy != nullptr)) throw GameError("self-play: answers belong to every step but the first");
        started_ = true;
        const auto plane_bytes = static_cast<std::size_t>(plane_count(options_.encoding) * options_.stride * options_.stride);
        const auto count = static_cast<std::size_t>(actions());
        // Pieces small enough that a slow game does not hold up the rest.
        team_.run(options_.games, 16, [&](int first, int last, int member) {
            for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i)
                slots_[i].advance(hands_[static_cast<std::size_t>(member)], opposition_, policy ? policy + i * count : nullptr,
                                  policy ? wdl + i * 3 : nullptr, planes + i * plane_bytes);
        });
    }

    std::vector<SelfPlayGame> take_games() {
        std::vector<SelfPlayGame> games;
        for (SelfPlaySlot<B>& slot : slots_) slot.take_games(games);
        return games;
    }

    SelfPlayCounts counts() const {
        SelfPlayCounts sum;
        for (const Hand& hand : hands_) {
            const SelfPlayCounts& c = hand.counts;
            sum.evaluations += c.evaluations, sum.settled += c.settled, sum.moves += c.moves, sum.games += c.games;
            sum.openings_refused += c.openings_refused, sum.opposed += c.opposed;
            sum.resign_checks += c.resign_checks, sum.resign_errors += c.resign_errors;
        }
        return sum;
    }

    Opposition opposition_;

private:
    using Hand = SelfPlayHand<B>;

    SelfPlayOptions options_;  // before the slots, which point to it
    std::deque<Hand> hands_;
    std::deque<SelfPlaySlot<B>> slots_;
    bool started_ = false;
    Team team_;
};

template <class B>
SelfPlayPool<B>::SelfPlayPool(const SelfPlayOptions& options) {
    check(options);
    check_encoding<B>(options.encoding);
    for (const SelfPlayVariant& variant : options.variants) starting_board<B>(variant);  // throws if there is no such game
    impl_ = std::make_unique<Impl>(options);
}

template <class B>
SelfPlayPool<B>::~SelfPlayPool() = default;

template <class B>
int SelfPlayPool<B>::games() const {
    return impl_->options().games;
}

template <class B>
int SelfPlayPool<B>::stride() const {
    return impl_->options().stride;
}

template <class B>
int SelfPlayPool<B>::planes() const {
    return plane_count(impl_->options().encoding);
}

template <class B>
int SelfPlayPool<B>::actions() const {
    return impl_->actions();
}

template <class B>
void SelfPlayPool<B>::step(const float* policy, const float* wdl, std::uint8_t* planes) {
    impl_->step(policy, wdl, planes);
}

template <class B>
std::vector<SelfPlayGame> SelfPlayPool<B>::take_games() {
    return impl_->take_games();
}

template <class B>
SelfPlayCounts SelfPlayPool<B>::counts() const {
    return impl_->counts();
}

template <class B>
void SelfPlayPool<B>::set_opposition(const Opposition& opposition) {
    require(opposition.probability >= 0 && opposition.probability <= 1, "probability", "0..1", opposition.probability);
    impl_->opposition_ = opposition;
}

template <>
GomokuBoard starting_board(const SelfPlayVariant& variant) {
    return GomokuBoard(GomokuRules::get(variant.rule, variant.size, 5));
}

template <>
OthelloBoard<6> starting_board(const SelfPlayVariant& variant) {
    require(variant.size == 6, "size", "6 for this pool", variant.size);
    return {};
}

template <>
OthelloBoard<8> starting_board(const SelfPlayVariant& variant) {
    require(variant.size == 8, "size", "8 for this pool", variant.size);
    return {};
}

template <class B>
void write_rows(const SelfPlayGame& game, const std::vector<SelfPlayVariant>& variants, NetEncoding encoding, int stride,
                std::uint8_t* planes, float* policy, std::int16_t* reply, std::int8_t* result) {
    if (game.variant >= variants.size()) throw GameError("self-play: a game of an unknown variant");
    PuctPosition<B> position(starting_board<B>(variants[game.variant]));
    const int size = position.board().size();
    if (size > stride) throw GameError("self-play: the board does not fit into the planes");
    const std::size_t plane_bytes = static_cast<std::size_t>(plane_count(encoding) * stride * stride);
    const auto actions = static_cast<std::size_t>(stride * stride + !std::is_same_v<B, GomokuBoard>);
    // The games may come from a file.
    for (const int action : game.moves)
        if (action >= position.board().actions()) throw GameError("self-play: an illegal move in a game");
    const auto play_to = [&](int ply) {
        while (position.board().ply() < ply) {
            const int action = game.moves[static_cast<std::size_t>(position.board().ply())];
            if (!position.board().is_legal(action)) throw GameError("self-play: an illegal move in a game");
            position.play(action);
        }
    };
    std::size_t i = 0;
    for (const SelfPlayRow& row : game.rows) {
        if (row.ply > game.moves.size() || row.ply < position.board().ply()) throw GameError("self-play: rows out of order");
        play_to(row.ply);
        const B& board = position.board();
        position.write_input(encoding, stride, planes + i * plane_bytes);
        float total = 0;
        for (const auto& visits : row.visits) total += visits.count;
        if (total == 0) throw GameError("self-play: a row without visits");
        std::fill_n(policy + i * actions, actions, 0.0F);
        for (const auto& visits : row.visits) {
            if (!board.is_legal(visits.action)) throw GameError("self-play: visits to an illegal move");
            policy[i * actions + static_cast<std::size_t>(net_action(board, stride, visits.action))] = visits.count / total;
        }
        const std::size_t next = row.ply + std::size_t{1};
        reply[i] = next < game.moves.size() ? static_cast<std::int16_t>(net_action(board, stride, game.moves[next])) : std::int16_t{-1};
        result[i] = static_cast<std::int8_t>(board.to_move() == Side::black ? game.result : -game.result);
        ++i;
    }
}

template class SelfPlayPool<GomokuBoard>;
template class SelfPlayPool<OthelloBoard<6>>;
template class SelfPlayPool<OthelloBoard<8>>;
template void write_rows<GomokuBoard>(const SelfPlayGame&, const std::vector<SelfPlayVariant>&, NetEncoding, int, std::uint8_t*, float*, std::int16_t*, std::int8_t*);
template void write_rows<OthelloBoard<6>>(const SelfPlayGame&, const std::vector<SelfPlayVariant>&, NetEncoding, int, std::uint8_t*, float*, std::int16_t*, std::int8_t*);
template void write_rows<OthelloBoard<8>>(const SelfPlayGame&, const std::vector<SelfPlayVariant>&, NetEncoding, int, std::uint8_t*, float*, std::int16_t*, std::int8_t*);

}  // namespace tengen
