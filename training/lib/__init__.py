"""Parts of the small model: examples, answers, readers of mechanics, heads, scores."""

import os

# Threads that wait for each other by spinning cost threefold processor time where something
# else runs too. Read when torch is loaded, so it has to stand before that.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
