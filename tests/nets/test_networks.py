from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn import functional

import tengen
from tengen.nets import build, fold, infer, s0_config, s1_config, s2_config, s3_config, s4_config
from tengen.nets._layers import Block


def padded(positions, size):
    """The same boards in the upper left of larger inputs, with rubbish off the board in all planes but the mask."""
    n, planes, small, _ = positions.shape
    large = np.ones((n, planes, size, size), np.uint8)
    large[:, 0] = 0
    large[:, :, :small, :small] = positions
    return torch.from_numpy(large)


def cells(policy, large, small):
    return policy.reshape(-1, large, large)[:, :small, :small].reshape(-1, small * small)


def outputs_of(net, planes, **options):
    with torch.no_grad():
        return net(planes, **options)


# The networks of the sources.


def test_s0_to_s2_have_the_layers_of_the_sources():
    def parameters(config):
        return sum(p.numel() for p in build(config).parameters())

    norm = 2  # scale and shift per channel; the convolutions before it need no bias
    assert parameters(s0_config()) == (
        64 * (2 * 25 + norm) + 128 * (64 * 9 + norm) + 128 * (128 * 9 + norm) + (128 * 49 * 49 + 49)
    )
    assert parameters(s1_config()) == 3 * (9 + norm) + (3 * 225 * 225 + 225)
    assert parameters(s2_config()) == (3 * 8 * 3 + 8) + (8 * 12 * 3 + 12) + (12 * 64 * 65 + 65)


def test_dueling_adds_one_number_of_the_position_to_s0_to_s2_and_takes_three_from_tengens(gomoku, othello):
    def parameters(config, **changes):
        return sum(p.numel() for p in build(replace(config, **changes)).parameters())

    for config, inputs in ((s0_config(), 128 * 49), (s1_config(), 3 * 225), (s2_config(), 12 * 64)):
        assert parameters(config, dueling=True) - parameters(config) == inputs + 1
    for config in (gomoku, othello):
        assert parameters(config) - parameters(config, dueling=False) == (3 * 64 * 64 + 64) + (64 * 3 + 3)


def test_s2_sees_the_board_as_a_line():
    net = build(s2_config())
    one, other = torch.zeros(2, 3, 8, 8)
    for planes, row, column in ((one, 2, 7), (other, 3, 0)):  # neighbours in the line
        planes[1, row, column] = 1
    seen = [
        net.trunk[0](planes.flatten(1)[None, :, None]) - net.trunk[0](torch.zeros(1, 3, 1, 64))
        for planes in (one, other)
    ]
    assert torch.allclose(seen[0][..., 20:30], seen[1][..., 21:31])


def test_s3_has_the_layers_of_the_source():
    net = build(s3_config())
    assert sum(p.numel() for p in net.parameters()) == (
        (4 * 32 * 9 + 32) + (32 * 64 * 9 + 64) + (64 * 128 * 9 + 128)  # conv 32, 64, 128
        + (128 * 4 + 4) + (4 * 225 * 225 + 225)  # policy
        + (128 * 2 + 2) + (2 * 225 * 64 + 64) + (64 + 1)  # value
    )  # fmt: skip


def test_s4_has_the_layers_of_the_source():
    net = build(s4_config())
    norm = 2  # scale and shift per channel; the convolutions before it need no bias
    assert sum(p.numel() for p in net.parameters()) == (
        256 * (13 * 9 + norm) + 7 * 2 * 256 * (256 * 9 + norm)  # conv 256, 7 blocks of 256
        + 2 * (256 + norm) + (2 * 225 * 225 + 225)  # policy: 2 filters, dense 225
        + (256 + norm) + (225 * 256 + 256) + (256 + 1)  # value: 1 filter, dense 256, dense 1
    )  # fmt: skip


# All networks.


@pytest.mark.parametrize("dtype", [torch.uint8, torch.float32])
def test_shapes(config, dtype, make_positions):
    net = build(config).eval()
    outputs = outputs_of(net, torch.from_numpy(make_positions(config, 3)).to(dtype))
    assert outputs.policy.shape == (3, config.actions())
    own, judges = config.kind == "tengen", not config.rates_moves
    shapes = {key: None if output is None else tuple(output.shape) for key, output in outputs._asdict().items()}
    assert shapes["wdl"] == ((3, 3) if own and judges else None)
    assert shapes["value"] == ((3,) if judges and not own else None)
    assert shapes["reply"] == (shapes["policy"] if own else None)


def test_a_fresh_network_has_no_opinion(config, make_positions):
    planes = torch.from_numpy(make_positions(config, 16))
    for seed in range(3):
        torch.manual_seed(seed)
        net = build(config).train()  # with the statistics of the batch, as in the first step of a training
        policy, wdl = infer(net, planes)
        uniform = 1 / config.actions()
        assert (policy.softmax(1) / uniform).max() < 2.5
        assert (wdl[:, 0] - wdl[:, 2]).abs().max() < 0.35


@pytest.mark.parametrize("pooled", [False, True])
def test_a_fresh_block_changes_nothing(pooled):
    x = torch.rand(2, 8, 5, 5)
    torch.testing.assert_close(Block(8, pooled=pooled).train()(x), x)


@pytest.mark.parametrize("kind", ["s4", "s0"])
def test_the_value_of_the_sources_is_win_minus_loss(kind, make_net, make_positions):
    config = s4_config(9, blocks=1, channels=8) if kind == "s4" else replace(s0_config(9, channels=8), dueling=True)
    net = make_net(config)
    if kind == "s0":
        torch.nn.init.constant_(net.value.bias, 40.0)  # of rewards beyond 1
    planes = torch.from_numpy(make_positions(config, 8))
    value = outputs_of(net, planes).value
    with torch.no_grad():
        wdl = infer(net, planes)[1]
    torch.testing.assert_close(wdl[:, 0] - wdl[:, 2], value)
    torch.testing.assert_close(wdl.sum(1), torch.ones(8))
    assert (value.min() > 30) == (kind == "s0")


def test_positions_do_not_mix(config, make_net, make_positions):
    net = make_net(config)
    planes = torch.from_numpy(make_positions(config, 6))
    order = torch.tensor([3, 0, 5, 1, 4, 2])
    with torch.no_grad():
        for here, there in zip(infer(net, planes[order]), infer(net, planes), strict=True):
            torch.testing.assert_close(here, there[order], atol=1e-5, rtol=1e-4)


def test_a_folded_network_says_the_same(config, make_net, make_positions):
    net = make_net(config)
    folded = fold(net)
    assert not any(isinstance(module, torch.nn.BatchNorm2d) for module in folded.modules())
    assert not any(parameter.requires_grad for parameter in folded.parameters())
    assert all(parameter.requires_grad for parameter in net.parameters()), "the original must stay as it was"
    planes = torch.from_numpy(make_positions(config, 16))
    variants = [{}, {"masked": True}] if config.kind == "tengen" else [{}]
    for options in variants:
        with torch.no_grad():
            for here, there in zip(infer(folded, planes, **options), infer(net, planes, **options), strict=True):
                torch.testing.assert_close(here, there, atol=1e-4, rtol=0)


def test_folding_twice_is_folding_once(gomoku, make_net, make_positions):
    once = fold(make_net(gomoku))
    planes = torch.from_numpy(make_positions(gomoku, 2))
    torch.testing.assert_close(infer(fold(once), planes), infer(once, planes))


def test_bf16_stays_near(config, make_net, make_positions):
    net = fold(make_net(config))
    planes = torch.from_numpy(make_positions(config, 8))
    exact, rough = infer(net, planes), infer(fold(net).bfloat16(), planes)
    assert rough[0].dtype == rough[1].dtype == torch.float32
    assert (exact[1] - rough[1]).abs().max() < 0.05


# Tengen's: boards of any size, padded or not.


def test_the_same_network_plays_every_size(gomoku, make_net, make_positions):
    net = make_net(gomoku)
    for size in (5, 9, 15, 20):
        assert outputs_of(net, torch.from_numpy(make_positions(gomoku, 2, size))).policy.shape == (2, size * size)


@pytest.mark.parametrize("folded", [False, True])
def test_a_padded_board_is_evaluated_as_if_alone(gomoku, make_net, make_positions, folded):
    net = fold(make_net(gomoku)) if folded else make_net(gomoku)
    positions = make_positions(gomoku, 6)
    alone = outputs_of(net, torch.from_numpy(positions))
    inside = outputs_of(net, padded(positions, 15), masked=True)
    torch.testing.assert_close(cells(inside.policy, 15, 9), alone.policy, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(cells(inside.reply, 15, 9), alone.reply, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(inside.wdl, alone.wdl, atol=1e-5, rtol=1e-5)
    off_board = inside.policy.reshape(-1, 15, 15)[:, 9:]
    assert (off_board == -1e4).all()


def test_sizes_share_a_batch(gomoku, make_net, make_positions):
    net = make_net(gomoku)
    small, large = make_positions(gomoku, 3), make_positions(gomoku, 3, 15)
    together = outputs_of(net, torch.cat([padded(small, 15), torch.from_numpy(large)]), masked=True)
    torch.testing.assert_close(
        cells(together.policy[:3], 15, 9), outputs_of(net, torch.from_numpy(small)).policy, atol=1e-5, rtol=1e-5
    )
    torch.testing.assert_close(
        together.policy[3:], outputs_of(net, torch.from_numpy(large)).policy, atol=1e-5, rtol=1e-5
    )


def test_the_pass_comes_last_and_survives_padding(othello, make_net, make_positions):
    net = make_net(othello)
    positions = make_positions(othello, 4, 6)
    alone = outputs_of(net, torch.from_numpy(positions))
    inside = outputs_of(net, padded(positions, 8), masked=True)
    assert alone.policy.shape == (4, 37)
    torch.testing.assert_close(inside.policy[:, 64], alone.policy[:, 36], atol=1e-5, rtol=1e-5)


def test_training_on_padded_boards_is_training_on_the_boards(gomoku, make_net, make_positions):
    positions = make_positions(gomoku, 8)
    target = torch.arange(8) * 7
    learned = []
    for planes, options, size in (
        (torch.from_numpy(positions), {}, 9),
        (padded(positions, 13), {"masked": True}, 13),
    ):
        net = make_net(gomoku).train()
        outputs = net(planes, **options)
        loss = functional.cross_entropy(cells(outputs.policy, size, 9), target) + outputs.wdl.square().sum()
        loss.backward()
        gradients = {f"gradient of {name}": p.grad for name, p in net.named_parameters() if p.grad is not None}
        learned.append({"loss": loss.detach(), **gradients, **dict(net.named_buffers())})
    plain, masked = learned
    assert plain.keys() == masked.keys()
    for name in sorted(name for name in plain if not name.endswith("num_batches_tracked")):
        tight = {"atol": 1e-5, "rtol": 1e-4} if "running" in name else {"atol": 2e-4, "rtol": 2e-3}
        torch.testing.assert_close(masked[name], plain[name], **tight, msg=lambda m, n=name: f"{n}: {m}")


@pytest.mark.parametrize("masked", [False, True])
def test_it_learns(gomoku, make_positions, masked):
    torch.manual_seed(1)
    net = build(gomoku).train()
    planes = torch.from_numpy(make_positions(gomoku, 24, 7))
    planes = padded(planes.numpy(), 9) if masked else planes
    side = planes.shape[2]
    target = torch.arange(24) % 7 * side + torch.arange(24) // 7
    result = torch.arange(24) % 3
    optimizer = torch.optim.Adam(net.parameters(), 0.01)
    losses = []
    for _ in range(40):
        outputs = net(planes, masked=masked)
        loss = functional.cross_entropy(outputs.policy, target) + functional.cross_entropy(outputs.wdl, result)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.3 * losses[0]


@pytest.mark.parametrize("masked", [False, True])
def test_mixed_precision_stays_near(gomoku, make_net, make_positions, masked):
    net = make_net(gomoku).train()
    planes = torch.from_numpy(make_positions(gomoku, 16))
    exact = net(planes, masked=masked)
    with torch.autocast("cpu", torch.bfloat16):
        rough = net(planes, masked=masked)
    assert rough.policy.dtype == torch.bfloat16
    assert (exact.policy - rough.policy).abs().max() < 0.4 * exact.policy.std()
    assert (exact.wdl - rough.wdl).abs().max() < 0.1


def test_the_sources_know_no_mask(make_positions):
    config = s3_config(9, channels=8)
    with pytest.raises(tengen.TengenError, match="one board size"):
        build(config)(torch.from_numpy(make_positions(config, 1)), masked=True)


def test_a_symmetric_network_turns_with_the_board(gomoku, make_net, make_positions):
    net = make_net(gomoku)
    make_symmetric(net)
    planes = torch.from_numpy(make_positions(gomoku, 4))
    policy, wdl = infer(net, planes)
    for turns in range(4):
        for flip in (False, True):
            there_policy, there_wdl = infer(net, turn(planes, turns, flip))
            torch.testing.assert_close(there_policy, turn(policy.view(4, 9, 9), turns, flip).flatten(1))
            torch.testing.assert_close(there_wdl, wdl)


def turn(boards, turns, flip):
    boards = torch.rot90(boards, turns, (-2, -1))
    return boards.flip(-1) if flip else boards


def make_symmetric(net):
    """Average every kernel over the eight symmetries of the square."""
    for module in net.modules():
        if isinstance(module, torch.nn.Conv2d):
            turned = [turn(module.weight.data, turns, flip) for turns in range(4) for flip in (False, True)]
            module.weight.data = torch.stack(turned).mean(0)
