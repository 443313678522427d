"""Multi-teacher on-policy distillation (MOPD) of UI-Venus-2, as functions without a trainer.

``hint`` tells the teacher what kind of action is right, ``status`` classifies the student's own
response, ``spans`` finds the tokens of types and arguments, ``weights`` weighs them, ``loss`` is
the objective, ``routing`` sends rows to the teacher of their domain. ``trainer`` is TRL's
GRPOTrainer with these in the place of its advantages and loss.
"""
