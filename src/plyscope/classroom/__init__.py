"""Classes: check, judge and grade students' submissions by a rubric, with the same result
everywhere."""
