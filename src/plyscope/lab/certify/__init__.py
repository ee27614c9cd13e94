"""`certify`: play an agent against every line of play of its opponent; can it be beaten?

The agent's ties and its random openings are all followed, the opponent tries every legal move. A
function or a program is asked several times about each position, and that is a sample: functions
are watched for what else they draw on. Where every line is too much, the opponent is the engine, or
on a game of one's own alpha-beta. A loss found so is a proof; that none was found is not.
"""

from plyscope.lab.certify.certificate import Certificate, SideCertificate, certify

__all__ = ["Certificate", "SideCertificate", "certify"]
