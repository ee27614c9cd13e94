"""Classes: check, judge and grade students' submissions by a rubric, with the same result
everywhere. `plyscope.houses` describes the dictionary.
"""

COMMANDS = {"class": "plyscope_class.commands"}
