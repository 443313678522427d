"""The pure core: keys, randomness, geometry, actions, mechanics, records."""
