"""Classes: submissions of students checked, judged by a rubric, and graded the same everywhere."""
