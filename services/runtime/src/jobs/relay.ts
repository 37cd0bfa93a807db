import { failpoint } from "../process/failpoint.js";
import type { Logger } from "../log.js";
import { makingRoom } from "../storage/disk-reserve.js";
import { repeat, type Repetition } from "../process/repetition.js";
import type { LocalQueue, Queue } from "../queue/queue.js";
import { inSpan } from "../telemetry/spans.js";
import { type AnyDueKind, DUE_WORK_MESSAGE } from "./due-kind.js";
import { claimDue, type DueRecord, leaseOf, streamDue } from "./due-record.js";
import { FairQueue } from "./fair-queue.js";
import { jobFailpoint, messagingAttributes } from "./job-kind.js";

export interface RelayOptions {
  /** Name of the queue. */
  name: string;
  queue: Queue;
  kinds: readonly AnyDueKind[];
  /** Records that are published and not taken yet, at least. */
  waitingMin: number;
  /** Interval between looks for what is due while nothing is, in milliseconds. */
  checkMs: number;
  /** Messages of the queue in work in this process. */
  inWork: () => number;
  log: Logger;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Interval between looks while there is work, in milliseconds. */
const BUSY_MS = 50;
/** A look at much work takes long; the relay pauses for this multiple of its duration. */
const REST_PER_LOOK = 4;
/** On a slow database a look takes seconds; after a pause of several times that, workers would long have nothing to do. */
const REST_MAX_MS = 1_000;
const BATCH_MAX = 64;
const LOOK_AHEAD = 100;

/**
 * Publishes due records of one queue until stopped, in fair order, as many as workers take soon: so the order is decided
 * late. A record's due time moves ahead, so that it is published once; if it is not taken by then, it is published again.
 * Any number of relays may do so.
 *
 * To a local queue, records are published as they are, since it holds each message once, and only while this process
 * consumes it. One relay serves all who start one for the same queue.
 */
export function startRelay(options: RelayOptions): Repetition {
  const { queue, name } = options;
  if (!queue.isLocal) return relayOf(options);
  const relays = LOCAL_RELAYS.get(queue) ?? new Map<string, SharedRelay>();
  LOCAL_RELAYS.set(queue, relays);
  const shared = relays.get(name) ?? { relay: relayOf(options), users: 0 };
  relays.set(name, shared);
  shared.users += 1;
  shared.relay.wake();
  let isStopped = false;
  return {
    wake: () => shared.relay.wake(),
    stop: async (graceMs) => {
      if (isStopped) return;
      isStopped = true;
      shared.users -= 1;
      if (shared.users > 0) return;
      relays.delete(name);
      await shared.relay.stop(graceMs);
    },
  };
}

interface SharedRelay {
  readonly relay: Repetition;
  users: number;
}

/** The relays of this process to its local queues, by name. */
const LOCAL_RELAYS = new WeakMap<LocalQueue, Map<string, SharedRelay>>();

function relayOf(options: RelayOptions): Repetition {
  const { name, kinds, checkMs, log } = options;
  const relay = new Relay(options);
  // Without the room for deletions, a full disk would stop those of the queue.
  const deletes = kinds.some((kind) => kind.deletes === true);
  const loop = repeat(async () => {
    const begun = performance.now();
    try {
      const publish = () => relay.publish();
      if (!(await (deletes ? makingRoom(publish) : publish()))) return checkMs;
      return restAfter(performance.now() - begun);
    } catch (error) {
      log.warn({ err: error, queue: name }, "could not publish what is due, trying again");
      return checkMs;
    }
  });
  const wake = () => {
    relay.isStale = true;
    loop.wake();
  };
  return { wake, stop: (graceMs) => loop.stop(graceMs) };
}

/** What waits to be published. */
interface Due {
  kind: AnyDueKind;
  record: DueRecord;
}

class Relay {
  private readonly waiting = new FairQueue<Due>({
    isUrgent: ({ kind, record }) => kind.isUrgent?.(record) ?? false,
    ownerOf: ({ kind, record }) => kind.ownerOf?.(record) ?? 0,
    costOf: ({ kind, record }) => kind.costOf?.(record) ?? 1,
  });
  private readonly window: PublishWindow;
  /** Whether more may be due than was read last. */
  isStale = true;
  private readAgainAt = -Infinity;

  constructor(private readonly options: RelayOptions) {
    this.window = new PublishWindow(options.waitingMin);
  }

  /** Publishes until nothing is due or the window is full; false if nothing was due. */
  async publish(): Promise<boolean> {
    const { queue, name, inWork } = this.options;
    if (queue.isLocal && !queue.isConsumed(name)) return false;
    await this.read();
    const hasWork = !this.waiting.isEmpty;
    let wanted: number | undefined;
    while (!this.waiting.isEmpty) {
      const depth = queue.isLocal ? queue.waiting(name) : Math.max(0, (await queue.depth(name)) - inWork());
      wanted ??= this.window.observe(depth);
      const room = Math.min(wanted - depth, BATCH_MAX);
      if (room <= 0) break;
      await Promise.all(this.waiting.take(room).map((due) => this.publishOne(due)));
      await this.read();
    }
    this.window.finish(!this.waiting.isEmpty);
    return hasWork;
  }

  /** Reads what is due, at most once in a while as long as some of it waits: its order is decided late. */
  private async read(): Promise<void> {
    const { kinds, now, queue, name } = this.options;
    const begun = performance.now();
    if (!this.waiting.isEmpty && !this.isStale && begun < this.readAgainAt) return;
    this.isStale = false;
    const due = new Map<string, Due>();
    // What a local queue holds is still due, as long as no worker has claimed it.
    const held = queue.isLocal ? await queue.depth(name) : 0;
    for (const kind of kinds) {
      await kind.prepare?.();
      const lookAhead = (kind.lookAhead ?? LOOK_AHEAD) + held;
      for await (const record of kind.readDue?.() ?? streamDue({ records: kind.records, now }, lookAhead)) {
        if (queue.isLocal && held > 0 && queue.holds(name, messageOf(kind, record))) continue;
        due.set(`${kind.name} ${record.id}`, { kind, record });
      }
    }
    this.waiting.fill(due.values());
    const readAt = performance.now();
    this.readAgainAt = readAt + restAfter(readAt - begun);
  }

  private async publishOne({ kind, record }: Due): Promise<void> {
    if (this.options.queue.isLocal) await this.send({ kind, record }, messageOf(kind, record));
    else if (!(await this.publishMarked({ kind, record }))) return;
    kind.onPublished?.(record);
  }

  /** Publishes a record whose due time has moved ahead; false if another relay was faster, or the record was changed. */
  private async publishMarked({ kind, record }: Due): Promise<boolean> {
    const { now } = this.options;
    const { records, changes = {} } = kind;
    const { dueAt: wasDueAt } = record;
    const leaseMs = leaseOf(record, kind.leaseMs);
    const since = wasDueAt ?? now();
    const { published = {} } = changes;
    const marked = await claimDue({ records, leaseMs, now }, record, { set: published });
    if (marked === undefined) return false;
    const { dueAt } = marked.record;
    try {
      await this.send({ kind, record }, messageOf(kind, { ...record, dueAt }, since));
    } catch (error) {
      const before = Object.keys(published).map((field): [string, unknown] => [
        field,
        record[field as keyof DueRecord],
      ]);
      const set = { ...(Object.fromEntries(before) as Partial<DueRecord>), dueAt: wasDueAt };
      await marked.write((fence) => records.update(fence, { set }));
      throw error;
    }
    return true;
  }

  private async send({ kind, record }: Due, message: Uint8Array): Promise<void> {
    const { queue, name } = this.options;
    const span = kind.spanOf?.(record);
    const attributes = { ...messagingAttributes(name, "send"), [`hourglass.${kind.name}.id`]: record.id };
    await inSpan({ name: `send ${name}`, kind: "producer", parent: span?.parent ?? null, attributes }, async () => {
      failpoint(jobFailpoint(kind.name, "before_publish"));
      const confirmed = queue.publish(name, message);
      failpoint(jobFailpoint(kind.name, "before_confirm"));
      await confirmed;
      failpoint(jobFailpoint(kind.name, "after_publish"));
    });
  }
}

/** The message that names a record with its due time. */
function messageOf(
  { name, message = DUE_WORK_MESSAGE }: AnyDueKind,
  { id, dueAt }: DueRecord,
  since = dueAt,
): Uint8Array {
  return message.encode({ kind: name, id, dueAt: dueAt ?? 0, since: since ?? 0 });
}

/** The pause after a look that took so long, in milliseconds. */
function restAfter(lookMs: number): number {
  return Math.min(Math.max(BUSY_MS, REST_PER_LOOK * lookMs), REST_MAX_MS);
}

/** With a larger window, one company's backlog would stay ahead of another's first job for too long. */
const WAITING_MAX = 512;

/**
 * Target number of messages that wait in the queue: few, so that their order is decided late, but enough to keep workers
 * busy until the next look. The window doubles when all waiting messages were taken while more was due, and halves when half
 * of it is left.
 */
export class PublishWindow {
  private wanted: number;
  private heldBack = false;

  constructor(private readonly waitingMin: number) {
    this.wanted = waitingMin;
  }

  /** Takes the number of waiting messages; returns the target. */
  observe(waiting: number): number {
    if (waiting === 0 && this.heldBack) this.wanted = Math.min(2 * this.wanted, WAITING_MAX);
    else if (2 * waiting >= this.wanted) this.wanted = Math.max(Math.floor(this.wanted / 2), this.waitingMin);
    return this.wanted;
  }

  /** Records whether work was held back because the window was full. */
  finish(heldBack: boolean): void {
    this.heldBack = heldBack;
  }
}
