import { once } from "node:events";
import { createServer } from "node:net";

/** Below Linux's range for outgoing connections, which would take the port of a server that is briefly down. */
const FIRST = 10_000;
const COUNT = 22_000;
/** Concurrent processes start searching at distant ports, so that no two find the same one. */
let next = (process.pid * 97) % COUNT;

/** An unused port of the loopback interface that this process has not received before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if (await isFree(port)) return port;
  }
  throw new Error("no port is free");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
