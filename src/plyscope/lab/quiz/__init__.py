"""Quiz: a person's search on paper, marked node by node and edge by edge, with a diagnosis.

A question is a tree with the conventions it is to be searched by. An answer gives, by the letters
of the sheet or by path (`0.2.1`: the children's numbers from the root, 0-based; the root is the
empty text), the `value`
that a node returns, the window (`alpha`, `beta`) it is called with, whether the edge above it is
`cut`, and whether it is searched `again`. What is asked for is any of ASKED_OF its algorithm.
"""

from plyscope.lab.quiz.answer import Answer, read_answer
from plyscope.lab.quiz.due import next_due
from plyscope.lab.quiz.marking import Mark, Marking, mark
from plyscope.lab.quiz.question import ASKED, ASKED_OF, NodeKey, Question

__all__ = [
    "ASKED",
    "ASKED_OF",
    "Answer",
    "Mark",
    "Marking",
    "NodeKey",
    "Question",
    "mark",
    "next_due",
    "read_answer",
]
