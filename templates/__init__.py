"""Page and panel templates with their wording; no code but these paths."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent
BASE = ROOT / "_base"
BACKDROPS = ROOT / "backdrops"
SCENARIOS = ROOT / "scenarios"
LLM = ROOT / "llm"
