"""Exam questions, drawn from a seed: on trees, and on boards."""
