import { jobsContract } from "../../contract/jobs-contract.js";
import type { JobsStorage, JobsWorld } from "../../contract/jobs-world.js";
import { freshMongo } from "./mongo-world.js";
import { openRabbitWorld } from "./rabbitmq-world.js";

async function openWorld(): Promise<JobsWorld> {
  const [mongo, rabbit] = await Promise.all([freshMongo(), openRabbitWorld()]);
  const again = async (): Promise<JobsStorage> => {
    const [{ store }, { queue }] = await Promise.all([mongo.again(), rabbit.again()]);
    return { store, queue };
  };
  const close = async () => {
    await rabbit.close();
    await mongo.close();
  };
  return { storage: await again(), again, close };
}

jobsContract("mongo and rabbitmq", openWorld, { leaseMs: 3000, dueRecords: 30 });
