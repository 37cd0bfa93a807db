import { buildMediaService } from "@hourglass/media";
import { buildOperationService } from "@hourglass/operation";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { armFailpoints, createInProcessClient, createLogger, Dispatcher, type Document } from "@hourglass/runtime";
import { png } from "../../support/png.js";
import { openLifeStorage } from "../lives/storage.js";
import { until } from "../lives/until.js";
import { COMPANY, DEAD_CREATION, STORED_OPERATION } from "./operations.js";
import { companyOfToken, serviceTokenOf } from "../../support/service-token.js";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const CHECK_MS = 5;

/**
 * Leaves what crashes of requests leave of files and operations, unless an earlier process has, and sweeps it until nothing
 * is left. The clock is set ahead to when each of it is due.
 */
async function sweep(aheadMs: number): Promise<void> {
  let ahead = aheadMs;
  const clock = (): number => Date.now() + ahead;
  const log = createLogger("silent");
  const { store, queue, blobs, close } = await openLifeStorage(process.env);
  const shared = { store, queue, log, clock, checkMs: CHECK_MS };
  const limits = { imagePixelsMax: 1_000_000, durationMsMax: 60_000 };
  const media = await buildMediaService({
    ...shared,
    blobs,
    config: { uploadBytesMax: 1_000_000, unusedFileDays: 7, limits },
  });
  const client = createInProcessClient(MediaService, media.routes[0]!, DISPATCHER);
  const operations = await buildOperationService({
    ...shared,
    media: { client, serviceTokens: { call: (companyId, work) => work(String(companyId)) } },
    config: {
      ...{ contentsMax: 10, textCharactersMax: 1000, concurrency: 1, unfinishedMax: 0, backlogMax: 0 },
      ...{ leaseMs: 500, retentionDays: undefined },
    },
  });
  const collection = (name: string) => store.collection<Document>({ name });
  const [files, attempts, notes] = await Promise.all(
    ["files", "operation_attempts", "operation_leftovers"].map(collection),
  );
  const countOf = async (each: typeof files, filter: object = {}) => (await each?.count(filter)) ?? 0;

  const prepared = await collection("test_prepared");
  if ((await prepared.count({})) === 0) {
    // Whatever an interrupted preparation has left is due sooner or later, too.
    const upload = async () => {
      return (await client.uploadFile(picture(), { token: String(COMPANY) })).id;
    };
    const [used, claimed, reserved] = [await upload(), await upload(), await upload()];
    await upload();
    const token = serviceTokenOf(COMPANY);
    await client.claimFiles({ operationId: BigInt(STORED_OPERATION), fileIds: [used] }, { token });
    await client.claimFiles({ operationId: BigInt(DEAD_CREATION), fileIds: [claimed] }, { token });
    await files?.update({ id: Number(reserved) }, { set: { state: "claiming", operationId: 77, dueAt: clock() } });
    const attempt = { id: DEAD_CREATION, companyId: COMPANY, idempotency: null, state: "open", beats: 3, dueAt: null };
    await attempts?.insert(attempt);
    await prepared.insert({ id: 1 });
  }

  const parts = [media.startSweeper(), operations.startRelay(), operations.startSweeper()];
  await until("no creation is open", async () => (await countOf(attempts, { state: "open" })) === 0);
  await until("no leftover is noted", async () => (await countOf(notes)) === 0);
  ahead += 2 * HOUR_MS;
  await until("no creation is left", async () => (await countOf(attempts)) === 0);
  ahead += 9 * DAY_MS;
  await until("one file is left", async () => (await countOf(files)) === 1);
  const releases = await collection("file_releases");
  await until("no file is to be released", async () => (await countOf(releases)) === 0);
  for (const part of parts) await part.stop(1000);
  await close();
}

async function* picture() {
  yield { part: { case: "metadata" as const, value: { name: "a.png" } } };
  yield { part: { case: "chunk" as const, value: png() } };
}

/** The token of a company is its id. */
const DISPATCHER = new Dispatcher({
  authenticate: (token) =>
    Promise.resolve({
      userId: 1,
      companyId: Number(token),
      companyName: "Acme",
      email: "person@example.com",
      firstName: "",
      lastName: "",
      role: "admin",
      products: [{ uid: "api", active: true }],
    }),
  authenticateService: (token) => Promise.resolve({ service: "operation", companyId: companyOfToken(token) }),
  reportFailure: () => undefined,
});

const [failpoints = "", aheadMs = "0"] = process.argv.slice(2);
armFailpoints(failpoints);
await sweep(Number(aheadMs));
