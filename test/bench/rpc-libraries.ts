import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { createGrpcClient } from "@hourglass/runtime";
import { startBaseline } from "./child.js";
import { median, type Measurement } from "./measure.js";

const ROUNDS = 5;
const ROUND_MS = 2000;
const CALLERS = 64;

type Call = () => Promise<unknown>;

/**
 * Small calls to another process by grpc-js, which carries the calls between the product's own processes, compared with
 * connect-node on HTTP/2. A ratio below 1 means that one library could serve both purposes.
 */
export async function measureRpcLibraries(): Promise<Measurement[]> {
  const servers = await startBaseline("rpc-servers");
  const { grpcPort, connectPort } = (await (await fetch(servers.url)).json()) as Record<string, number>;
  const grpc = await createGrpcClient(OperationService, `127.0.0.1:${grpcPort}`);
  const transport = createConnectTransport({ baseUrl: `http://127.0.0.1:${connectPort}`, httpVersion: "2" });
  const connect = createClient(OperationService, transport);
  try {
    const byGrpc: Call = () => grpc.client.getOperation({ id: 1n });
    const byConnect: Call = () => connect.getOperation({ id: 1n });
    for (const call of [byGrpc, byConnect]) await callsPerSecond(call); // warm-up
    const pairs: { grpc: number; connect: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      pairs.push({ grpc: await callsPerSecond(byGrpc), connect: await callsPerSecond(byConnect) });
    }
    return [
      {
        name: `RPC between processes, ${CALLERS} callers`,
        value: `grpc-js ${Math.round(median(pairs.map((pair) => pair.grpc)))} calls/s`,
        baseline: `connect-node ${Math.round(median(pairs.map((pair) => pair.connect)))} calls/s`,
        ratio: median(pairs.map((pair) => pair.grpc / pair.connect)),
        target: "≥ 1.00",
      },
    ];
  } finally {
    grpc.close();
    await servers.close();
  }
}

/** Calls by `CALLERS` callers, each of which waits for its response before it calls again. */
async function callsPerSecond(call: Call): Promise<number> {
  const begin = performance.now();
  let calls = 0;
  const caller = async () => {
    for (; performance.now() - begin < ROUND_MS; calls++) await call();
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return calls / ((performance.now() - begin) / 1000);
}
