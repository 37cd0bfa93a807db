import { authSettings, buildAuthService, type AuthServiceParts } from "@hourglass/auth";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { createInProcessClient, Dispatcher, readConfig } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { numbersBelow, silent } from "../../contract/support.js";
import { freshMongo, type MongoWorld } from "./mongo-world.js";

let world: MongoWorld;
const opened: AuthServiceParts[] = [];

beforeEach(async () => {
  world = await freshMongo();
});
afterEach(async () => {
  for (const auth of opened.splice(0)) auth.close();
  await world.close();
});

/** A replica of Auth; `env` overrides the configuration by variable names. */
async function startAuth(env: Record<string, string> = {}): Promise<AuthServiceParts> {
  const { store } = await world.again();
  const auth = await buildAuthService({
    store,
    config: readConfig(env, { auth: authSettings }),
    log: silent,
    keyStore: "store",
  });
  opened.push(auth);
  return auth;
}

async function keysOf({ routes, authenticate }: AuthServiceParts): Promise<string[]> {
  const dispatcher = new Dispatcher({ authenticate, reportFailure: () => undefined });
  const auth = createInProcessClient(AuthService, routes[0]!, dispatcher);
  return (await auth.listKeys({})).keys.map(({ id }) => id).sort();
}

const records = () => world.direct.db().collection<{ _id: string; pem: string }>("signing_keys").find().toArray();

describe("signing keys in MongoDB", () => {
  it("become the same in replicas of Auth that start at the same moment", async () => {
    const replicas = await Promise.all(numbersBelow(3).map(() => startAuth()));
    await vi.waitFor(
      async () => {
        const kept = (await records()).map(({ _id }) => _id).sort();
        for (const replica of replicas) expect(await keysOf(replica)).toEqual(kept);
      },
      { timeout: 20_000 },
    );
  });

  it("are encrypted with the passphrase, without which no other replica starts", async () => {
    await startAuth({ SIGNING_KEY_PASSPHRASE: "a passphrase of some length" });
    for (const { pem } of await records()) expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    await expect(startAuth()).rejects.toThrow(/SIGNING_KEY_PASSPHRASE/);
    await startAuth({ SIGNING_KEY_PASSPHRASE: "a passphrase of some length" });
    expect(await records()).toHaveLength(1);
  });
});
