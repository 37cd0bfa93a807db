import { claimDue } from "@hourglass/runtime";
import { createRefreshFound } from "../../postings/storing/refresh-found.js";
import { recheckId, type RecheckRecord } from "../../store/records.js";
import { RECHECK_LEASE_MS } from "../pace/policy.js";
import { type RecheckContext, runRecheck } from "../recheck/run-recheck.js";
import { seedRechecks } from "../recheck/seed.js";
import { type CollectWorld, PLATFORM } from "./collect-world.js";

/** Compares stored postings with their platforms when told to. */
export class Rechecker {
  private readonly context: RecheckContext;

  constructor(
    private readonly world: CollectWorld,
    replaced: Partial<RecheckContext> = {},
  ) {
    const { collections, platforms, eraseGone, log, now, store } = world;
    this.context = {
      collections,
      platforms,
      eraseGone,
      refreshFound: createRefreshFound({ store, collections, now }),
      log,
      now,
      stopping: new AbortController().signal,
      ...replaced,
    };
  }

  /** Moves the clock on, in steps as short as the pauses of rounds, and does every turn that is due meanwhile. */
  async run(ms: number): Promise<void> {
    const until = this.world.time + ms;
    await seedRechecks(this.context);
    for (;;) {
      const [next] = await this.world.collections.rechecks.find({}, { sort: [["dueAt", 1]], limit: 1 });
      if (next === undefined || next.dueAt > until) break;
      this.world.time = Math.max(this.world.time, next.dueAt);
      await this.turn(next);
    }
    this.world.time = until;
  }

  /** The state of the only company. */
  async record(platform: string = PLATFORM): Promise<RecheckRecord> {
    const record = await this.world.collections.rechecks.get(recheckId(7, platform));
    if (record === undefined) throw new Error("there is no such recheck");
    return record;
  }

  private async turn(record: RecheckRecord): Promise<void> {
    const records = this.world.collections.rechecks;
    const claim = await claimDue({ records, leaseMs: RECHECK_LEASE_MS, now: this.world.now }, record);
    if (claim !== undefined) await runRecheck(this.context, claim);
  }
}
