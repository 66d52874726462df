"""A whole round adjudicated from a request: the JSON contract of ``houseway settle``."""

from houseway.adjudication.contract import parse_json, settle_object, settle_text, write_json

__all__ = ["parse_json", "settle_object", "settle_text", "write_json"]
