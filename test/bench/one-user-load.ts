import { Agent, request } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";

/** Many requests of one user at once, from a thread of their own, so that the one that measures has nothing else to do. */
export interface UserLoad {
  readonly url: string;
  readonly grpcUrl: string;
  readonly authorization: string;
  readonly path: string;
  /** Of a POST; of several, each request sends the next one. */
  readonly body?: string | readonly string[];
  /** Media type of the body. Default: that of JSON. */
  readonly type?: string;
  /** Calls this operation by gRPC instead. */
  readonly grpc?: { readonly id: number; readonly wait: number; readonly data: boolean };
  readonly count: number;
  /** The clients leave after so many milliseconds. */
  readonly leaveMs?: number;
}

/** How many requests had each outcome: a status, or `left`. */
export type Outcomes = Record<string, number>;

const load = workerData as UserLoad;
const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

function byHttp(index: number): Promise<string> {
  const { url, path, type = "application/json", authorization, leaveMs } = load;
  const body = typeof load.body === "object" ? load.body[index % load.body.length] : load.body;
  return new Promise((resolve) => {
    const headers = { authorization, ...(body === undefined ? {} : { "content-type": type }) };
    const sent = request(url + path, { agent, method: body === undefined ? "GET" : "POST", headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.on("error", () => resolve("cut"));
    });
    sent.on("error", () => resolve("left"));
    sent.end(body);
    if (leaveMs !== undefined) setTimeout(() => sent.destroy(), leaveMs);
  });
}

async function byGrpc({ id, wait, data }: NonNullable<UserLoad["grpc"]>): Promise<string> {
  const { authorization, leaveMs } = load;
  const signal = leaveMs === undefined ? {} : { signal: AbortSignal.timeout(leaveMs) };
  try {
    await grpcClient.getOperation({ id: BigInt(id), wait, data }, { headers: { authorization }, ...signal });
    return "200";
  } catch (error) {
    return String((error as { code?: number }).code ?? "cut");
  }
}

const grpcClient = createClient(
  OperationService,
  createGrpcTransport({ baseUrl: load.grpcUrl, readMaxBytes: 100_000_000 }),
);

const outcomes: Outcomes = {};
await Promise.all(
  Array.from({ length: load.count }, async (_, index) => {
    const outcome = await (load.grpc === undefined ? byHttp(index) : byGrpc(load.grpc));
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }),
);
parentPort?.postMessage(outcomes);
