import type { DueClaim, Logger } from "@hourglass/runtime";
import type { LookUp, Readiness, Rechecks } from "../../platforms/connector.js";
import type { EraseGone } from "../../postings/erasing/erase-gone.js";
import type { RefreshFound } from "../../postings/storing/refresh-found.js";
import type { Collections } from "../../store/collections.js";
import type { PlatformName, RecheckRecord, RecheckRound } from "../../store/records.js";
import { spendAs } from "../gates/budget.js";
import { PageLimit } from "../page/page-limit.js";
import { RECHECK_QUESTIONS_MAX, RECHECK_ROUNDS } from "../pace/policy.js";
import { failureOf } from "../poll/failure.js";
import { fieldsAfterFailure, mustSkip, UNREADY_MS } from "./after-failure.js";
import { nextQuestion, type Question } from "./next-question.js";

/** What rechecks work with. */
export interface RecheckContext {
  collections: Pick<Collections, "insights" | "postings" | "rechecks">;
  platforms: ReadonlyMap<PlatformName, Readiness>;
  eraseGone: EraseGone;
  refreshFound: RefreshFound;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Aborts when the process stops: a turn then ends. */
  stopping: AbortSignal;
}

/** One turn: some questions of a round. Each step may be repeated, so a turn may end anywhere. */
export async function runRecheck(context: RecheckContext, claim: DueClaim<RecheckRecord>): Promise<void> {
  const { platforms, now } = context;
  const readiness = platforms.get(claim.record.platform) ?? { missing: "This server lacks the platform." };
  if ("missing" in readiness) {
    await write(context, claim, { lastError: readiness.missing, dueAt: now() + UNREADY_MS });
    return;
  }
  const { rechecks } = readiness.connector;
  if (rechecks === undefined) {
    await context.collections.rechecks.delete(claim.fence);
    return;
  }
  let record: RecheckRecord | undefined = { ...claim.record, termMs: rechecks.termMs(0) };
  for (let question = 0; question < RECHECK_QUESTIONS_MAX; question += 1) {
    if (context.stopping.aborted) break;
    record = await ask(context, claim, { record, rechecks });
    if (record === undefined) return;
  }
  await claim.reschedule(now());
}

/** Asks once; the record as stored then, or undefined if the turn is over. */
async function ask(
  context: RecheckContext,
  claim: DueClaim<RecheckRecord>,
  { record, rechecks }: { record: RecheckRecord; rechecks: Rechecks },
): Promise<RecheckRecord | undefined> {
  const { collections, now } = context;
  const round = record.round ?? { startedAt: now(), after: null, isWhole: true, asked: 0, erased: 0 };
  const question = await nextQuestion(collections, { ...record, after: round.after }, { rechecks, now: now() });
  if (!(await claim.renew())) return undefined;
  const answer = await answerTo(context, question, rechecks).catch((error: unknown) => failureOf(error));
  if ("kind" in answer) {
    if (context.stopping.aborted) {
      await claim.reschedule(now());
      return undefined;
    }
    if (answer.unforeseen !== undefined) {
      context.log.warn({ err: answer.unforeseen, recheck: record.id }, "a platform's answer could not be used");
    }
    const next = mustSkip(record, answer) ? { ...passed(round, question), isWhole: false } : round;
    if (next !== round) context.log.warn({ recheck: record.id }, "a platform refuses to be asked for stored postings");
    await write(context, claim, { round: next, ...fieldsAfterFailure(record, answer, now()) });
    return undefined;
  }
  const erased = await apply(context, record, answer);
  return settle(context, claim, { record, round: passed(round, question, erased), question, answer });
}

const NOTHING: LookUp = { found: [], gone: [] };

/** Throws what a connector throws. */
async function answerTo({ stopping }: RecheckContext, { stored }: Question, rechecks: Rechecks): Promise<LookUp> {
  if (stored.size === 0) return NOTHING;
  const limit = new PageLimit([stopping]);
  const { signal } = limit;
  try {
    const answer = await limit.within(() =>
      spendAs("recheck", () => rechecks.lookUp({ ids: [...stored.keys()], stored, signal })),
    );
    return {
      ...answer,
      found: answer.found.filter(({ socialId = "" }) => stored.has(socialId)),
      gone: answer.gone.filter((id) => stored.has(id)),
    };
  } finally {
    limit.release();
  }
}

/** Returns the number of postings that were erased. */
async function apply(
  { eraseGone, refreshFound }: RecheckContext,
  { companyId, platform }: RecheckRecord,
  { found, gone }: LookUp,
): Promise<number> {
  if (found.length > 0) await refreshFound({ companyId, platform, drafts: found });
  return gone.length === 0 ? 0 : eraseGone({ companyId, platform, socialIds: gone });
}

function passed(round: RecheckRound, { stored, after }: Question, erased = 0): RecheckRound {
  return { ...round, after, asked: round.asked + stored.size, erased: round.erased + erased };
}

interface Answered {
  record: RecheckRecord;
  round: RecheckRound;
  question: Question;
  answer: LookUp;
}

async function settle(
  context: RecheckContext,
  claim: DueClaim<RecheckRecord>,
  { record, round, question: { isLast }, answer: { notBefore = 0 } }: Answered,
): Promise<RecheckRecord | undefined> {
  const now = context.now();
  const { termMs } = record;
  const well = { failures: 0, lastError: null, termMs };
  if (isLast) {
    const { startedAt, isWhole, asked, erased } = round;
    const dueAt = Math.max(startedAt + termMs / RECHECK_ROUNDS, notBefore, now + 1);
    const doneAt = isWhole ? startedAt : record.doneAt;
    await write(context, claim, { ...well, round: null, doneAt, dueAt });
    const { companyId, platform } = record;
    if (asked > 0) context.log.info({ companyId, platform, asked, erased }, "stored postings were looked up");
    return undefined;
  }
  if (notBefore > now) {
    await write(context, claim, { ...well, round, dueAt: notBefore });
    return undefined;
  }
  return write(context, claim, { ...well, round });
}

/** Stores fields while the claim is held; undefined if it was lost. */
function write(
  { collections }: RecheckContext,
  claim: DueClaim<RecheckRecord>,
  set: Partial<RecheckRecord>,
): Promise<RecheckRecord | undefined> {
  return collections.rechecks.update(claim.fence, { set });
}
