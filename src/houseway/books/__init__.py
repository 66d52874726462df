"""The books: what is read out of a floor's journal, and never written to it. The engine that writes is `manager`.

Reports, bundles, signs, win pages, the journal in words, and the checks that the journal still says what it said.
"""
