"""Questions to students: quizzes and exams."""
