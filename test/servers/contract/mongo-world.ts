import { randomBytes } from "node:crypto";
import { openMongo, type Mongo } from "@hourglass/runtime";
import { MongoClient } from "mongodb";
import { silent } from "../../contract/support.js";
import { dropDatabase } from "../../support/drop-database.js";

/** On a slow machine the last of the many racing callers in the contract wait for long. */
const PATIENT_MS = 25_000;

/** A database that nothing else uses. */
export interface MongoWorld {
  /** Address of the database. */
  url: string;
  /** Another client of it: another process, or the same after a restart. */
  again: () => Promise<Mongo>;
  /** The database itself, accessed directly. */
  direct: MongoClient;
  /** Closes every client and drops the database. */
  close: () => Promise<void>;
}

/** Address of the server that the tests may use. */
export function serverUrl(): string {
  const url = process.env["TEST_MONGODB_URL"];
  if (url === undefined || url === "") {
    throw new Error("Set TEST_MONGODB_URL to the address of a MongoDB replica set: the tests make databases in it.");
  }
  return url;
}

/**
 * Opens a fresh database of the server. With `through`, a `host:port`, it is reached through that address, and with the
 * product's own time limits.
 */
export async function freshMongo(through?: string): Promise<MongoWorld> {
  const name = `hourglass_test_${randomBytes(6).toString("hex")}`;
  const url = withDatabase(serverUrl(), name);
  const direct = new MongoClient(url);
  const opened: Mongo[] = [];
  const rig = `${url}${url.includes("?") ? "&" : "?"}waitQueueTimeoutMS=${PATIENT_MS}`;
  const again = async (): Promise<Mongo> => {
    const mongo = await (through === undefined
      ? openMongo({ url: rig, log: silent, callMs: PATIENT_MS })
      : openMongo({ url: withHost(url, through), log: silent }));
    opened.push(mongo);
    return mongo;
  };
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((mongo) => mongo.close()));
    await dropDatabase(direct.db());
    await direct.close();
  };
  return { url, again, direct, close };
}

function withDatabase(url: string, name: string): string {
  const [address = "", options] = url.split("?");
  const hosts = /^[^:]+:\/\/[^/]+/.exec(address)?.[0] ?? address;
  return `${hosts}/${name}${options === undefined ? "" : `?${options}`}`;
}

function withHost(url: string, host: string): string {
  return url.replace(/^([^:]+:\/\/(?:[^@/]*@)?)[^/?]+/, `$1${host}`);
}
