"""Fine-tunes the encoder on all tasks at once.

    python train.py --data DIR --body DIR --pieces FILE [--soft FILE …] [--tokens FILE] [--multilingual] --out FILE

Seeded; 2 threads of a CPU are enough. Prints progress and the scores on the development data.
"""

import argparse
import random
import time

import torch
import torch.nn.functional as F
from sklearn.metrics import f1_score
from torch import nn

import data as sets
from model import GOEMOTIONS, TASKS, TOKEN_HEADS, Encoder, head_name, load_encoder
from scoring import score

BATCH = 48
RATE_BODY, RATE_HEADS = 8e-5, 1e-3
SMOOTHING = 0.05
CLASS_WEIGHT_POWER = 0.6
TEMPERATURE = 1.5  # of the teacher's scores
# Share of a sample's loss that comes from the teacher: beside a label, and on texts of another task. Large where the teacher is
# better than this model alone, small where it has only seen a part of the data, as the development data show.
BESIDE = {"sentiment-simple": 0.6, "sentiment-real": 0.25, "intention": 0.2, "spam-detection": 0.0}
INSTEAD = {"sentiment-simple": 0.4, "sentiment-real": 0.1, "intention": 0.1, "spam-detection": 0.0}
EMOTIONS_SHARE = 0.3
TOKENS_SHARE = 1 / 6
# Of the tags for noun chunks: the weight of an earlier encoder's scores, and what is left of a silver tag's weight beside them.
TOKENS_SOFT, TOKENS_BESIDE = 0.8, 0.25
# Visits per round: scarce labels more often, texts that only the emotions speak of less.
VISITS = {"sentiment-simple": 1.0, "sentiment-real": 1.5, "intention": 1.5, "spam-detection": 1.0}
# Of the multilingual encoder: tweets in other languages than English, and how much of the English sets beside them.
VISITS_LANGUAGES = 3.0
VISITS_BESIDE = {"sentiment-simple": 0.12, "sentiment-real": 0.45, "intention": 0.5, "spam-detection": 0.5}
VISITS_REST_BESIDE = (0.7, 0.1, 0.05)
# Of rows written for training, for the English and the multilingual encoder, and of those among them that say nothing.
VISITS_WRITTEN, VISITS_WRITTEN_BESIDE, VISITS_UNCERTAIN = 6.0, 6.0, 6.0
# Sentences with tags by hand, with silver tags, and those that only the emotions speak of.
VISITS_REST = (2.5, 0.8, 0.35)


class Losses:
    def __init__(self, samples: list, hold: float):
        self.weights, self.shares = {}, {}
        self.beside = {task: max(share, hold) if share > 0 else share for task, share in BESIDE.items()}
        for task, labels in TASKS.items():
            counts = torch.ones(len(labels))
            for sample in samples:
                if task in sample.labels and sample.labels[task][0] != sets.UNCERTAIN:
                    counts[sample.labels[task][0]] += 1
            self.weights[task] = (counts.mean() / counts).pow(CLASS_WEIGHT_POWER).clamp(max=4)
            self.shares[task] = counts / counts.sum()

    def classification(self, pooled, model: Encoder, batch: list):
        total = pooled.new_zeros(())
        for task in TASKS:
            scores = model.heads[head_name(task)](pooled).float()
            unsure = [i for i, s in enumerate(batch) if task in s.labels and s.labels[task][0] == sets.UNCERTAIN]
            if unsure:
                total = total + F.cross_entropy(scores[unsure], self.shares[task].expand(len(unsure), -1), reduction="sum")
            hard = [i for i, s in enumerate(batch) if task in s.labels and s.labels[task][0] != sets.UNCERTAIN]
            if hard:
                target = torch.tensor([batch[i].labels[task][0] for i in hard])
                trust = torch.tensor([batch[i].labels[task][1] * (1 - self.beside[task] if task in batch[i].soft else 1) for i in hard])
                loss = F.cross_entropy(scores[hard], target, weight=self.weights[task], label_smoothing=SMOOTHING, reduction="none")
                total = total + (loss * trust).sum()
            soft = [i for i, s in enumerate(batch) if task in s.soft and INSTEAD[task] > 0]
            if soft:
                teacher = torch.stack([batch[i].soft[task] for i in soft])
                share = torch.tensor([(self.beside if task in batch[i].labels else INSTEAD)[task] for i in soft])
                loss = F.kl_div(F.log_softmax(scores[soft] / TEMPERATURE, 1), F.softmax(teacher / TEMPERATURE, 1), reduction="none").sum(1)
                total = total + (loss * share).sum() * TEMPERATURE**2
        known = [i for i, s in enumerate(batch) if s.emotions is not None]
        if known:
            target = torch.zeros(len(known), GOEMOTIONS)
            for row, i in enumerate(known):
                target[row, batch[i].emotions] = 1
            scores = model.goemotions(pooled[known]).float()
            total = total + EMOTIONS_SHARE * F.binary_cross_entropy_with_logits(scores, target, reduction="none").sum()
        return total

    def tokens(self, hidden, model: Encoder, batch: list):
        total = hidden.new_zeros((), dtype=torch.float32)
        rows, columns, marked = [], [], []
        for i, s in enumerate(batch):
            if s.tokens is None:
                continue
            for token, first in enumerate(s.first):
                if first + 1 < hidden.shape[1] - 1:
                    rows.append(i), columns.append(first + 1), marked.append((s, token))
        if not rows:
            return total
        states = hidden[rows, columns]
        for name in TOKEN_HEADS:
            known = [k for k, (s, _) in enumerate(marked) if s.tokens[name] is not None]
            if not known:
                continue
            logs = F.log_softmax(model.tokens[name](states[known]).float(), 1)
            allowed = torch.full_like(logs, float("-inf"))
            weight = torch.zeros(len(known))
            taught, teacher = [], []
            for row, k in enumerate(known):
                sample, token = marked[k]
                tags = sample.tokens[name][token]
                if tags in (-1, []):
                    allowed[row] = 0
                    continue
                allowed[row, tags] = 0
                weight[row] = trust_of_tags(sample, name)
                if name in sample.token_soft:
                    taught.append(row), teacher.append(sample.token_soft[name][token].float())
            total = total - ((logs + allowed).logsumexp(1) * weight).sum()
            if taught:
                total = total + TOKENS_SOFT * F.kl_div(logs[taught], F.softmax(torch.stack(teacher), 1), reduction="sum")
        return total * TOKENS_SHARE


def trust_of_tags(sample, name: str) -> float:
    weight = sample.tokens["weight" if name == "entity" else "chunkWeight"]
    return weight * TOKENS_BESIDE if weight < 1 and name in sample.token_soft else weight


def judge(model: Encoder, args, pieces: dict) -> None:
    for task, folder in sets.FOLDERS.items():
        rows = sets.read_rows(args.data, folder, "dev")
        scores = score(model, [sets.Sample(row["text"], *pieces[row["text"]]) for row in rows], args.bf16)[task]
        found, wanted = scores.argmax(1).tolist(), [TASKS[task].index(row["label"]) for row in rows]
        right = sum(a == b for a, b in zip(found, wanted)) / len(wanted)
        print(f"dev {task}: accuracy {right:.4f} macro-F1 {f1_score(wanted, found, average='macro'):.4f}", flush=True)


def judge_written(model: Encoder, args, pieces: dict) -> None:
    """Held-out rows that were written for training: right labels by file, and wrong ones given with more than .9."""
    rows = [row for row in sets.read_written(held_out=True) if row[0].startswith("en-") and row[2] in pieces]
    scores = score(model, [sets.Sample(text, *pieces[text]) for _, _, text in rows], args.bf16)
    for name in sorted({name for name, _, _ in rows}):
        figures = []
        for task, labels in TASKS.items():
            own = [i for i, (file, stated, _) in enumerate(rows) if file == name and stated[task] != "."]
            if not own or task == "spam-detection":
                continue
            certainty, found = F.softmax(scores[task][own], 1).max(1)
            wrong = found != torch.tensor([labels.index(rows[i][1][task]) for i in own])
            figures.append(f"{task} {1 - wrong.float().mean():.3f} of {len(own)} ({(wrong & (certainty > 0.9)).float().mean():.3f} wrong above .9)")
        print(f"held out {name}: {', '.join(figures)}", flush=True)


def judge_languages(model: Encoder, args, pieces: dict) -> None:
    task = "sentiment-simple"
    rows = sets.read_rows(args.data, sets.MULTILINGUAL, "dev")
    found = score(model, [sets.Sample(row["text"], *pieces[row["text"]]) for row in rows], args.bf16)[task].argmax(1).tolist()
    scores = {}
    for language in sorted({row["lang"] for row in rows}):
        own = [(TASKS[task].index(row["label"]), label) for row, label in zip(rows, found) if row["lang"] == language]
        scores[language] = round(f1_score(*zip(*own), average="macro"), 3)
    print(f"dev {task}, macro-F1 by language: {scores}, mean {sum(scores.values()) / len(scores):.4f}", flush=True)


def visits(sample, multilingual: bool, tokens: float) -> float:
    if sample.written:
        if sets.UNCERTAIN in (label for label, _ in sample.labels.values()):
            return VISITS_UNCERTAIN
        return VISITS_WRITTEN_BESIDE if multilingual else VISITS_WRITTEN
    if sample.language != "en":
        return VISITS_LANGUAGES
    by_task = VISITS_BESIDE if multilingual else VISITS
    gold, silver, emotions = VISITS_REST_BESIDE if multilingual else VISITS_REST
    wanted = [by_task[task] for task in sample.labels]
    if sample.tokens is not None:
        wanted.append(tokens * (gold if sample.tokens["weight"] == 1 or sample.tokens["chunkWeight"] == 1 else silver))
    return max(wanted, default=emotions)


def round_of(samples: list, rng, multilingual: bool, tokens: float) -> list:
    """Batches of one round; broken numbers of visits are drawn."""
    chosen = [i for i, sample in enumerate(samples) for _ in range(int(visits(sample, multilingual, tokens) + rng.random()))]
    return [[chosen[i] for i in block] for block in sets.batches([samples[i] for i in chosen], BATCH, rng)]


def optimizer(model: Encoder, total: int, rate: float):
    for part in (model.body.embeddings.word_embeddings, model.body.embeddings.position_embeddings):
        part.requires_grad_(False)
    body = [p for p in model.body.parameters() if p.requires_grad]
    heads = [p for name, p in model.named_parameters() if not name.startswith("body.")]
    groups = [{"params": body, "lr": RATE_BODY * rate}, {"params": heads, "lr": RATE_HEADS * rate}]
    steps = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
    warm = 0.04 * total
    return steps, torch.optim.lr_scheduler.LambdaLR(steps, lambda step: min((step + 1) / warm, max(0.0, (total - step) / total)))


def lower_states(model: Encoder, batch: list, inputs: dict):
    """What leaves the frozen layers, which is computed once for each text."""
    if model.frozen == 0:
        return model.lower(**inputs)
    missing = [i for i, sample in enumerate(batch) if sample.lower is None]
    if missing:
        with torch.no_grad():
            found = model.lower(**{name: values[missing] for name, values in inputs.items()}).half()
        for row, i in zip(found, missing):
            batch[i].lower = row[: int(inputs["attention_mask"][i].sum())].clone()
    width = inputs["input_ids"].shape[1]
    return torch.stack([F.pad(sample.lower, (0, 0, 0, width - len(sample.lower))) for sample in batch]).float()


def train(args) -> Encoder:
    rng = random.Random(args.seed)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    pieces = sets.read_pieces(args.pieces)
    samples = sets.load(args.data, pieces, args.soft, args.tokens, args.multilingual)
    print(f"{len(samples)} texts, {sum(s.tokens is not None for s in samples)} with tokens, {sum(bool(s.soft) for s in samples)} with a teacher's scores")
    model, losses = load_encoder(args.body), Losses(samples, args.hold)
    if args.start:
        model.load_state_dict(torch.load(args.start))
    plan: list = []
    while len(plan) * BATCH < args.samples:
        plan += round_of(samples, rng, args.multilingual, args.token_visits)
    plan = plan[: args.samples // BATCH]
    model.freeze(args.frozen)
    steps, schedule = optimizer(model, len(plan), args.rate)
    begun, seen = time.time(), 0
    for step, block in enumerate(plan):
        model.train()
        model.body.embeddings.train(args.frozen == 0)
        model.body.encoder.layer[: args.frozen].eval()
        batch = [samples[i] for i in block]
        inputs = sets.collate(batch, model.frame, args.pieces_max)
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            hidden, pooled = model.upper(lower_states(model, batch, inputs), inputs["attention_mask"])
            loss = (losses.classification(pooled, model, batch) + losses.tokens(hidden, model, batch)) / len(batch)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        steps.step()
        schedule.step()
        steps.zero_grad(set_to_none=True)
        seen += len(batch)
        if step % 100 == 99:
            spent = time.time() - begun
            print(f"{step + 1}/{len(plan)} loss {loss.item():.3f} {seen / spent:.0f} texts/s, {spent / (step + 1) * (len(plan) - step - 1):.0f} s left", flush=True)
    if args.keep:
        keep(model, torch.load(args.start), args.keep)
    torch.save(model.state_dict(), args.out)
    report(model, args, pieces)
    return model


def keep(model: Encoder, start: dict, share: float) -> None:
    """Moves the weights a part of the way back to earlier ones: what is new is mostly kept, and less of what was known is lost."""
    state = model.state_dict()
    model.load_state_dict({name: torch.lerp(value, start[name], share) if value.is_floating_point() else value for name, value in state.items()})


def report(model: Encoder, args, pieces: dict) -> None:
    if args.multilingual:
        judge_languages(model, args, pieces)
    else:
        judge(model, args, pieces)
        judge_written(model, args, pieces)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--body", required=True)
    parser.add_argument("--pieces", required=True)
    parser.add_argument("--soft", nargs="*", default=[], help="teachers' scores, of which the mean is taught")
    parser.add_argument("--tokens")
    parser.add_argument("--token-visits", type=float, default=1.0, help="how many times more often texts with tags are visited")
    parser.add_argument("--multilingual", action="store_true", help="with the tweets of eight languages")
    parser.add_argument("--start", help="weights of an earlier run to continue from")
    parser.add_argument("--keep", type=float, default=0.0, help="share of the weights given by --start in the result")
    parser.add_argument("--hold", type=float, default=0.0, help="least share of a teacher beside a label: high to keep what earlier weights know")
    parser.add_argument("--rate", type=float, default=1.0, help="share of the learning rates")
    parser.add_argument("--out", required=True)
    parser.add_argument("--samples", type=int, default=205_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--pieces-max", type=int, default=sets.PIECES_MAX, help="where training texts are cut")
    parser.add_argument("--frozen", type=int, default=0, help="how many of the lowest layers stay as they are")
    parser.add_argument("--bf16", action="store_true", help="compute in 16 bits: faster where the processor has AVX-512 BF16 or AMX, far slower elsewhere")
    train(parser.parse_args())
