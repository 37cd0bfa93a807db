import { once } from "node:events";
import { createServer } from "node:net";

/** Below what Linux gives to outgoing connections: those would take the port of a server that is down for a moment. */
const FIRST = 10_000;
const LAST = 31_999;
const TRIES = 50;

/** A port of the loopback interface that nobody listens on; nothing keeps others from taking it before its use. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
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
