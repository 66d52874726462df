"""The floor over HTTP: the API, its live streams, and who may use them. No rule, sum or decision lives here."""
