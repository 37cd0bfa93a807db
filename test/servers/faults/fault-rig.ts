import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { Promises } from "../../processes/crash-loop/promises.js";
import { Random } from "../../processes/crash-loop/random.js";
import { signIn } from "../../processes/crash-loop/sign-in.js";
import { Traffic } from "../../processes/crash-loop/traffic.js";
import { reachVerdict } from "../../processes/crash-loop/verdict.js";
import { Deployment, type Topology } from "../../support/deployment.js";
import { LIMITS } from "../../support/limits.js";
import { type Answer, sender, TEST_SETTINGS } from "../../support/server.js";
import { serverTestStorage, testServers, type ServerUrls, type TestStorage } from "../../support/test-storage.js";

export const OPERATIONS = "/api/v2/products/api/operations";
export const LEASE_MS = 2000;

export interface FaultRigOptions {
  topology: Topology;
  /** Worker processes. Default 2. */
  workers?: number;
  /** Where the servers are, when this file has some of its own. */
  servers?: ServerUrls;
  /** How the product reaches them, such as through a proxy. */
  ways?: ServerUrls;
  partEnv?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const CLIENTS = 2;
const OPERATIONS_MAX = 400;
const DRAIN_MS = LIMITS.test;

/** A running product that things are done to, one fault after the other. */
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
   * Lets clients work while `harm` is done and undone, and on until some of their operations were accepted afterwards.
   * Then every operation must have ended, once; prints how many there were under the name of the test.
   */
  async bears(harm: (trial: Trial) => Promise<void>): Promise<void> {
    const { deployment, authorization } = this;
    const fault = expect.getState().currentTestName?.split(" > ").at(-1) ?? "";
    const promises = new Promises(`${fault} ${randomUUID()}`); // a test that is tried again begins anew
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
      expect(verdict).toMatchObject({ lost: [], twice: [], broken: [], failed: 0, done: accepted - deleted });
    } finally {
      over.abort();
      this.revive();
    }
  }

  /** Brings back what a test that failed left down or frozen. */
  private revive(): void {
    for (const part of this.deployment.parts) part.thaw();
    this.deployment.start();
  }

  /** Sends one request as the first user; a body goes as JSON. */
  send(
    method: string,
    route: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    return sender(this.deployment.url)(method, route, { authorization: this.authorization, ...options });
  }

  /** Fails when a log holds what nobody expects; forgets it, so that the next test begins with nothing. */
  expectQuietLogs(): void {
    expect(this.deployment.errors.splice(0)).toEqual([]);
  }

  async remove(): Promise<void> {
    await this.deployment.end("SIGKILL");
    await this.testStorage.remove();
  }
}

/** Long operations are to take a worker seconds, not minutes; what is lost does not depend on the engine. */
const FAST_ENGINES = Object.fromEntries(
  ["SENTIMENT_SIMPLE", "SENTIMENT_REAL", "INTENTION", "SPAM_DETECTION", "TOPIC"].map((type) => [
    `ENGINE_${type}`,
    "fast",
  ]),
);

/** Operations accepted before the harm is done, and those accepted after it. */
const BEFORE = 5;
const AFTER = 5;

/** What a test may do while clients work. */
export class Trial {
  constructor(
    readonly promises: Promises,
    private readonly traffic: Traffic,
  ) {}

  /** Waits until so many more operations are accepted. */
  async accepted(more: number): Promise<void> {
    const wanted = this.promises.accepted.length + more;
    const giveUpAt = performance.now() + ACCEPTED_WITHIN_MS;
    while (this.promises.accepted.length < wanted) {
      if (performance.now() > giveUpAt) throw new Error(`${this.promises.accepted.length} of ${wanted} were accepted`);
      await pause(20);
    }
  }

  /** Creates an operation that takes its worker a while, and waits until it is in work; returns its id. */
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

  /** Waits for the end of an operation of these clients. */
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

/** Fails unless it is the answer of a server that lacks something for a moment: JSON, and when to try again. */
export function expectAway(answer: Answer): void {
  expect([503, 504], answer.text).toContain(answer.status);
  if (answer.status === 503) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
}
