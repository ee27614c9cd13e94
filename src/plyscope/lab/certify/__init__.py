"""`certify`: play an agent against every line of play of its opponent; can it be beaten?

Nothing is sampled: the agent's ties and its random openings are all followed, the opponent tries
every legal move. Where that is too much, the opponent is the engine, or on a game of one's own
alpha-beta. A loss found so is a proof; that none was found is not.
"""

from plyscope.lab.certify.certificate import Certificate, SideCertificate, certify

__all__ = ["Certificate", "SideCertificate", "certify"]
