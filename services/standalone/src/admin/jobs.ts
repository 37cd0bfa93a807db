import { setTimeout as sleep } from "node:timers/promises";
import { fromBinary, isMessage, toJsonString, type DescMessage } from "@bufbuild/protobuf";
import { type DueWork, DueWorkSchema, file_hourglass_job_v1_job as jobs } from "@hourglass/proto/job/v1/job";
import { AppError, giveOneOf, openStorage, queuesOf, type DeadLetter, type Queue } from "@hourglass/runtime";
import { UsageError, type Administration, type Opening, type OptionValues } from "./administration.js";
import { escapeField, type Row } from "./output.js";

/** Opens the queue of all jobs; resolves once it answers. */
export async function openQueue({ config, log, lifecycle }: Opening): Promise<Queue> {
  const { queue } = await openStorage({ config, log, lifecycle, parts: ["queue"] });
  await untilReached(queue);
  return queue;
}

/** The broker is connected in the background; the command waits at most this long for it, in milliseconds. */
const CONNECT_MS = 10_000;
const LOOK_EVERY_MS = 100;

async function untilReached(queue: Queue): Promise<void> {
  const giveUpAt = performance.now() + CONNECT_MS;
  for (;;) {
    try {
      await queue.ping();
      return;
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "unavailable" || performance.now() > giveUpAt) throw error;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** Every queue in the contract, with its message type. */
const MESSAGES: Readonly<Record<string, DescMessage>> = Object.fromEntries(
  jobs.messages.flatMap((message) => queuesOf(message).map((name) => [name, message])),
);

/** Names of all queues. */
export const QUEUES: readonly string[] = Object.keys(MESSAGES);

/** Maximum number of jobs listed, retried or dropped by one command. */
const BATCH_MAX = 10_000;

/** The dead jobs of one queue, or of each, a line each. */
export async function listDead(
  { queue: open }: Administration,
  { queue: name, limit = "50" }: OptionValues,
): Promise<Row[]> {
  const [names, count] = [namesOf(name), readLimit(limit)];
  return (await deadIn(await open(), names, count)).map(rowOf);
}

/** Puts dead jobs back into their queues. */
export function retryDead(administration: Administration, values: OptionValues): Promise<string[]> {
  return changeDead(administration, values, "Retried");
}

/** Removes dead jobs. */
export function dropDead(administration: Administration, values: OptionValues): Promise<string[]> {
  return changeDead(administration, values, "Dropped");
}

async function changeDead(
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

function rowOf({ id, queue, attempts, diedAt, reason, body }: DeadLetter): Row {
  return [
    ["id", id],
    ["queue", queue],
    ["deliveries", attempts],
    ["died_at", diedAt],
    ["reason", reason],
    ["job", describeJob(queue, body)],
  ];
}

/** Number of bytes shown of an unreadable message. */
const SHOWN_BYTES = 32;

/** What the message of a job says; if it is not a message of its queue, its first bytes. */
function describeJob(queue: string, body: Uint8Array): string {
  return readJob(queue, body) ?? `${body.length} bytes: ${Buffer.from(body.subarray(0, SHOWN_BYTES)).toString("hex")}`;
}

function readJob(queue: string, body: Uint8Array): string | undefined {
  const schema = MESSAGES[queue];
  if (schema === undefined) return undefined;
  try {
    const message = fromBinary(schema, body);
    if (isMessage(message, DueWorkSchema)) return describeDue(message);
    const text = toJsonString(schema, message);
    // The bytes happen to parse but contain no known field.
    return text === "{}" ? undefined : text;
  } catch {
    return undefined;
  }
}

/** The kind of work, the record and since when it was due; undefined if it names no record. */
function describeDue({ kind, record, since }: DueWork): string | undefined {
  if (record.case === undefined) return undefined;
  return `${kind} ${record.value}, due since ${new Date(Number(since)).toISOString()}`;
}
