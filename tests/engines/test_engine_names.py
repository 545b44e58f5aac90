"""Names with quotes: a command may contain commas."""

import pytest

import tengen
from tengen import PlayerNameError
from tengen.naming import join_name, split_name


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ('engine:cmd=x "a,b" c,time=1', {"cmd": 'x "a,b" c', "time": "1"}),
        ("engine:cmd='/a b/x' --y=\"1,2\"", {"cmd": "'/a b/x' --y=\"1,2\""}),
        ("engine:cmd=x 'say \"a,b\"', time = 1", {"cmd": "x 'say \"a,b\"'", "time": "1"}),
    ],
)
def test_commas_in_quotes_separate_nothing(name, options):
    assert split_name(name, what="player", error=PlayerNameError) == ("engine", options)
    assert split_name(join_name("engine", options), what="player", error=PlayerNameError) == ("engine", options)


def test_the_command_has_its_words():
    player = tengen.player('engine:cmd=sh engine --player "alphabeta:depth=2,vct=4",time=1')
    assert player.engine._command == ["sh", "engine", "--player", "alphabeta:depth=2,vct=4"]
    assert tengen.player(player.name).name == player.name


def test_quotes_are_closed():
    with pytest.raises(PlayerNameError, match="quote is not closed"):
        tengen.player("engine:cmd='x,time=1")
