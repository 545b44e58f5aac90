// Renju fouls by name: positions in which black's stone at `point` is or is not a foul. Data only, shared by tests.
//
// A case called "recursion N deep" is answered wrongly by a test that asks fewer than N times in a row whether a
// straight-four point is a foul itself (reference_selftest.cpp proves that for each of them). Such a case is a double
// three when N is even and none when N is odd: without any look every three counts, and each look that matters turns
// that round.
#pragma once

// Points such as "h8 i9": column letter, row number from the bottom of a 15x15 board. `foul` is one of "none",
// "double-three", "double-four", "overline".
struct RenjuCase {
    const char* name;
    const char* black;
    const char* white;
    const char* point;
    const char* foul;
};

inline constexpr RenjuCase renju_cases[] = {
    // Nothing forbidden.
    {"empty board", "", "", "h8", "none"},
    {"a single three", "f8 g8", "", "h8", "none"},
    {"a single four", "e8 f8 g8", "d8", "h8", "none"},
    {"a straight four is one four", "e8 f8 g8", "", "h8", "none"},
    {"four and three", "e8 f8 g8 h9 h10", "d8", "h8", "none"},
    {"straight four and three", "e8 f8 g8 h9 h10", "", "h8", "none"},
    {"a broken four is a four and no three", "d8 f8 g8 h9 h10", "", "h8", "none"},
    {"five", "d8 e8 f8 g8", "", "h8", "none"},

    // Double three.
    {"two solid threes", "f8 g8 h9 h10", "", "h8", "double-three"},
    {"two broken threes", "e8 f8 h10 h11", "", "h8", "double-three"},
    {"two diagonal threes", "i9 j10 i7 j6", "", "h8", "double-three"},
    {"threes through the middle stone", "g8 i8 h7 h9", "", "h8", "double-three"},
    {"three threes", "f8 g8 h9 h10 i9 j10", "", "h8", "double-three"},
    {"four and two threes", "e8 f8 g8 h9 h10 i9 j10", "d8", "h8", "double-three"},
    {"a three with white two away on one side", "f8 g8 h9 h10", "d8", "h8", "double-three"},
    {"a three touched by white is none", "f8 g8 h9 h10", "e8", "h8", "none"},
    {"a three with white two away on both sides is none", "f8 g8 h9 h10", "d8 j8", "h8", "none"},
    {"a broken three with white in the gap is none", "e8 f8 h9 h10", "g8", "h8", "none"},
    {"a three with black three away on one side", "c8 f8 g8 h9 h10", "", "h8", "double-three"},
    {"a three with black three away on both sides is none", "c8 f8 g8 k8 h9 h10", "", "h8", "none"},
    {"a broken three with black two away is none", "c8 e8 f8 h9 h10", "", "h8", "none"},

    // Double four.
    {"two fours", "e8 f8 g8 h9 h10 h11", "d8 h12", "h8", "double-four"},
    {"two broken fours", "d8 e8 f8 h9 h11 h12", "", "h8", "double-four"},
    {"straight four and four", "e8 f8 g8 h9 h10 h11", "h12", "h8", "double-four"},
    {"two fours and two threes", "e8 f8 g8 h9 h10 h11 i9 j10 i7 j6", "d8 h12", "h8", "double-four"},
    {"two fours on one line, x.xXx.x", "e8 g8 i8 k8", "", "h8", "double-four"},
    {"two fours on one line, x.Xxx.x", "f8 i8 j8 l8", "", "h8", "double-four"},
    {"two fours on one line, xx.Xx.xx", "e8 f8 i8 k8 l8", "", "h8", "double-four"},
    {"two fours on one line, xxx.X.xxx", "d8 e8 f8 j8 k8 l8", "", "h8", "double-four"},
    {"two fours on one diagonal, x.xXx.x", "e5 g7 i9 k11", "", "h8", "double-four"},
    {"two fours on one anti-diagonal, xxx.X.xxx", "d12 e11 f10 j6 k5 l4", "", "h8", "double-four"},
    {"x.xXx.x with white in one gap is one four", "e8 g8 i8 k8", "f8", "h8", "none"},
    {"xx.xXx.x has one four, the other gap makes six", "d8 e8 g8 i8 k8", "", "h8", "none"},
    {"a four that only six completes is none", "e8 f8 g8 j8 h9 h10 h11", "d8 h12", "h8", "none"},
    {"a four shut in on both sides is none", "e8 f8 g8 h9 h10 h11", "d8 i8 h12", "h8", "none"},

    // Overline, and what comes before what.
    {"six in a row", "e8 f8 g8 i8 j8", "", "h8", "overline"},
    {"nine in a row", "d8 e8 f8 g8 i8 j8 k8 l8", "", "h8", "overline"},
    {"six in a row and one four", "e8 f8 g8 i8 j8 h9 h10 h11", "h12", "h8", "overline"},
    {"six in a row and one three", "e8 f8 g8 i8 j8 h9 h10", "", "h8", "overline"},
    {"five and six in a row", "d8 e8 f8 g8 h5 h6 h7 h9 h10", "", "h8", "none"},
    {"five and two fours", "d8 e8 f8 g8 h9 h10 h11 i9 j10 k11", "h12 l12", "h8", "none"},
    {"five and two threes", "d8 e8 f8 g8 h9 h10 i9 j10", "", "h8", "none"},
    {"six in a row and two fours is called double four", "e8 f8 g8 i8 j8 h9 h10 h11 i9 j10 k11", "h12 l12", "h8",
     "double-four"},
    {"six in a row and two threes is called double three", "e8 f8 g8 i8 j8 h9 h10 i9 j10", "", "h8", "double-three"},

    // At the edge.
    {"two fours in the corner", "b1 c1 d1 a2 a3 a4", "", "a1", "double-four"},
    {"two fours, one completed on the edge", "b8 c8 d8 e9 e10 e11", "f8 e12", "e8", "double-four"},
    {"two fours completed on two edges", "l3 m3 n3 k2 k4 k5", "j3 k6", "k3", "double-four"},
    {"threes out of the corner are none", "b1 c1 a2 a3", "", "a1", "none"},
    {"a three that starts on the edge is none", "f1 g1 h2 h3", "", "h1", "none"},
    {"threes one step off the corner", "c2 d2 b3 b4", "", "b2", "double-three"},
    {"a three one step off the corner, shut from the far side", "c2 d2 b3 b4", "f2", "b2", "none"},
    {"six along the edge", "a15 b15 d15 e15 f15", "", "c15", "overline"},
    {"a diagonal of four points holds no four", "a4 b3 c2 d2 d3 d4", "", "d1", "none"},
    {"a diagonal of five points holds a four", "a5 b4 c3 e2 e3 e4", "", "e1", "double-four"},
    {"a diagonal of five points holds no three", "b4 c3 d3 d4", "", "d2", "none"},
    {"a diagonal of six points holds a three", "d3 e2 c5 c6", "", "c4", "double-three"},

    // A straight-four point that makes five at once makes no three.
    {"the only straight-four point makes five", "e8 f8 g9 g10 g11 g12 h6 h7", "", "h8", "none"},
    {"the only straight-four point makes five and two fours", "e8 f8 g9 g10 g11 g12 d5 e6 f7 h6 h7", "c4", "h8",
     "none"},
    {"one of two straight-four points makes five", "f8 g8 i9 i10 i11 i12 h6 h7", "", "h8", "double-three"},
    {"both straight-four points make five", "f8 g8 i9 i10 i11 i12 e9 e10 e11 e12 h6 h7", "", "h8", "none"},
    {"the straight-four point is no double three, its own one making five", "e8 f8 i9 j10 g5 g6 f7 e6 h6 i5 j4", "",
     "h8", "double-three"},

    // A straight-four point that is a foul makes no three.
    {"recursion 1 deep: the straight-four point is six in a row", "e8 f8 g5 g6 g7 g9 g10 h6 h7", "", "h8", "none"},
    {"recursion 1 deep: the straight-four point is a double four", "e8 f8 g5 g6 g7 h9 h10", "g4", "h8", "none"},
    {"recursion 1 deep: the straight-four point is a double four with a diagonal", "e8 f8 d5 e6 f7 h6 h7", "c4", "h8",
     "none"},
    {"recursion 1 deep: the straight-four point is a double three", "e8 f8 g6 g7 e6 f7 i7 j6", "", "h8", "none"},
    {"recursion 1 deep: both straight-four points are double fours", "f8 g8 i9 i10 i11 e9 e10 e11 h6 h7", "i12 e12",
     "h8", "none"},
    {"recursion 1 deep: two of three threes have a double four for straight-four point",
     "e8 f8 g9 g10 g11 h10 h11 i9 j9 j10", "g12", "h8", "none"},
    {"one of two straight-four points is a double four", "f8 g8 i9 i10 i11 h6 h7", "i12", "h8", "double-three"},
    {"one of three threes has a double four for straight-four point", "e8 f8 g5 g6 g7 h9 h10 i7 j6", "g4", "h8",
     "double-three"},
    {"the straight-four point is no double three, one of its threes being shut", "e8 f8 g6 g7 e6 f7 i7 j6", "g5", "h8",
     "double-three"},
    {"recursion 2 deep: the straight-four point is no double three, its own one being six in a row",
     "e8 f8 i9 j10 g5 g6 f7 e6 h6 i5 j4 k3", "", "h8", "double-three"},
    {"recursion 2 deep: the straight-four point is no double three, its own one being a double four",
     "e8 f8 i9 j10 g5 g6 f7 e6 h6 i5", "j4", "h8", "double-three"},
    {"recursion 2 deep: seven stones", "h10 h9 f7 g7 f6 j6 k5", "", "h7", "double-three"},
    {"recursion 2 deep: nine stones", "g11 e10 f10 h10 e8 f8 g8 f6 g5", "", "d8", "double-three"},
    {"recursion 3 deep: seven stones", "e11 g11 f10 h10 f9 e8 g8", "", "e9", "none"},
    {"recursion 3 deep: nine stones", "e11 f11 g10 h10 g9 i9 e8 g7 h7", "", "f9", "none"},
    {"recursion 3 deep: a ring of eight, from inside", "i11 j11 h10 k10 h9 k9 i8 j8", "", "i10", "none"},
    {"recursion 3 deep: with a white stone", "h9 f8 j8 f7 h7 f6 i6 e5 i5", "g6", "i7", "none"},
    {"recursion 4 deep: a ring of eight, from its corner", "i11 j11 h10 k10 h9 k9 i8 j8", "", "h7", "double-three"},
    {"recursion 4 deep: nine stones", "g11 e10 h10 e9 f9 f8 g8 j7 e6", "", "h9", "double-three"},
    {"recursion 4 deep: ten stones", "g10 i9 j9 f8 i8 e7 f7 e6 f6 j6", "", "g9", "double-three"},
    {"recursion 5 deep: twelve stones", "e11 g11 h11 i11 i10 e9 f8 h8 f7 h7 h6 i6", "", "g9", "none"},
    {"recursion 5 deep: thirteen stones", "f11 j11 e10 h10 h9 i9 f8 i8 j8 h7 j7 g6 h6", "", "g8", "none"},
};
