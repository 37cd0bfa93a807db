import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below Linux's range for outgoing connections, which would take the port of a server that is briefly down. */
const FIRST = 10_000;
const COUNT = 22_000;
/** Concurrent processes start searching at distant ports, so that they rarely look at the same one. */
let next = (process.pid * 97) % COUNT;

/** An unused port of the loopback interface. No two calls in any running processes return the same one. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if ((await isFree(port)) && (await claim(port))) return port;
  }
  throw new Error("no port is free");
}

/**
 * Reserves the port until this process ends, so that nobody else chooses it before its server starts, or during a
 * restart. Returns false if it is already reserved. The reservation is a UDP socket on the same port: the system gives
 * it to one process only, and it leaves the TCP port free.
 */
async function claim(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  try {
    socket.bind(port, "127.0.0.1");
    await once(socket, "listening");
    return true;
  } catch {
    socket.close();
    return false;
  }
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
