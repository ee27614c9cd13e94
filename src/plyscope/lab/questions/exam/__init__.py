"""Random exam questions on trees and on boards, reproducible by a seed."""
