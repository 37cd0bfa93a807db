import { afterEach, beforeEach, describe } from "vitest";
import { dueJobsContract } from "./due-jobs-contract.js";
import { jobLifeContract } from "./jobs-life-contract.js";
import { jobSharingContract } from "./jobs-sharing-contract.js";
import { Bakery, type BakeryOptions, type JobsScale, type JobsWorld } from "./jobs-world.js";

/** Tests a store and a queue together against the contract of jobs, with a kind of job that no service has. */
export function jobsContract(name: string, openWorld: () => Promise<JobsWorld>, scale: JobsScale): void {
  describe(`${name}: the promises of jobs`, () => {
    let world: JobsWorld;
    let bakeries: Bakery[] = [];
    beforeEach(async () => {
      world = await openWorld();
    });
    afterEach(async () => {
      await Promise.all(bakeries.map((bakery) => bakery.stop(500)));
      bakeries = [];
      await world.close();
    });

    /** A process; the first uses the storage itself, each further one opens it again. */
    const open = async (options?: BakeryOptions): Promise<Bakery> => {
      const config = { leaseMs: scale.leaseMs, ...options?.config };
      const storage = bakeries.length === 0 ? world.storage : await world.again();
      const bakery = await Bakery.on(storage, { ...options, config });
      bakeries.push(bakery);
      return bakery;
    };
    jobLifeContract(open, scale);
    jobSharingContract(open);
    dueJobsContract(() => world.again(), scale);
  });
}
