import { afterEach, beforeEach, expect, it } from "vitest";
import { runAdmin } from "../../processes/admin-command.js";
import { Deployment } from "../../support/deployment.js";
import { LIMITS } from "../../support/limits.js";
import { TEST_SETTINGS } from "../../support/server.js";
import { serverTestStorage, testServers, type TestStorage } from "../../support/test-storage.js";

interface Finding {
  verdict: string;
  about: string;
  found: string;
}

let storage: TestStorage;
beforeEach(async () => {
  storage = await serverTestStorage(testServers());
});
afterEach(() => storage.remove());

async function examine(env: Readonly<Record<string, string>> = {}): Promise<{ code: number | null; of: Find }> {
  const { code, stdout } = await runAdmin({ ...storage.env, ...env }, ["doctor", "--json"]);
  const findings = JSON.parse(stdout) as Finding[];
  return { code, of: (about) => findings.find((finding) => finding.about === about) };
}

type Find = (about: string) => Finding | undefined;

it(
  "the doctor knows the consumers of a broker, and tells of one that is away",
  { timeout: LIMITS.processes },
  async () => {
    const product = await Deployment.prepare({ topology: "one-process", env: { ...TEST_SETTINGS, ...storage.env } });
    product.start();
    await product.ready();
    try {
      const running = await examine();
      expect(running.code).toBe(0);
      expect(running.of("processes")).toMatchObject({ verdict: "ok" });
      expect(running.of("queue operation.run")?.found).toMatch(/consumers: [1-9]/);
      expect(running.of("data")).toMatchObject({ verdict: "ok" });
      const cut = await examine({ AMQP_URL: "amqp://guest:guest@127.0.0.1:9/" });
      expect(cut.code).toBe(1);
      expect(cut.of("queues")).toMatchObject({ verdict: "bad" });
      expect(cut.of("API keys")).toMatchObject({ verdict: "ok" });
    } finally {
      await product.end("SIGTERM");
    }
    expect((await examine()).of("processes")).toMatchObject({ verdict: "look" });
  },
);
