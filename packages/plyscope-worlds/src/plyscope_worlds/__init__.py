"""plyscope's agents in other libraries and programs, and their games and agents in plyscope.

A library is imported only when it is used. `plyscope.houses` describes the three dictionaries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyscope.houses import public

COMMANDS = {"export": "plyscope_worlds.export", "gomocup": "plyscope_worlds.gomocup"}
GAMES = {"openspiel": "plyscope_worlds.openspiel_games:from_openspiel"}
AGENTS = {"connectx": "plyscope_worlds.connectx_agents:ConnectXPlayer"}

_MODULE_OF = {
    "as_openspiel_bot": "openspiel_bots",
    "as_pettingzoo_policy": "pettingzoo",
    "connectx_submission": "connectx_export",
    "from_openspiel": "openspiel_games",
    "gymnasium_env": "gymnasium",
}
"""The public names, each with its module."""
__all__ = sorted(_MODULE_OF)

if TYPE_CHECKING:  # the same names for type checkers
    from plyscope_worlds.connectx_export import connectx_submission as connectx_submission
    from plyscope_worlds.gymnasium import gymnasium_env as gymnasium_env
    from plyscope_worlds.openspiel_bots import as_openspiel_bot as as_openspiel_bot
    from plyscope_worlds.openspiel_games import from_openspiel as from_openspiel
    from plyscope_worlds.pettingzoo import as_pettingzoo_policy as as_pettingzoo_policy
else:
    __getattr__ = public(__name__, _MODULE_OF)
