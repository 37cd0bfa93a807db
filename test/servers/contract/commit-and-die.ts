import { armFailpoints, createLogger, insertNewStep, openMongo, updateStep } from "@hourglass/runtime";

/** Moves one unit from account `a` to account `b` and notes the transfer, in one commit; dies where `failpoints` says. */
async function transfer(url: string, failpoints: string): Promise<void> {
  const { store, close } = await openMongo({ url, log: createLogger("silent") });
  const accounts = await store.collection<{ id: string; units: number }>({ name: "accounts" });
  const transfers = await store.collection<{ id: string }>({ name: "transfers" });
  armFailpoints(failpoints);
  await store.commit([
    updateStep(accounts, { id: "a" }, { increment: { units: -1 } }),
    insertNewStep(transfers, [{ id: "a to b" }]),
    updateStep(accounts, { id: "b" }, { increment: { units: 1 } }),
  ]);
  await close();
}

const [url, failpoints] = process.argv.slice(2);
if (url === undefined || failpoints === undefined) throw new Error("usage: commit-and-die URL FAILPOINTS");
await transfer(url, failpoints);
