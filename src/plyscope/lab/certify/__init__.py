"""`certify`: play every possible game against an agent to see whether it can be beaten.

The opponent tries every legal move, and every tie and random opening of the agent is followed. The
moves of a function or a program are only a sample: each position is asked several times, and
functions are watched for other sources of chance. If there are too many lines, the opponent is the
engine, or alpha-beta on a user-defined game. A loss found this way is a proof; finding none is not.
"""

from plyscope.lab.certify.certificate import Certificate, SideCertificate, certify

__all__ = ["Certificate", "SideCertificate", "certify"]
