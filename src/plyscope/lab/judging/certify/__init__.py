"""`certify`: play every possible game against an agent to see whether it can be beaten.

The opponent tries every legal move. If the agent may play several moves, by ties or random
openings, all of them are followed. The moves of a function or a program are only a sample: it is
called several times in each position, unless the whole code of a function was read. If there
are too many lines of play, the engine is the opponent, or alpha-beta on a user-defined game. A loss
found this way is a proof; finding none is not.
"""

from plyscope.lab.judging.certify.certificate import Certificate, SideCertificate, certify

__all__ = ["Certificate", "SideCertificate", "certify"]
