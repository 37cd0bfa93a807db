import { afterEach, beforeEach, describe } from "vitest";
import { deadLetterContract } from "./queue-dead-letter-contract.js";
import { deliveryContract, retryContract } from "./queue-delivery-contract.js";
import { localContract } from "./queue-local-contract.js";
import { instancesContract, sharingContract, stoppingContract } from "./queue-sharing-contract.js";
import type { QueueWorld } from "./queue-world.js";

/** Tests an adapter against the contract of the queue's port. */
export function queueContract(name: string, open: () => Promise<QueueWorld>, { isLocal = false } = {}): void {
  describe(`${name}: the promises of the queue`, () => {
    let world: QueueWorld | undefined;
    const get = (): QueueWorld => {
      if (world === undefined) throw new Error("The queue is not open.");
      return world;
    };

    beforeEach(async () => {
      world = await open();
    });

    afterEach(async () => {
      await world?.close();
      world = undefined;
    });

    deliveryContract(get);
    retryContract(get);
    deadLetterContract(get);
    instancesContract(get);
    if (isLocal) localContract(get);
    else sharingContract(get);
    stoppingContract(get);
  });
}
