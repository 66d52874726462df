"""A whole round adjudicated from a request: the JSON contract of ``houseway settle``."""

from houseway.adjudication.contract import is_one_object, settle_object, settle_text, write_json

__all__ = ["is_one_object", "settle_object", "settle_text", "write_json"]
