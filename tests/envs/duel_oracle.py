"""The oracle of the duels: rewards by brute force, what rivals draw from, and games replayed with Position."""

from functools import cache

import numpy as np
import pytest

from tengen import Position, _core

TIC_TAC_TOE = "gomoku:size=3,win=3"
EVERYONE = {"random": 1, "greedy": 1, "minimax:depth=1": 1, "minimax:depth=2": 1, "self": 1}
IN_OTHELLO = {"random": 1, "greedy": 1, "self": 1}
EMPTY = 0

# The rewards once more, slow and plain: freestyle only, one line of cells at a time.


@cache
def shape(line, at, mine, win):
    """S0's shape through the stone of ``mine`` at ``at``: 7 five, 6 and 5 fours, 4 and 3 threes, 2 and 1 twos."""
    first = last = at
    while first > 0 and line[first - 1] == mine:
        first -= 1
    while last + 1 < len(line) and line[last + 1] == mine:
        last += 1
    if last - first + 1 >= win:
        return 7
    if line.count(mine) + 3 < win:  # nothing is named that needs more than three stones
        return 0
    grown = [
        shape((*line[:empty], mine, *line[empty + 1 :]), at, mine, win)
        for empty in range(max(0, at - win), min(len(line), at + win + 1))
        if line[empty] == EMPTY
    ]
    if grown.count(7):
        return 6 if grown.count(7) > 1 else 5
    return max([step - 2 for step in grown if step >= 3], default=0)


def lines_through(board, row, column):
    """The four whole lines through a point, and where on each the point is."""
    for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
        cells, at, size = [], 0, len(board)
        for step in range(-size, size + 1):
            r, c = row + step * down, column + step * right
            if 0 <= r < size and 0 <= c < size:
                at = len(cells) if step == 0 else at
                cells.append(int(board[r, c]))
        yield cells, at


def made_at(position, side, action):
    """What S0's table gives for the best shape that ``side`` makes at the empty point."""
    best = 0
    for cells, at in lines_through(position.board(), *divmod(action, position.size)):
        mine = side.index + 1
        cells[at] = mine
        best = max(best, shape(tuple(cells), at, mine, position.game.win))
    return (0, 5, 10, 20, 30, 60, 100, 200)[best]


def longest_line(position, side):
    board, size, win, longest = position.board(), position.size, position.game.win, 0
    for row in range(size):
        for column in range(size):
            for down, right in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                cells = [(row + i * down, column + i * right) for i in range(win)]
                if all(0 <= r < size and 0 <= c < size for r, c in cells):
                    stones = [board[cell] for cell in cells]
                    if side.other.index + 1 not in stones:
                        longest = max(longest, stones.count(side.index + 1))
    return longest


def expected_reward(kind, before, action, answer, outcome):
    own, rival = before.to_move, before.to_move.other
    value = outcome.value(own) if outcome else None
    if kind == "win":
        return value or 0
    after = before.copy()
    after.play(action)
    if kind == "s1":
        if value:
            return value
        longer = longest_line(after, own) > longest_line(before, own)
        return 0.6 * longer + 0.4 * (longest_line(after, rival) < longest_line(before, rival))
    if value is not None:
        return {1: 800, -1: -200, 0: -20}[value]
    made, broken = made_at(before, own, action), made_at(before, rival, action)
    theirs = 0 if answer is None else made_at(after, rival, answer)
    rival_share = 0.3 if theirs <= made else 0.5 if theirs <= 60 else 0.8
    break_share = 0.3 if broken <= 20 else 0.5 if broken <= 60 else 1.0
    return made - rival_share * theirs + break_share * broken


def candidates(position, rival):
    """What the rival draws from."""
    if rival == "random":
        return position.legal_moves()
    if rival == "greedy" and position.game.kind == "othello":
        most = max(len(position.flips(move)) for move in position.legal_moves())
        return [move for move in position.legal_moves() if len(position.flips(move)) == most]
    if rival == "greedy":
        return position.core.greedy_candidates()
    search = _core.Minimax(depth=int(rival[-1]))
    search.search(position.core)
    return search.best_moves


def expected_mask(position, margin):
    legal = position.legal_mask()
    if margin is None:
        return legal
    size, near = position.size, np.zeros((position.size, position.size), dtype=bool)
    rows, columns = np.nonzero(position.board())
    if len(rows):
        near[max(0, rows.min() - margin) : rows.max() + margin + 1, max(0, columns.min() - margin) :] = True
        near[:, columns.max() + margin + 1 :] = False
    else:
        first = max(0, (size - 5) // 2)
        near[first : first + 5, first : first + 5] = True
    inside = legal & near.ravel()
    return inside if inside.any() else legal


def follow(env, steps, *, reward="win", margin=None, side=None, openings=(), opening_plies=0):
    """Step the environment with a position per game beside it; returns (ended, won, lost, drawn)."""
    turn, begun_with, positions, counts = 0, [-1] * len(env), [None] * len(env), np.zeros(4, dtype=int)

    def begin(game):
        nonlocal turn
        if openings:
            begun_with[game] = turn % len(openings)
            turn += 1
        moves = env.history(game)
        opening = list(openings[begun_with[game]]) if openings else moves[:opening_plies]
        assert moves[: len(opening)] == opening
        start, rival = Position(env.game, opening), env.rivals[env.rival[game]]
        assert not start.is_over
        if len(moves) > len(opening):
            assert rival != "self"
            assert len(moves) == len(opening) + 1
            assert moves[-1] in candidates(start, rival)
        positions[game] = env.position(game)

    def check_shown(game):
        position = positions[game]
        assert position.moves == env.history(game)
        assert env.to_move[game] == position.to_move.index
        assert env.self_play[game] == (env.rivals[env.rival[game]] == "self")
        assert side is None or env.self_play[game] or position.to_move == side
        assert np.array_equal(env.mask[game], expected_mask(position, margin))
        assert env.encoding is None or np.array_equal(env.planes[game], position.planes(env.encoding))

    for game in range(len(env)):
        begin(game)
        check_shown(game)
    for number in range(steps):
        actions = env.explore_actions("greedy" if number % 4 else "random").copy()
        shown = env.to_move.copy(), env.rival.copy(), env.self_play.copy()
        assert env.mask[np.arange(len(env)), actions].all()
        env.step(actions)
        stepped = env.last_side, env.stepped_rival, env.stepped_self_play
        assert all(map(np.array_equal, shown, stepped))
        for game, action in enumerate(actions.tolist()):
            before, rival, answer = positions[game], env.rivals[env.stepped_rival[game]], None
            after = before.copy()
            after.play(action)
            if not after.is_over and rival != "self":
                choices = candidates(after, rival)
                if env.ended[game]:  # the game is gone, but the rival must have had a move that ends it this way
                    endings = [choice for choice in choices if result_after(after, choice) == env.result[game]]
                    assert endings
                    answer = endings[0]
                else:
                    answer = env.history(game)[before.ply + 1]
                    assert answer in choices
                after.play(answer)
            outcome = after.outcome()
            assert env.ended[game] == after.is_over
            assert env.result[game] == after.core.result
            assert env.length[game] == (after.ply if outcome else 0)
            assert env.opening[game] == (begun_with[game] if outcome else -1)
            assert env.reward[game] == pytest.approx(expected_reward(reward, before, action, answer, outcome), abs=1e-4)
            if outcome:
                counts += [1, *(outcome.value(before.to_move) == value for value in (1, -1, 0))]
                begin(game)
            else:
                positions[game] = after
            check_shown(game)
    return counts.tolist()


def result_after(position, move):
    end = position.copy()
    end.play(move)
    return end.core.result
