"""Counting kernels, each for one shape of game; ``proof.solver`` chooses among them."""
