"""Small models that try to guess an answer from what should not tell it.

Ridge regression one against the rest, and a shallow tree over binned features, both
judged on folds that they have not seen.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

FOLDS = 5
RIDGE = 10.0
"""Strength of the ridge: sixty features over hundreds of draws do not fit noise."""

BINS = 12
DEPTH = 3
LEAST_LEAF = 12
"""Draws that both sides of a split keep."""

Matrix = Any
"""``(draws, features)`` float64."""


def accuracy(features: Matrix, values: Sequence[Hashable]) -> float:
    """The better probe's share of right guesses on unseen draws."""
    labels = np.unique([repr(value) for value in values], return_inverse=True)[1]
    scaled = _scaled(features) if features.size else features
    if not scaled.shape[1]:
        return majority(values)
    binned = _binned(features)
    count, classes = len(labels), int(labels.max()) + 1
    fold = np.arange(count) * 7 % FOLDS  # neighbours in different folds, every fold as large
    right = np.zeros(2)
    for number in range(FOLDS):
        seen, unseen = fold != number, fold == number
        weights = _ridge(scaled[seen], labels[seen], classes)
        right[0] += (np.argmax(_with_one(scaled[unseen]) @ weights, axis=1) == labels[unseen]).sum()
        tree = _grown(binned[seen], labels[seen], classes, DEPTH)
        right[1] += (_told(tree, binned[unseen]) == labels[unseen]).sum()
    return float(right.max() / count)


def majority(values: Sequence[Hashable]) -> float:
    """The share of the commonest value: what guessing without looking gives."""
    return float(np.unique([repr(value) for value in values], return_counts=True)[1].max()) / len(
        values
    )


def one_hot(columns: Mapping[str, Sequence[Any]], most: int = 24) -> Matrix:
    """Columns as features: numbers as they are, names as 0 or 1 a name (the commonest ones)."""
    found: list[Any] = []
    for column in columns.values():
        if all(isinstance(value, int | float) for value in column):
            found.append(np.asarray(column, np.float64))
            continue
        names, which, counts = np.unique(
            [repr(value) for value in column], return_inverse=True, return_counts=True
        )
        for name in np.argsort(-counts, kind="stable")[:most] if len(names) > 1 else ():
            found.append((which == name).astype(np.float64))
    return np.stack(found, axis=1) if found else np.zeros((0, 0))


def _scaled(features: Matrix) -> Matrix:
    """Features with mean 0 and spread 1; constant ones left out."""
    spread = features.std(axis=0)
    kept = spread > 1e-9
    return (features[:, kept] - features[:, kept].mean(axis=0)) / spread[kept]


def _with_one(features: Matrix) -> Matrix:
    return np.concatenate([features, np.ones((len(features), 1))], axis=1)


def _ridge(features: Matrix, labels: Matrix, classes: int) -> Matrix:
    x = _with_one(features)
    y = np.eye(classes)[labels]
    return np.linalg.solve(x.T @ x + RIDGE * np.eye(x.shape[1]), x.T @ y)


def _binned(features: Matrix) -> Matrix:
    """Ranks of each feature cut into ``BINS`` bins of about the same size."""
    edges = np.quantile(features, np.linspace(0, 1, BINS + 1)[1:-1], axis=0)
    return (features[None] > edges[:, None, :]).sum(axis=0).astype(np.int64)


def _grown(bins: Matrix, labels: Matrix, classes: int, depth: int) -> Any:
    """``(feature, bin, low side, high side)``, or the commonest label of a leaf."""
    total = np.bincount(labels, minlength=classes)
    if depth == 0 or len(labels) < 2 * LEAST_LEAF or total.max() == len(labels):
        return int(total.argmax())
    features = bins.shape[1]
    flat = (np.arange(features)[None, :] * BINS + bins) * classes + labels[:, None]
    counts = np.bincount(flat.ravel(), minlength=features * BINS * classes)
    low = counts.reshape(features, BINS, classes).cumsum(axis=1)[:, :-1].astype(np.float64)
    high = total - low
    sizes = low.sum(axis=2), high.sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        purity = (low**2).sum(axis=2) / sizes[0] + (high**2).sum(axis=2) / sizes[1]
    purity[(sizes[0] < LEAST_LEAF) | (sizes[1] < LEAST_LEAF)] = -1.0
    best = int(np.argmax(purity))
    if purity.flat[best] <= (total.astype(np.float64) ** 2).sum() / len(labels) + 1e-9:
        return int(total.argmax())
    feature, edge = divmod(best, BINS - 1)
    below = bins[:, feature] <= edge
    return (
        feature, edge,
        _grown(bins[below], labels[below], classes, depth - 1),
        _grown(bins[~below], labels[~below], classes, depth - 1),
    )  # fmt: skip


def _told(tree: Any, bins: Matrix) -> Matrix:
    """The labels that a tree gives."""
    if isinstance(tree, int):
        return np.full(len(bins), tree)
    feature, edge, low, high = tree
    return np.where(bins[:, feature] <= edge, _told(low, bins), _told(high, bins))
