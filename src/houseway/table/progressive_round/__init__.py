"""The progressive round: sensors, locking in, claims, confirmation, envy and the wins of a table on a link."""
