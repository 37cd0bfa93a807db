import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { TextAnalysis, TextAnalyst } from "@hourglass/analysis";
import { AppError, type AnyDueKind, type Collection, dueKind } from "@hourglass/runtime";
import type { ExplanationRequest } from "../store/records.js";
import { TEXT_ANALYSES } from "./analyzed-by.js";

export interface ExplanationDeps {
  requests: Collection<ExplanationRequest>;
  /** Undefined in a process that analyzes nothing. */
  texts: TextAnalyst | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export interface AskingDeps extends ExplanationDeps {
  /** Has a request published at once. */
  wake: () => void;
  /** How long an answer of a worker is waited for, in milliseconds. Default 15,000. */
  answerMs?: number;
}

interface Asker {
  companyId: number;
  /** Until when the answer is of use. */
  signal: AbortSignal;
}

const ANSWER_MS = 15_000;
/** Pause between two looks for the answer. */
const LOOK_MS = 50;
/** A request is removed by who asks; what a crash leaves of it, a worker removes after this time. */
const KEPT_MS = 60_000;
const LEASE_MS = 15_000;

/**
 * Why the models of now read a text as they do: found out here if this process analyzes, else by a worker that analyzes
 * postings, which shares the store and the queue with it.
 */
export class Explanations {
  constructor(private readonly deps: AskingDeps) {}

  /** Throws AppError `unavailable` if no worker answers in time. */
  async explain(text: string, asker: Asker): Promise<TextAnalysis> {
    const { texts } = this.deps;
    return texts === undefined ? this.ask(text, asker) : analyze(texts, text, asker);
  }

  private async ask(text: string, { companyId, signal }: Asker): Promise<TextAnalysis> {
    const { requests, now, wake, answerMs = ANSWER_MS } = this.deps;
    const [id, askedAt] = [randomUUID(), now()];
    await requests.insert({ id, companyId, text, askedAt, outcome: null, dueAt: askedAt });
    wake();
    try {
      return await this.answerTo(id, AbortSignal.any([signal, AbortSignal.timeout(answerMs)]));
    } finally {
      await requests.delete({ id }).catch(() => undefined);
    }
  }

  private async answerTo(id: string, signal: AbortSignal): Promise<TextAnalysis> {
    while (!signal.aborted) {
      const outcome = (await this.deps.requests.get(id))?.outcome;
      if (outcome !== undefined && outcome !== null) return outcome;
      // The end of the loop says that it was in vain.
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
    throw noAnswer();
  }
}

function noAnswer(): AppError {
  const cure = "Create an operation with the text of the posting and `explain` instead, or try again.";
  return new AppError("unavailable", `No worker that analyzes postings has answered in time. ${cure}`, {
    code: "explain_unavailable",
  });
}

/** The requests of processes that analyze nothing, as urgent work beside the analysis of postings. */
export function explanationKind({ requests, texts, now }: ExplanationDeps): AnyDueKind {
  return dueKind<ExplanationRequest>({
    name: "posting-explanation",
    records: requests,
    leaseMs: LEASE_MS,
    failure: "a posting could not be explained",
    ownerOf: ({ companyId }) => companyId,
    isUrgent: () => true,
    work: async (claim) => {
      const { text, companyId, askedAt, outcome } = claim.record;
      if (outcome !== null || now() - askedAt > KEPT_MS) return claim.delete();
      if (texts === undefined) throw new Error("explanations need an analyst");
      const found = await analyze(texts, text, { companyId, signal: claim.signal });
      await claim.update({ outcome: found, dueAt: now() + KEPT_MS });
    },
  });
}

async function analyze(texts: TextAnalyst, text: string, { companyId, signal }: Asker): Promise<TextAnalysis> {
  const [outcome] = await texts.analyze([text], TEXT_ANALYSES, { explain: true, owner: companyId, signal });
  if (outcome === undefined) throw new Error("the pool answered too few outcomes");
  return outcome;
}
