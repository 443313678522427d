"""The chain SFT -> RL -> MOPD -> merge on two CPU cores, with a small model of its own.

``factory train demo`` makes shards, trains teachers on three domains, distils and merges them,
and prints one table. The model reads pixels and writes the factory's own answer form, letter by
letter; objectives, rewards, statuses and merges are those of ``training``. What it shows and
what it does not is in ``docs/training.md``.
"""
