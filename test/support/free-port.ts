import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below Linux's range for outgoing connections, which would take the port of a server that is briefly down. */
const FIRST = 10_000;
const COUNT = 22_000;
/** Concurrent processes start searching at distant ports, so that they rarely look at the same one. */
let next = (process.pid * 97) % COUNT;

/** An unused port of the loopback interface that no test process that lives has received before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + next;
    next = (next + 1) % COUNT;
    if ((await claim(port)) && (await isFree(port))) return port;
  }
  throw new Error("no port is free");
}

/**
 * Whether this process is the only one that chose the port: it stays unused until the server starts, and while it
 * restarts. The claim is the UDP socket of the same number, which the system gives to one process and frees at its end.
 */
async function claim(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  try {
    socket.bind({ port, address: "127.0.0.1", exclusive: true });
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
