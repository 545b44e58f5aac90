#include "search/othello/othello_search.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "search/othello/midgame.h"

namespace tengen {
namespace {

constexpr int infinite = 127;

// One search from one root. Root moves stay sorted, the best first.
template <int N>
class Root {
public:
    using Bits = OthelloBits<N>;
    using Discs = OthelloDiscs<N>;
    using Word = typename Bits::Word;
    using Node = OthelloNode<N>;

    Root(const OthelloBoard<N>& board, const OthelloEvaluation& evaluation, OthelloTable& table, SearchControl& control,
         const OnReport& on_report)
        : evaluation_(evaluation), work_{table, control}, midgame_(work_, evaluation), on_report_(on_report),
          own_(board.discs(board.to_move())), rival_(board.discs(other(board.to_move()))) {
        const Node node = evaluation.node<N>(own_, rival_);
        empties_ = node.empties();
        for (Word left = Bits::moves(own_, rival_); left; left &= left - 1) {
            const int at = lowest_bit(left);
            moves_.push_back({at, evaluation.after<N>(node, at, Bits::flips(at, own_, rival_))});
        }
        if (moves_.empty()) moves_.push_back({pass_at, evaluation.after_pass<N>(node)});
    }

    SearchReport run() {
        const SearchLimits& limits = work_.control.limits();
        lines_ = std::clamp(limits.lines, 1, static_cast<int>(moves_.size()));
        const int most = std::min(limits.depth, empties_);
        fill_in();
        // 1. By the evaluation, deeper and deeper, until the end is near enough.
        const int enough = most < empties_ ? most : middle_depth();
        for (int depth = 1; depth <= enough && !work_.aborted; ++depth) iterate(depth, 0);
        // 2. To the end.
        if (most == empties_)
            for (int level = enough ? 0 : Selectivity::exact; level <= Selectivity::exact && !work_.aborted; ++level)
                iterate(empties_, level);
        return report();
    }

private:
    static constexpr int pass_at = OthelloEntry::no_move;
    static constexpr int most_resolved = 15;

    struct RootMove {
        int at;
        Node node;  // after it
        int score = 0;
        int depth = 0;  // of the score
        int selectivity = 0;
        bool to_end = false;
        std::vector<int> line{};
    };

    // How deep to look before the search to the end begins: that one profits from a well filled table.
    int middle_depth() const {
        if (empties_ <= 10) return 0;
        return std::clamp(empties_ - 9, 2, N * N);
    }

    // Every limit leaves a legal move and a value, however rough.
    void fill_in() {
        for (RootMove& move : moves_) move.score = -evaluation_.value<N>(move.node), move.line = {action(move.at)};
        sort(static_cast<int>(moves_.size()));
    }

    // Best first, equals in their old order. Lists are short, and std::stable_sort's buffer ignores alignment.
    void sort(int count) {
        for (auto it = moves_.begin(); it != moves_.begin() + count; ++it) {
            const auto worse = [&](const RootMove& earlier) { return earlier.score < it->score; };
            std::rotate(std::find_if(moves_.begin(), it, worse), it, it + 1);
        }
    }

    void iterate(int depth, int selectivity) {
        for (int line = 0; line < lines_; ++line) {
            if (!search_line(line, depth, selectivity)) break;
            if (on_report_) on_report_(report());
        }
        sort(lines_);
        if (!work_.aborted) depth_ = depth;
    }

    // Finds the best of the moves from `line` on and puts it there. False when interrupted.
    bool search_line(int line, int depth, int selectivity) {
        const int guess = moves_[static_cast<std::size_t>(line)].score;
        const bool to_end = depth == empties_;
        int width = depth <= 2 ? 2 * infinite : to_end && N != 10 ? 2 : 3;
        int alpha = guess - width, beta = guess + width;
        while (true) {
            const int score =
                search_window(line, depth, selectivity, std::max(alpha, -infinite), std::min(beta, infinite));
            if (work_.aborted) return false;
            width *= 3;
            if (score <= alpha)
                beta = alpha + 1, alpha = score - width;
            else if (score >= beta)
                alpha = beta - 1, beta = score + width;
            else
                return true;
        }
    }

    int search_window(int line, int depth, int selectivity, int alpha, int beta) {
        int best = -infinite;
        const auto first = static_cast<std::size_t>(line);
        for (std::size_t i = first; i < moves_.size(); ++i) {
            const int low = std::max(alpha, best);
            const Node& child = moves_[i].node;
            // A pass is no ply of the tree's depth: the other side faces the same empty cells.
            const int rest = moves_[i].at == pass_at ? depth : depth - 1;
            int score = best > -infinite ? -midgame_.search(child, rest, -low - 1, -low, selectivity) : low + 1;
            if (score > low && score < beta && !work_.aborted)
                score = -midgame_.search(child, rest, -beta, -low, selectivity);
            if (work_.aborted) return best;
            if (score <= best) continue;
            best = score;
            if (score > alpha || i == first) {
                // A better move is worth having even if the time runs out now.
                const auto found = moves_.begin() + static_cast<std::ptrdiff_t>(i);
                std::rotate(moves_.begin() + line, found, found + 1);
                note(moves_[first], score, depth, selectivity);
            }
            if (best >= beta) break;
        }
        return best;
    }

    void note(RootMove& move, int score, int depth, int selectivity) {
        move.score = score, move.depth = depth, move.selectivity = selectivity, move.to_end = depth == empties_;
        move.line = proven(move) ? proven_line(move) : principal_line(move);
    }

    static bool proven(const RootMove& move) { return move.to_end && move.selectivity == Selectivity::exact; }

    // The move and what the table expects after it.
    std::vector<int> principal_line(const RootMove& move) const {
        std::vector<int> line{action(move.at)};
        Word own = move.node.own, rival = move.node.rival;
        while (static_cast<int>(line.size()) < 2 * N * N) {
            const Word moves = Bits::moves(own, rival);
            if (!moves) {
                if (!Bits::moves(rival, own)) break;
                line.push_back(OthelloBoard<N>::pass);
                std::swap(own, rival);
                continue;
            }
            const OthelloEntry* entry = work_.table.find(position_key(own, rival));
            if (!entry || entry->move == OthelloEntry::no_move || !(moves >> entry->move & 1)) break;
            const Word turned = Bits::flips(entry->move, own, rival), mine = own | turned | Word{1} << entry->move;
            line.push_back(action(entry->move));
            own = rival ^ turned;
            rival = mine;
        }
        if (line.back() == OthelloBoard<N>::pass && line.size() > 1) line.pop_back();
        return line;
    }

    // The move and best play to the end of the game. What the table has lost is solved once more, whatever the time:
    // these are positions of the last dozen plies.
    std::vector<int> proven_line(const RootMove& move) const {
        std::vector<int> line{action(move.at)};
        SearchControl unlimited;
        unlimited.begin(SearchLimits{});
        OthelloWork work{work_.table, unlimited};
        OthelloEndgame<N> endgame(work);
        Word own = move.node.own, rival = move.node.rival;
        int score = -move.score;
        while (true) {
            const Word moves = Bits::moves(own, rival);
            if (!moves) {
                if (!Bits::moves(rival, own)) return line;
                line.push_back(OthelloBoard<N>::pass);
                std::swap(own, rival);
                score = -score;
                continue;
            }
            const int at = proven_move(endgame, own, rival, moves, score);
            if (at == pass_at) return line;
            const Word turned = Bits::flips(at, own, rival), mine = own | turned | Word{1} << at;
            line.push_back(action(at));
            own = rival ^ turned;
            rival = mine;
            score = -score;
        }
    }

    // A move that keeps the known score of a position; `pass_at` if that is too much to ask.
    int proven_move(OthelloEndgame<N>& endgame, Word own, Word rival, Word moves, int score) const {
        const int empties = Discs::cells - bit_count(own | rival);
        const OthelloEntry* entry = work_.table.find(position_key(own, rival));
        if (entry && entry->depth == empties && entry->selectivity == Selectivity::exact && entry->lower == score &&
            entry->move != OthelloEntry::no_move && moves >> entry->move & 1)
            return entry->move;
        if (empties > most_resolved) return pass_at;
        for (; moves; moves &= moves - 1) {
            const int at = lowest_bit(moves);
            const Word turned = Bits::flips(at, own, rival);
            if (endgame.solve(rival ^ turned, own | turned | Word{1} << at, -score) <= -score) return at;
        }
        return pass_at;
    }

    static int action(int at) { return at == pass_at ? OthelloBoard<N>::pass : Bits::cell_of(at); }

    SearchReport report() const {
        SearchReport result;
        for (int i = 0; i < lines_; ++i) {
            const RootMove& move = moves_[static_cast<std::size_t>(i)];
            SearchLine line;
            line.moves = move.line;
            line.score = 100 * move.score;
            line.depth = move.depth;
            line.value = std::tanh(move.score / 12.0 * (64.0 / (N * N)));
            if (proven(move)) {
                line.proof = move.score > 0 ? Proof::won : move.score < 0 ? Proof::lost : Proof::exact;
                line.value = move.score > 0 ? 1 : move.score < 0 ? -1 : 0;
                line.distance = static_cast<int>(line.moves.size());
            }
            result.lines.push_back(std::move(line));
        }
        result.nodes = work_.nodes;
        result.seconds = work_.control.seconds();
        result.depth = depth_;
        result.selective_depth = std::max(depth_, static_cast<int>(result.lines[0].moves.size()));
        return result;
    }

    const OthelloEvaluation& evaluation_;
    OthelloWork work_;
    OthelloMidgame<N> midgame_;
    const OnReport& on_report_;
    Word own_, rival_;
    int empties_, lines_ = 1, depth_ = 0;
    std::vector<RootMove> moves_;
};

}  // namespace

OthelloSearch::OthelloSearch(const OthelloSearchOptions& options, std::span<const std::uint8_t> tables)
    : evaluation_(tables.empty() ? OthelloEvaluation() : OthelloEvaluation(tables)), table_([&] {
          if (options.hash_mb < 1 || options.hash_mb > 65536)
              throw GameError("hash_mb must be 1..65536, not " + std::to_string(options.hash_mb));
          return static_cast<std::size_t>(options.hash_mb);
      }()) {}

template <int N>
SearchReport OthelloSearch::search(const OthelloBoard<N>& board, const SearchLimits& limits,
                                   const OnReport& on_report) {
    if (limits.lines < 1) throw GameError("lines must be 1 or more, not " + std::to_string(limits.lines));
    if (limits.depth < 1) throw GameError("depth must be 1 or more, not " + std::to_string(limits.depth));
    control_.begin(limits);
    if (board.outcome().over()) return {};
    // Positions of different sizes look alike in the table.
    if (last_size_ && last_size_ != N) table_.clear();
    last_size_ = N;
    table_.new_search();
    return Root<N>(board, evaluation_, table_, control_, on_report).run();
}

template SearchReport OthelloSearch::search(const OthelloBoard<4>&, const SearchLimits&, const OnReport&);
template SearchReport OthelloSearch::search(const OthelloBoard<6>&, const SearchLimits&, const OnReport&);
template SearchReport OthelloSearch::search(const OthelloBoard<8>&, const SearchLimits&, const OnReport&);
template SearchReport OthelloSearch::search(const OthelloBoard<10>&, const SearchLimits&, const OnReport&);

}  // namespace tengen
