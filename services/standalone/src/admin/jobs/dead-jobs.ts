import { AppError, giveOneOf, type DeadLetter, type Queue } from "@hourglass/runtime";
import type { Administration, OptionValues } from "../command.js";
import { escapeField } from "../output.js";
import { UsageError } from "../../usage-error.js";
import { describeJob, QUEUES } from "./job-queues.js";

/** Maximum number of jobs listed, retried or dropped by one command. */
const BATCH_MAX = 10_000;

/** Retries or drops one job or all. */
export async function changeDead(
  { queue: open }: Administration,
  { id, all, queue: name }: OptionValues,
  done: "Retried" | "Dropped",
): Promise<string[]> {
  if (all !== undefined && all !== "true")
    throw new UsageError("Give --all true, or leave it out and name one job by --id.");
  if ((id === undefined) === (all === undefined)) throw new UsageError("Give either --id or --all true.");
  if (id !== undefined && name !== undefined)
    throw new UsageError("Leave out --queue: it goes with --all true, and an id needs none.");
  const names = namesOf(name);
  const queue = await open();
  const act = (one: string) => (done === "Retried" ? queue.retryDead(one) : queue.dropDead(one));
  if (id !== undefined) {
    if (await act(id)) return [`${done} job ${escapeField(id)}`];
    throw new AppError(
      "not-found",
      `There is no dead job with the id "${escapeField(id)}". The command jobs dead lists them all.`,
    );
  }
  const letters = await deadIn(queue, names, BATCH_MAX);
  // A job retried or dropped by another command in the meantime is not counted.
  let count = 0;
  for (const letter of letters) if (await act(letter.id)) count += 1;
  const more = letters.length < BATCH_MAX ? [] : ["There may be more: run the command again."];
  return [`${done} ${count} ${count === 1 ? "job" : "jobs"}`, ...more];
}

/** The dead jobs of one queue, or of each, a line each. Throws UsageError. */
export async function listDead(open: () => Promise<Queue>, name: string | undefined, limit: string): Promise<string[]> {
  const [names, count] = [namesOf(name), readLimit(limit)];
  return (await deadIn(await open(), names, count)).map(describe);
}

async function deadIn(queue: Queue, names: readonly string[], limit: number): Promise<DeadLetter[]> {
  const letters: DeadLetter[] = [];
  for (const name of names) letters.push(...(await queue.listDead(name, limit)));
  return letters;
}

function namesOf(queue: string | undefined): readonly string[] {
  if (queue === undefined) return QUEUES;
  if (QUEUES.includes(queue)) return [queue];
  throw new UsageError(`There is no queue "${escapeField(queue)}". ${giveOneOf(QUEUES, queue)}`);
}

function readLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= BATCH_MAX) return limit;
  throw new UsageError(`Give --limit a whole number from 1 to ${BATCH_MAX}.`);
}

function describe({ id, queue, attempts, diedAt, reason, body }: DeadLetter): string {
  return [id, queue, String(attempts), diedAt, reason, describeJob(queue, body)].map(escapeField).join("\t");
}
