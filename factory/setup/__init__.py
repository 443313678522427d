"""What ``factory setup`` does: system libraries, art, a browser and a bank of backdrops."""

from factory.setup.steps import run

__all__ = ["run"]
