import { RabbitNode } from "../servers/control/rabbitmq.js";
import { Secantus } from "../servers/control/secantus.js";

/** A storage to benchmark. */
export interface Servers {
  name: string;
  /** Variables that make the product use it. */
  env: Record<string, string>;
}

export interface OpenedServers {
  /** The embedded storage first; MongoDB and RabbitMQ only if available. */
  all: Servers[];
  close(): Promise<void>;
}

/**
 * The embedded storage, and real servers: those in TEST_MONGODB_URL and TEST_AMQP_URL, otherwise new ones like those of
 * the tests, if they are installed.
 */
export async function openServers(): Promise<OpenedServers> {
  const embedded = { name: "embedded", env: {} };
  const started: { remove(): Promise<void> }[] = [];
  const close = async () => {
    for (const server of started) await server.remove();
  };
  const provide = async (variable: string, start: () => Promise<{ url: string; remove(): Promise<void> }>) => {
    const named = process.env[variable];
    if (named !== undefined && named !== "") return named;
    const server = await start();
    started.push(server);
    return server.url;
  };
  try {
    const MONGODB_URL = await provide("TEST_MONGODB_URL", () => Secantus.start());
    const AMQP_URL = await provide("TEST_AMQP_URL", () => RabbitNode.start());
    const mixed = { name: "embedded store, RabbitMQ", env: { AMQP_URL } };
    return { all: [embedded, mixed, { name: "MongoDB and RabbitMQ", env: { MONGODB_URL, AMQP_URL } }], close };
  } catch (error) {
    process.stderr.write(`Measuring without MongoDB and RabbitMQ: ${String(error)}\n`);
    await close();
    return { all: [embedded], close: () => Promise.resolve() };
  }
}
