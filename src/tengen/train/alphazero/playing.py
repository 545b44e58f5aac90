"""The network that self-play asks: batches of positions in, opinions out, while the trees of others are walked."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tengen import _core
from tengen.nets.config import NetConfig
from tengen.nets.evaluator import model_evaluator
from tengen.nets.network import Net, build, fold, infer

_PIECE = 32  # positions judged together on a CPU: more are no faster, and fewer threads could share a batch
_FEWEST_SAMPLES = 128  # to calibrate 8-bit integers with
_OFF_BOARD = -1e4  # a logit


class PlayingNet(Protocol):
    """Answers a fixed number of seats, each from buffers of its own. One thread calls, in any order of the seats."""

    def planes(self, seat: int) -> NDArray[np.uint8]:
        """The buffer where the positions of a seat go."""

    def update(self, net: Net, samples: NDArray[np.uint8]) -> None:
        """Take over the weights of a network of the same shape; what was asked before is answered by the old ones.

        ``samples`` are planes of positions that come up in games, none at first.
        """

    def ask(self, seat: int) -> None:
        """Have the positions in a seat's buffer judged; returns at once."""

    def answer(self, seat: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Wait for policy and win, draw, loss for the last positions; they stay until the seat asks again."""


class GpuNet:
    """On a GPU in bfloat16, copies and all in one CUDA graph a seat."""

    def __init__(self, config: NetConfig, *, batch: int, seats: int, masked: bool, device: torch.device) -> None:
        self._device = device
        self._masked = masked
        self._net = self._prepared(build(config))
        shape = (batch, config.planes, config.size, config.size)
        self._planes = [torch.zeros(shape, dtype=torch.uint8, pin_memory=True) for _ in range(seats)]
        self._policy = [torch.zeros((batch, config.actions()), pin_memory=True) for _ in range(seats)]
        self._wdl = [torch.zeros((batch, 3), pin_memory=True) for _ in range(seats)]
        self._stream = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
        self._done = [torch.cuda.Event() for _ in range(seats)]  # type: ignore[no-untyped-call]
        self._graphs = [self._record(seat) for seat in range(seats)]

    def planes(self, seat: int) -> NDArray[np.uint8]:
        """See :class:`PlayingNet`."""
        return self._planes[seat].numpy()

    def update(self, net: Net, samples: NDArray[np.uint8]) -> None:
        """See :class:`PlayingNet`."""
        with torch.no_grad():
            fresh = self._prepared(net)
            self._stream.wait_stream(torch.cuda.current_stream(self._device))
            with torch.cuda.stream(self._stream):  # behind the answers that are under way
                for mine, theirs in zip(self._net.state_dict().values(), fresh.state_dict().values(), strict=True):
                    mine.copy_(theirs)
            torch.cuda.current_stream(self._device).wait_stream(self._stream)

    def ask(self, seat: int) -> None:
        """See :class:`PlayingNet`."""
        with torch.cuda.stream(self._stream):
            self._graphs[seat].replay()
            self._done[seat].record()

    def answer(self, seat: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """See :class:`PlayingNet`."""
        self._done[seat].synchronize()
        return self._policy[seat].numpy(), self._wdl[seat].numpy()

    def _prepared(self, net: Net) -> Net:
        folded = fold(net).to(self._device, torch.bfloat16)
        return folded.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]

    @torch.no_grad()
    def _judge(self, seat: int) -> None:
        planes: Tensor = self._planes[seat].to(self._device, non_blocking=True)
        planes = planes.to(torch.bfloat16, memory_format=torch.channels_last)
        policy, wdl = infer(self._net, planes, masked=self._masked)
        self._policy[seat].copy_(policy, non_blocking=True)
        self._wdl[seat].copy_(wdl, non_blocking=True)

    def _record(self, seat: int) -> torch.cuda.CUDAGraph:
        with torch.cuda.stream(self._stream):
            for _ in range(3):  # libraries choose their kernels before the recording
                self._judge(seat)
            self._stream.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=self._stream):
                self._judge(seat)
        return graph


class CpuNet:
    """On a CPU by ONNX Runtime: a batch is cut into pieces, which ``threads`` threads share.

    With ``int8``, in 8-bit integers as soon as there are positions to calibrate with, which is about three times as
    fast as float32. Which thread judges a piece makes no difference to the answer.
    """

    def __init__(self, config: NetConfig, *, batch: int, seats: int, masked: bool, threads: int, int8: bool) -> None:
        self._config = config
        self._masked = masked
        self._int8 = int8
        self._crew = ThreadPoolExecutor(threads, "judge")
        self._planes = [np.zeros((batch, config.planes, config.size, config.size), np.uint8) for _ in range(seats)]
        self._policy = [np.zeros((batch, config.actions()), np.float32) for _ in range(seats)]
        self._wdl = [np.zeros((batch, 3), np.float32) for _ in range(seats)]
        self._pieces = [slice(start, start + _PIECE) for start in range(0, batch, _PIECE)]
        self._under_way: list[list[Future[None]]] = [[] for _ in range(seats)]
        self.update(build(config), self._planes[0][:0])

    def planes(self, seat: int) -> NDArray[np.uint8]:
        """See :class:`PlayingNet`."""
        return self._planes[seat]

    def update(self, net: Net, samples: NDArray[np.uint8]) -> None:
        """See :class:`PlayingNet`."""
        from tengen.nets.export import onnx_bytes  # needs onnx, which a GPU can do without

        if self._masked:  # an exported network takes boards that fill the input
            size = self._config.size
            samples = samples[_board_sizes(samples) == size]
        calibration = samples if self._int8 and len(samples) >= _FEWEST_SAMPLES else None
        model = onnx_bytes(net, self._config, training={}, int8_samples=calibration)
        self._evaluator = model_evaluator(model, self._config)

    def ask(self, seat: int) -> None:
        """See :class:`PlayingNet`."""
        judge = self._judge_sizes if self._masked else self._judge
        self._under_way[seat] = [self._crew.submit(judge, self._evaluator, seat, piece) for piece in self._pieces]

    def answer(self, seat: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """See :class:`PlayingNet`."""
        for piece in self._under_way[seat]:
            piece.result()
        return self._policy[seat], self._wdl[seat]

    def _judge(self, evaluator: _core.Evaluator, seat: int, piece: slice) -> None:
        self._policy[seat][piece], self._wdl[seat][piece] = evaluator.evaluate(self._planes[seat][piece])

    def _judge_sizes(self, evaluator: _core.Evaluator, seat: int, piece: slice) -> None:
        """Boards of several sizes, in the upper left of their planes: one batch for each size."""
        planes, policy, wdl = self._planes[seat][piece], self._policy[seat][piece], self._wdl[seat][piece]
        stride = self._config.size
        sizes = _board_sizes(planes)
        policy.fill(_OFF_BOARD)
        cells = policy.reshape(-1, stride, stride)  # Gomoku, which has no pass: Othello is of one size
        for size in np.unique(sizes):
            chosen = sizes == size
            board = np.ascontiguousarray(planes[chosen, :, :size, :size])
            logits, wdl[chosen] = evaluator.evaluate(board)
            cells[chosen, :size, :size] = logits.reshape(-1, size, size)


def _board_sizes(planes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Of each board, by plane 0, which is 1 on it."""
    sizes: NDArray[np.int64] = planes[:, 0, 0].sum(1, dtype=np.int64)
    return sizes
