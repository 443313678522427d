"""From shards to trained models: what reads a run and feeds a trainer.

Needs the train extra (``make train-extra``). ``tiny_model`` builds a vision-language
model small enough for tests. This package sees ``factory.core`` and ``exporters``
and nothing else of the project; nothing of the project sees it.
"""
