import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { RunOperationSchema } from "@hourglass/proto/job/v1/job";
import { queuesOf, rabbitNames } from "@hourglass/runtime";
import amqp from "amqplib";
import { MongoClient } from "mongodb";
import { dropDatabase } from "./drop-database.js";

/** Storage for a product under test that contains nothing else. */
export interface TestStorage {
  /** DATA_DIR, and MONGODB_URL, AMQP_URL and AMQP_PREFIX on servers. */
  env: Readonly<Record<string, string>>;
  dataDir: string;
  remove(): Promise<void>;
}

export interface ServerUrls {
  /** URL without a database. */
  mongodb: string;
  amqp: string;
}

/** The storage that this run selects: on servers if TEST_STORAGE is `servers`, otherwise in files. */
export function openTestStorage(): Promise<TestStorage> {
  return process.env["TEST_STORAGE"] === "servers" ? serverTestStorage(testServers()) : embeddedTestStorage();
}

/** The servers of this run, from the variables that name them. */
export function testServers(): ServerUrls {
  return { mongodb: named("TEST_MONGODB_URL"), amqp: named("TEST_AMQP_URL") };
}

/** The embedded store and queue in a separate folder. */
export async function embeddedTestStorage(): Promise<TestStorage> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-test-"));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  return { env: { DATA_DIR: dataDir }, dataDir, remove };
}

/**
 * A separate database and queues on running servers. Processes of the product may get other URLs of the same servers in
 * `ways`, for example through a proxy.
 */
export async function serverTestStorage(servers: ServerUrls, ways: ServerUrls = servers): Promise<TestStorage> {
  const files = await embeddedTestStorage();
  const name = `hourglass-test-${randomBytes(6).toString("hex")}`;
  const env = {
    ...files.env,
    MONGODB_URL: withDatabase(ways.mongodb, name),
    AMQP_URL: ways.amqp,
    AMQP_PREFIX: name,
  };
  const remove = async () => {
    await Promise.all([
      removeDatabase(withDatabase(servers.mongodb, name)),
      dropQueues(servers.amqp, name),
      files.remove(),
    ]);
  };
  return { env, dataDir: files.dataDir, remove };
}

function named(variable: string): string {
  const url = process.env[variable];
  if (!url) throw new Error(`${variable} is not set: run the tests by \`npm run test:servers\``);
  return url;
}

/** The URL of one of a server's databases; the URL may contain several hosts, separated by commas. */
function withDatabase(url: string, database: string): string {
  return url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`);
}

async function removeDatabase(url: string): Promise<void> {
  const client = new MongoClient(url);
  try {
    await dropDatabase(client.db());
  } finally {
    await client.close();
  }
}

async function dropQueues(url: string, prefix: string): Promise<void> {
  const connection = await amqp.connect(url);
  try {
    const channel = await connection.createChannel();
    for (const name of queuesOf(RunOperationSchema)) {
      const { work, dead } = rabbitNames(prefix, name);
      for (const queue of [work, dead]) await channel.deleteQueue(queue);
    }
  } finally {
    await connection.close();
  }
}
