import { EXPORTS } from "@hourglass/export";
import { lookAtWork } from "@hourglass/insight";
import { OPERATIONS } from "@hourglass/operation";
import { oldestCreation, type Queue, type Store } from "@hourglass/runtime";
import { QUEUES } from "../jobs.js";
import { type Finding, spanOf } from "./findings.js";

/** Queues whose consumers have a role of another name, or none: of operations all three, of files the process itself. */
const TAKEN_BY: Readonly<Record<string, string>> = {
  "operation.run.large": "worker with the role operation.run",
  "operation.run.files": "worker with the role operation.run",
  "insight.recheck": "worker with the role insight.sweep",
  "media.sweep": "media service",
};

/** Who consumes what, and what waits for it. */
export async function examineQueues(queue: Queue): Promise<Finding[]> {
  const states = await Promise.all(QUEUES.map((name) => readQueue(queue, name)));
  const isServed = states.some(({ consumers }) => consumers > 0);
  const served: Finding = isServed
    ? { verdict: "ok", about: "processes", found: "there are processes that take work" }
    : {
        verdict: "look",
        about: "processes",
        found: "no process takes work from any queue",
        next: "Start the server, unless you have stopped it; the log of one that runs says what keeps it from the queue.",
      };
  return [served, ...states.map((state) => findingOf(state, isServed))];
}

interface QueueState {
  name: string;
  /** Undefined where messages are in the memory of another process. */
  depth: number | undefined;
  dead: number;
  consumers: number;
  /** Undefined where the queue cannot tell. */
  oldestSeconds: number | undefined;
}

async function readQueue(queue: Queue, name: string): Promise<QueueState> {
  const [depth, dead, consumers, oldestSeconds] = await Promise.all([
    queue.isLocal ? undefined : queue.depth(name),
    queue.countDead(name),
    queue.countConsumers(name),
    queue.oldestSeconds(name),
  ]);
  return { name, depth, dead, consumers, oldestSeconds };
}

function findingOf({ name, depth, dead, consumers, oldestSeconds = 0 }: QueueState, isServed: boolean): Finding {
  const oldest = oldestSeconds >= 1 ? `, the oldest for ${spanOf(oldestSeconds * 1000)}` : "";
  const waiting = depth === undefined ? "" : `${depth} waiting or in work${depth > 0 ? oldest : ""}; `;
  const found = `${waiting}${dead} dead; consumers: ${consumers}`;
  const about = `queue ${name}`;
  const server = TAKEN_BY[name] ?? `worker with the role ${name}`;
  if (consumers === 0 && (depth ?? 0) > 0) {
    return {
      verdict: "bad",
      about,
      found,
      next: `Start a ${server}, or restart one that hangs: nobody takes this work.`,
    };
  }
  if (dead > 0) {
    const next = `Read what was given up, and why: npm run -s admin -- jobs dead --queue ${name}.`;
    return { verdict: "look", about, found, next };
  }
  if (consumers === 0 && isServed) {
    return { verdict: "look", about, found, next: `Start a ${server}, unless it starts only when there is work.` };
  }
  return { verdict: "ok", about, found };
}

const MINUTE_MS = 60_000;
/** The alert HourglassWorkIsLate is about these, too. */
const LATE_MS = 5 * MINUTE_MS;
const MUCH_TOO_LATE_MS = 60 * MINUTE_MS;

/** For how long the oldest job of each kind has waited for a worker. */
export async function examineWaiting(store: Store, now: () => number): Promise<Finding[]> {
  const insights = await lookAtWork(store, now);
  const waiting: [kind: string, since: number | undefined, role: string][] = [
    ["operations", await oldestCreation(await store.collection(OPERATIONS)), "operation.run"],
    ["exports", await oldestCreation(await store.collection(EXPORTS)), "export.run"],
    ["analyses of postings", await insights.oldestPosting(), "insight.analyse"],
  ];
  return waiting.map(([kind, since, role]) => {
    const about = `waiting ${kind}`;
    if (since === undefined) return { verdict: "ok", about, found: "none waits" };
    const ms = Math.max(0, now() - since);
    const found = `the oldest has waited for ${spanOf(ms)}`;
    if (ms < LATE_MS) return { verdict: "ok", about, found };
    const next = `Add workers with the role ${role}, or read in their logs what keeps them from it.`;
    return { verdict: ms < MUCH_TOO_LATE_MS ? "look" : "bad", about, found, next };
  });
}

/** Searches that are named one by one. */
const NAMED_MAX = 20;

/** Searches that are due and not done, with the reason and the next try. */
export async function examineSearches(store: Store, now: () => number): Promise<Finding[]> {
  const stalled = await (await lookAtWork(store, now)).stalled();
  if (stalled.length === 0) return [{ verdict: "ok", about: "searches", found: "none stands still" }];
  const named = stalled.slice(0, NAMED_MAX).map(({ insightId, platform, why, nextTryAt, dueSince }): Finding => {
    const next = nextTryAt === null ? "" : `, next try at ${new Date(nextTryAt).toISOString()}`;
    const late = spanOf(now() - dueSince);
    return {
      verdict: "bad",
      about: `insight ${insightId} on ${platform}`,
      found: `stands still, ${late} late: ${REASONS[why].found}${next}`,
      next: REASONS[why].next,
    };
  });
  if (stalled.length <= NAMED_MAX) return named;
  const found = `${stalled.length - NAMED_MAX} more stand still`;
  return [...named, { verdict: "bad", about: "searches", found, next: "Remove the causes of the ones above first." }];
}

type Why = Awaited<ReturnType<Awaited<ReturnType<typeof lookAtWork>>["stalled"]>>[number]["why"];

const REASONS: Readonly<Record<Why, { found: string; next: string }>> = {
  failed: {
    found: "it failed several times",
    next: "Read err in the log of the workers with insight.collect, and report what is no outage.",
  },
  unavailable: {
    found: "something that it needs does not answer",
    next: "Bring back the store or the queue: the log of the workers with insight.collect names it.",
  },
  lost: {
    found: "the store answers too late for its claims",
    next: "Find out why the store is slow, or raise LEASE_SECONDS.",
  },
  died: {
    found: "the processes that did it ended again and again",
    next: "Read npm run -s admin -- jobs dead --queue insight.collect, and why those processes ended.",
  },
  untaken: {
    found: "no process takes it",
    next: "Start a worker with the role insight.collect, or restart one that hangs.",
  },
};
