"""What a hand is worth. One module a ranking; every value is an integer and higher is better."""
