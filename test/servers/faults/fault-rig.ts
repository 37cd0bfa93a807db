import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { Promises } from "../../processes/crash-loop/promises.js";
import { Random } from "../../processes/crash-loop/random.js";
import { signIn } from "../../processes/crash-loop/sign-in.js";
import { Traffic } from "../../processes/crash-loop/traffic.js";
import { describeVerdict, reachVerdict } from "../../processes/crash-loop/verdict.js";
import { Deployment, type Topology } from "../../support/deployment.js";
import { LIMITS } from "../../support/limits.js";
import { type Answer, sender, TEST_SETTINGS } from "../../support/server.js";
import { serverTestStorage, testServers, type ServerUrls, type TestStorage } from "../../support/test-storage.js";

export const OPERATIONS = "/api/v2/products/api/operations";
export const LEASE_MS = 2000;

export interface FaultRigOptions {
  topology: Topology;
  /** Number of worker processes. Default 2. */
  workers?: number;
  /** URLs of the servers, if the test file has its own. */
  servers?: ServerUrls;
  /** The product's URLs of them, for example through a proxy. */
  ways?: ServerUrls;
  partEnv?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const CLIENTS = 2;
const OPERATIONS_MAX = 400;
const DRAIN_MS = LIMITS.test;

/** A running product for a series of faults. */
export class FaultRig {
  private constructor(
    readonly deployment: Deployment,
    readonly testStorage: TestStorage,
    private readonly authorization: string,
  ) {}

  static async start({
    servers = testServers(),
    ways,
    topology,
    workers = 2,
    partEnv,
  }: FaultRigOptions): Promise<FaultRig> {
    const testStorage = await serverTestStorage(servers, ways);
    const env = {
      ...TEST_SETTINGS,
      ...FAST_ENGINES,
      ...testStorage.env,
      NODE_ENV: "test",
      LOG_LEVEL: "info",
      LEASE_SECONDS: String(LEASE_MS / 1000),
    };
    const deployment = await Deployment.prepare({ topology, env, workers, ...(partEnv && { partEnv }) });
    deployment.start();
    try {
      await deployment.ready();
      return new FaultRig(deployment, testStorage, await signIn(deployment.url));
    } catch (error) {
      await deployment.end("SIGKILL");
      throw error;
    }
  }

  /**
   * Lets clients work while `harm` causes and removes a fault, and until some of their operations have been accepted
   * afterwards. Then every operation must have ended exactly once; prints their number under the name of the test.
   */
  async bears(harm: (trial: Trial) => Promise<void>): Promise<void> {
    const { deployment, authorization } = this;
    const fault = expect.getState().currentTestName?.split(" > ").at(-1) ?? "";
    const promises = new Promises(`${fault} ${randomUUID()}`); // a retried test starts again
    const over = new AbortController();
    const traffic = new Traffic(
      {
        url: deployment.url,
        authorization,
        random: new Random(1),
        promises,
        operations: OPERATIONS_MAX,
        over: over.signal,
      },
      CLIENTS,
    );
    try {
      const trial = new Trial(promises, traffic);
      await trial.accepted(BEFORE);
      await harm(trial);
      await trial.accepted(AFTER);
      await traffic.stop();
      const verdict = await reachVerdict(deployment, traffic, { promises, drainMs: DRAIN_MS });
      const { accepted, deleted, done, lost, twice } = verdict;
      const figures = `accepted ${accepted - deleted}, done ${done}, lost ${lost.length}, twice ${twice.length}`;
      process.stdout.write(`${fault}: ${figures}\n`);
      const why = [describeVerdict(verdict), ...verdict.broken].join("; ");
      expect(verdict, why).toMatchObject({ lost: [], twice: [], broken: [], failed: 0, done: accepted - deleted });
    } finally {
      over.abort();
      this.revive();
    }
  }

  /** Restores what a failed test left down or frozen. */
  private revive(): void {
    for (const part of this.deployment.parts) part.thaw();
    this.deployment.start();
  }

  /** Sends one request as the first user; bodies are sent as JSON. */
  send(
    method: string,
    route: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    return sender(this.deployment.url)(method, route, { authorization: this.authorization, ...options });
  }

  /** Fails if a log contains unexpected entries; clears them for the next test. */
  expectQuietLogs(): void {
    expect(this.deployment.errors.splice(0)).toEqual([]);
  }

  async remove(): Promise<void> {
    await this.deployment.end("SIGKILL");
    await this.testStorage.remove();
  }
}

/** Long operations should take a worker seconds, not minutes; the engine does not influence losses. */
const FAST_ENGINES = Object.fromEntries(
  ["SENTIMENT_SIMPLE", "SENTIMENT_REAL", "INTENTION", "SPAM_DETECTION", "TOPIC"].map((type) => [
    `ENGINE_${type}`,
    "fast",
  ]),
);

/** Number of operations accepted before the fault, and after it. */
const BEFORE = 5;
const AFTER = 5;

/** The actions of a test while clients work. */
export class Trial {
  constructor(
    readonly promises: Promises,
    private readonly traffic: Traffic,
  ) {}

  /** Waits until this many more operations are accepted. */
  async accepted(more: number): Promise<void> {
    const wanted = this.promises.accepted.length + more;
    const giveUpAt = performance.now() + ACCEPTED_WITHIN_MS;
    while (this.promises.accepted.length < wanted) {
      if (performance.now() > giveUpAt) throw new Error(`${this.promises.accepted.length} of ${wanted} were accepted`);
      await pause(20);
    }
  }

  /** Creates an operation that takes its worker several seconds, and waits until it is in work; returns its id. */
  async longOperation(): Promise<number> {
    const promised = await this.traffic.order(
      Array.from({ length: LONG_TEXTS }, (_, index) => `${index} ${LONG_TEXT}`),
    );
    const giveUpAt = performance.now() + ACCEPTED_WITHIN_MS;
    while (!(await this.traffic.isRunning(promised))) {
      if (performance.now() > giveUpAt) throw new Error(`operation ${promised.id} was not seen running`);
      if (promised.end !== undefined) throw new Error(`operation ${promised.id} was over before it was seen running`);
    }
    return promised.id ?? 0;
  }

  /** Waits for the end of one of these clients' operations. */
  async ended(id: number): Promise<void> {
    const promised = this.promises.all.find((each) => each.id === id);
    if (promised === undefined || !(await this.traffic.awaitEnd(promised, performance.now() + DRAIN_MS))) {
      throw new Error(`operation ${id} did not end`);
    }
  }
}

const ACCEPTED_WITHIN_MS = LIMITS.condition;
/** Some seconds of work for a worker, so that it can be harmed in the middle. */
const LONG_TEXTS = 1000;
const LONG_TEXT = "It was a good day, a bad day, and a plain day after all of that. ".repeat(60);

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Fails unless the response is that of a temporarily unavailable server: JSON, with the time of a retry. */
export function expectAway(answer: Answer): void {
  expect([503, 504], answer.text).toContain(answer.status);
  if (answer.status === 503) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
}
