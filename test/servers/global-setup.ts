import { TEMPORARY } from "../support/drop-database.js";
import { RabbitNode } from "./control/rabbitmq.js";
import { Secantus } from "./control/secantus.js";

/** Servers started here, to be removed at the end; configured servers are left alone. */
const started: { remove(): Promise<void> }[] = [];

/** Starts one broker and one database for the whole run, unless TEST_AMQP_URL and TEST_MONGODB_URL are set. */
export async function setup(): Promise<void> {
  try {
    await Promise.all([
      provide("TEST_AMQP_URL", () => RabbitNode.start()),
      provide("TEST_MONGODB_URL", supervisedDatabase),
    ]);
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await Promise.all(started.splice(0).map((server) => server.remove()));
}

async function supervisedDatabase(): Promise<Secantus> {
  const database = await Secantus.start();
  database.supervise();
  process.env[TEMPORARY] = "1";
  return database;
}

/** Tests find the server in the environment, where a developer can also name one. */
async function provide(
  variable: string,
  start: () => Promise<{ url: string; remove(): Promise<void> }>,
): Promise<void> {
  if (process.env[variable]) return;
  const server = await start();
  started.push(server);
  process.env[variable] = server.url;
}
