"""Quiz: searches done by hand, marked node by node and edge by edge, with a diagnosis.

A question is a tree with the conventions of its search. An answer gives, for each node, the `value`
that it returns, its window (`alpha`, `beta`), whether the edge above it is `cut`, and whether it is
searched `again`. A node is named by its letter on the sheet or by its path: `0.2.1` is the second
child of the third child of the first child of the root, and the empty text is the root. ITEMS_OF
has the items by algorithm.
"""

from plyscope.lab.questions.quiz.answer import Answer, read_answer
from plyscope.lab.questions.quiz.due import next_due
from plyscope.lab.questions.quiz.marking import Mark, Marking, mark
from plyscope.lab.questions.quiz.question import ITEMS, ITEMS_OF, NodeKey, Question

__all__ = [
    "ITEMS",
    "ITEMS_OF",
    "Answer",
    "Mark",
    "Marking",
    "NodeKey",
    "Question",
    "mark",
    "next_due",
    "read_answer",
]
