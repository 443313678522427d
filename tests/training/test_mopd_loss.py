"""Claims about the objective of MOPD, in float64 against slow and obvious forms of it."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed; run `make train-extra`")

from training.mopd.loss import (
    LossOptions,
    Whole,
    advantages,
    distances,
    importance,
    mopd_loss,
)

pytestmark = pytest.mark.train

EXACT = {"rtol": 1e-12, "atol": 1e-14}
"""Float64 sums of some hundred terms, in another order."""
OPEN = LossOptions(clip=math.inf, low=0.0, high=math.inf)
"""Neither clipped nor windowed: what theory speaks about."""


def seeded(seed: int):
    return torch.Generator().manual_seed(seed)


def batch(seed: int = 0, rows: int = 6, length: int = 9):
    """Log-probabilities of student, teacher and sampler, weights, a right-padded mask, outcomes."""
    source = seeded(seed)

    def draw():
        return torch.randn(rows, length, generator=source, dtype=torch.float64)

    student, teacher, sampled = -draw().abs(), -3 * draw().abs(), -draw().abs()
    weights = torch.randint(0, 3, (rows, length), generator=source).double()
    lengths = torch.randint(1, length + 1, (rows,), generator=source)
    mask = (torch.arange(length) < lengths[:, None]).long()
    return student, teacher, weights, mask, sampled, draw()[:, 0]


def by_loops(student, teacher, weights, mask, sampled, outcome, options: LossOptions) -> float:
    """The formula, term by term, in Python floats."""
    rows, tokens, count = [], [], 0
    for i in range(student.shape[0]):
        terms = []
        for t in range(student.shape[1]):
            if not mask[i, t]:
                continue
            log_pi, log_t = student[i, t].item(), teacher[i, t].item()
            gain = max(-options.clip, min(options.clip, log_t - log_pi))
            gain += options.alpha * outcome[i].item()
            ratio = math.exp(log_pi - sampled[i, t].item())
            ratio = ratio if options.low <= ratio <= options.high else 0.0
            terms.append(ratio * weights[i, t].item() * gain * log_pi)
        rows.append(sum(terms) / len(terms))
        tokens += terms
        count += len(terms)
    return -sum(rows) / len(rows) if options.normaliser == "sequence" else -sum(tokens) / count


@pytest.mark.parametrize("normaliser", ["sequence", "token"])
@pytest.mark.parametrize("alpha", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(5))
def test_the_loss_is_the_formula_term_by_term(seed: int, alpha: float, normaliser) -> None:
    student, teacher, weights, mask, sampled, outcome = batch(seed)
    options = LossOptions(clip=1.5, alpha=alpha, normaliser=normaliser)
    loss = mopd_loss(
        student, teacher, weights, mask, sampled=sampled, outcome=outcome, options=options
    )
    expected = by_loops(student, teacher, weights, mask, sampled, outcome, options)
    torch.testing.assert_close(loss.item(), expected, **EXACT)
    ratios = (student - sampled).exp()
    assert ((ratios < 0.5) | (ratios > 2.0)).any() and ((ratios > 0.5) & (ratios < 2.0)).any()


@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_is_the_analytic_one(seed: int) -> None:
    """d loss / d logits = -c (onehot - softmax), with c the factor before log pi."""
    _, teacher, weights, mask, _, _ = batch(seed)
    source = seeded(100 + seed)
    rows, length, words = *mask.shape, 7
    logits = torch.randn(rows, length, words, generator=source, dtype=torch.float64)
    logits.requires_grad_()
    chosen = torch.randint(0, words, (rows, length), generator=source)
    logs = logits.log_softmax(-1)
    student = logs.gather(2, chosen[..., None]).squeeze(2)
    sampled = student.detach() + 0.4 * torch.randn(rows, length, generator=source).double()
    mopd_loss(student, teacher, weights, mask, sampled=sampled).backward()

    ratio = importance(student, sampled, 0.5, 2.0)
    factor = ratio * weights * advantages(teacher, student) * mask
    factor = factor / mask.sum(1, keepdim=True) / rows
    onehot = torch.nn.functional.one_hot(chosen, words).double()
    expected = -factor[..., None] * (onehot - logs.exp()).detach()
    assert expected.abs().max() > 1e-3
    torch.testing.assert_close(logits.grad, expected, **EXACT)


def test_on_policy_the_expected_gradient_is_that_of_the_reverse_kl() -> None:
    """E_pi[A grad log pi] = -grad KL(pi || pi_T): all words of a small vocabulary, summed."""
    source, words = seeded(3), 6
    logits = torch.randn(words, generator=source, dtype=torch.float64).requires_grad_()
    teacher = torch.randn(words, generator=source, dtype=torch.float64).log_softmax(0)
    expected = torch.zeros_like(logits)
    for word in range(words):
        student = logits.log_softmax(0)
        one = student[word].reshape(1, 1)
        ones = torch.ones(1, 1, dtype=torch.float64)
        loss = mopd_loss(one, teacher[word].reshape(1, 1), ones, ones, options=OPEN)
        (gradient,) = torch.autograd.grad(loss, logits)
        expected += student[word].detach().exp() * gradient
    logs = logits.log_softmax(0)
    (of_kl,) = torch.autograd.grad((logs.exp() * (logs - teacher)).sum(), logits)
    assert of_kl.abs().max() > 0.01
    torch.testing.assert_close(expected, of_kl, **EXACT)


def test_a_teacher_that_is_the_student_teaches_nothing() -> None:
    student, _, weights, mask, _, _ = batch()
    student.requires_grad_()
    assert not advantages(student.detach().clone(), student).any()
    mopd_loss(student, student.detach().clone(), weights, mask).backward()
    assert not student.grad.any()


def test_neither_the_advantage_nor_the_ratio_carries_gradient() -> None:
    student, teacher, weights, mask, sampled, _ = batch(1)
    student.requires_grad_()
    teacher.requires_grad_()
    mopd_loss(student, teacher, weights, mask, sampled=sampled).backward()
    assert teacher.grad is None
    factor = importance(student, sampled, 0.5, 2.0) * weights * advantages(teacher, student)
    expected = -(factor * mask / mask.sum(1, keepdim=True) / mask.shape[0])
    torch.testing.assert_close(student.grad, expected, **EXACT)


def test_both_ends_of_the_importance_window_are_inside() -> None:
    sampled = torch.zeros(1, 6, dtype=torch.float64)
    half, double = math.log(0.5), math.log(2.0)
    student = torch.tensor([[half, double, 0.0, half - 1e-9, double + 1e-9, 30.0]]).double()
    student[0, 0], student[0, 1] = half, double
    found = importance(student, sampled, 0.5, 2.0)
    torch.testing.assert_close(
        found, torch.tensor([[0.5, 2.0, 1.0, 0.0, 0.0, 0.0]]).double(), **EXACT
    )


def test_advantages_are_clipped_on_both_sides() -> None:
    teacher = torch.tensor([[-9.0, 9.0, -5.0, 1.0]]).double()
    assert advantages(teacher, torch.zeros_like(teacher)).tolist() == [[-5.0, 5.0, -5.0, 1.0]]


@pytest.mark.parametrize("rubbish", [math.nan, math.inf, -math.inf, 1e300])
def test_nothing_under_padding_counts(rubbish: float) -> None:
    student, teacher, weights, mask, sampled, _ = batch(2)
    assert (mask == 0).any()
    clean = mopd_loss(student.requires_grad_(), teacher, weights, mask, sampled=sampled)
    (before,) = torch.autograd.grad(clean, student)
    spoilt = [torch.where(mask.bool(), t, rubbish) for t in (student, teacher, weights, sampled)]
    dirty = [t.detach() for t in spoilt]
    dirty[0].requires_grad_()
    loss = mopd_loss(dirty[0], dirty[1], dirty[2], mask, sampled=dirty[3])
    (after,) = torch.autograd.grad(loss, dirty[0])
    assert loss.item() == clean.item()
    assert torch.equal(after, before)


def test_wider_padding_changes_nothing_and_the_end_token_counts() -> None:
    student, teacher, weights, mask, sampled, _ = batch(4)
    weights = torch.ones_like(weights)
    wider = [torch.nn.functional.pad(t, (0, 5), value=-7.0) for t in (student, teacher, sampled)]
    wide_mask = torch.nn.functional.pad(mask, (0, 5))
    loss = mopd_loss(student, teacher, weights, mask, sampled=sampled)
    padded = mopd_loss(
        wider[0], wider[1], torch.ones_like(wide_mask).double(), wide_mask, sampled=wider[2]
    )
    torch.testing.assert_close(padded, loss, **EXACT)
    ends = mask.sum(1) - 1
    shorter = mask.scatter(1, ends[:, None], 0)
    shorter[ends == 0] = mask[ends == 0]
    assert mopd_loss(student, teacher, weights, shorter, sampled=sampled).item() != loss.item()


@pytest.mark.parametrize("normaliser", ["sequence", "token"])
@pytest.mark.parametrize("cuts", [[1, 5], [3, 3], [2, 1, 3], [1] * 6])
def test_micro_batches_add_up_to_their_batch(cuts: list[int], normaliser) -> None:
    student, teacher, weights, mask, sampled, outcome = batch(5)
    options = LossOptions(alpha=0.5, normaliser=normaliser)
    leaf = student.requires_grad_()
    together = mopd_loss(
        leaf, teacher, weights, mask, sampled=sampled, outcome=outcome, options=options
    )
    (whole_gradient,) = torch.autograd.grad(together, leaf)
    whole = Whole.of(mask)
    parts = [t.split(cuts) for t in (leaf, teacher, weights, mask, sampled, outcome)]
    losses = [
        mopd_loss(s, t, w, m, sampled=b, outcome=o, options=options, whole=whole)
        for s, t, w, m, b, o in zip(*parts, strict=True)
    ]
    torch.testing.assert_close(sum(losses), together, **EXACT)
    (gradient,) = torch.autograd.grad(sum(losses), leaf)
    torch.testing.assert_close(gradient, whole_gradient, **EXACT)


def test_weights_of_zero_mask_and_the_rest_scales() -> None:
    student, teacher, _, mask, _, _ = batch(6)
    nothing = torch.zeros_like(student)
    assert mopd_loss(student, teacher, nothing, mask).item() == 0.0
    one = mopd_loss(student, teacher, torch.ones_like(student), mask)
    two = mopd_loss(student, teacher, 2 * torch.ones_like(student), mask)
    torch.testing.assert_close(two, 2 * one, **EXACT)


def test_the_outcome_joins_only_when_it_is_weighed() -> None:
    student, teacher, weights, mask, _, outcome = batch(7)
    plain = mopd_loss(student, teacher, weights, mask)
    assert mopd_loss(student, teacher, weights, mask, outcome=outcome).item() == plain.item()
    with_it = mopd_loss(
        student, teacher, weights, mask, outcome=outcome, options=replace(LossOptions(), alpha=1.0)
    )
    assert with_it.item() != plain.item()


def test_the_distance_is_the_mean_gap_over_what_was_sampled() -> None:
    student, teacher, _, mask, _, _ = batch(8)
    kept = mask.bool()
    expected = (student[kept] - teacher[kept]).mean()
    torch.testing.assert_close(distances(student, teacher, mask), expected, **EXACT)


def test_steps_on_the_loss_bring_the_student_to_its_teacher() -> None:
    source, words = seeded(11), 5
    logits = torch.randn(words, generator=source, dtype=torch.float64).requires_grad_()
    teacher = torch.randn(words, generator=source, dtype=torch.float64).log_softmax(0)
    optimiser = torch.optim.Adam([logits], lr=0.05)

    def gap() -> float:
        logs = logits.log_softmax(0)
        return (logs.exp() * (logs - teacher)).sum().item()

    before = gap()
    for _ in range(150):
        drawn = torch.multinomial(logits.detach().softmax(0), 64, True, generator=source)
        student = logits.log_softmax(0)[drawn][:, None]
        ones = torch.ones_like(student)
        loss = mopd_loss(student, teacher[drawn][:, None], ones, ones)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert before > 0.2 > 20 * gap()
