import { afterAll, beforeAll } from "vitest";
import type { CrashPlace } from "../../processes/lives/live.js";
import { postingsCrash } from "../../processes/postings-crash/suite.js";
import { rechecksCrash } from "../../processes/rechecks-crash/suite.js";
import { sweepsCrash } from "../../processes/sweeps-crash/suite.js";
import { TEMPORARY } from "../../support/drop-database.js";
import { serverTestStorage, testServers } from "../../support/test-storage.js";
import { Secantus } from "../control/secantus.js";

/** Set unless TEST_MONGODB_URL names a server; ./insights-crash.test.ts tells why it is one of its own. */
let secantus: Secantus | undefined;
beforeAll(async () => {
  if (process.env[TEMPORARY] === undefined) return;
  secantus = await Secantus.start();
  secantus.limitTransactions();
});
afterAll(() => secantus?.remove());

const place: CrashPlace = {
  openStorage: () => serverTestStorage({ ...testServers(), ...(secantus && { mongodb: secantus.url }) }),
  afterLife: async () => secantus?.endTransactions(),
};

postingsCrash(place);
sweepsCrash(place);
rechecksCrash(place);
