import { createPrivateKey, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import {
  AppError,
  ConfigError,
  updateStep,
  type Collection,
  type CollectionDeclaration,
  type Store,
} from "@hourglass/runtime";

/** A signing key as stored. `id` is its `kid` and sorts by creation time. */
export interface StoredKey {
  id: string;
  /** PKCS #8, PEM. */
  privatePem: string;
}

/** Storage of signing keys; several processes may use it at once. */
export interface KeyStore {
  /** Ids of all keys, in any order. */
  listIds(): Promise<string[]>;
  /** Undefined if it has been removed in the meantime. */
  read(id: string): Promise<StoredKey | undefined>;
  /** Durable once the promise resolves; becomes visible to others atomically. */
  add(key: StoredKey): Promise<void>;
  remove(id: string): Promise<void>;
}

const SHAPE = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})(\d{3})-[0-9a-f]{8}$/;

/** Makes a `kid` that contains the creation time of the key, so that ids sort by age: `20260131235959123-9f86d081`. */
export function makeKeyId(madeAt: number): string {
  return `${new Date(madeAt).toISOString().replace(/\D/g, "")}-${randomBytes(4).toString("hex")}`;
}

/** Creation time of the key, in milliseconds since 1970; undefined if the text is not a `kid` of this format. */
export function keyMadeAt(id: string): number | undefined {
  const match = SHAPE.exec(id);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, millisecond] = match;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(at) ? undefined : at;
}

const SUFFIX = ".pem";

/** Keys as files `<kid>.pem`, readable only by their owner. */
export class FileKeyStore implements KeyStore {
  constructor(private readonly folder: string) {}

  listIds(): Promise<string[]> {
    return guarded(async () => {
      const names = (await unlessMissing(readdir(this.folder))) ?? [];
      const ids = names.filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length));
      return ids.filter((id) => keyMadeAt(id) !== undefined);
    });
  }

  read(id: string): Promise<StoredKey | undefined> {
    return guarded(async () => {
      const privatePem = await unlessMissing(readFile(this.fileOf(id), "utf8"));
      return privatePem === undefined ? undefined : { id, privatePem };
    });
  }

  add({ id, privatePem }: StoredKey): Promise<void> {
    return guarded(() => writeAtomically(this.folder, this.fileOf(id), privatePem));
  }

  remove(id: string): Promise<void> {
    return guarded(() => rm(this.fileOf(id), { force: true }));
  }

  private fileOf(id: string): string {
    return path.join(this.folder, id + SUFFIX);
  }
}

/** A crash at any point leaves either the whole new file or the previous state under its name. */
async function writeAtomically(folder: string, file: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const directory = await open(folder, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new AppError("unavailable", "The signing keys cannot be read or written. Try again later.", { cause: error });
  }
}

/** A signing key as a record. */
interface KeyRecord {
  /** Its `kid`. */
  id: string;
  /** PKCS #8; `ENCRYPTED PRIVATE KEY` if there is a passphrase. */
  pem: string;
}

/** Name of the collection of keys. */
export const KEY_COLLECTION = "signing_keys";

export const SIGNING_KEYS: CollectionDeclaration<KeyRecord> = {
  name: KEY_COLLECTION,
  belongs: { because: "they sign the tokens of all companies" },
};

const ENCRYPTED = "-----BEGIN ENCRYPTED PRIVATE KEY-----";

/** Keys as records of the store, which all replicas share. */
export class RecordKeyStore implements KeyStore {
  private constructor(
    private readonly records: Collection<KeyRecord>,
    private readonly passphrase: string | undefined,
  ) {}

  /**
   * `passphrase` encrypts added keys and decrypts stored ones; keys added without one remain readable. Reading fails
   * with a ConfigError if a key is encrypted with another passphrase.
   */
  static async open(store: Pick<Store, "collection">, passphrase: string | undefined): Promise<RecordKeyStore> {
    return new RecordKeyStore(await store.collection(SIGNING_KEYS), passphrase);
  }

  async listIds(): Promise<string[]> {
    const ids = (await this.records.find({})).map(({ id }) => id);
    return ids.filter((id) => keyMadeAt(id) !== undefined);
  }

  async read(id: string): Promise<StoredKey | undefined> {
    const record = await this.records.get(id);
    return record === undefined ? undefined : { id, privatePem: decrypt(record, this.passphrase) };
  }

  async add({ id, privatePem }: StoredKey): Promise<void> {
    await this.records.insert({ id, pem: encrypt(privatePem, this.passphrase) });
  }

  async remove(id: string): Promise<void> {
    await this.records.delete({ id });
  }
}

/**
 * Encrypts all keys with another passphrase, all or none, and returns how many. Those that already have it, as after a
 * repetition, stay as they are. Fails with a ConfigError if a key has neither passphrase.
 */
export async function reencryptKeys({
  store,
  passphrase,
  next,
}: {
  store: Pick<Store, "collection" | "commit">;
  passphrase: string | undefined;
  next: string;
}): Promise<number> {
  const records = await store.collection(SIGNING_KEYS);
  const found = (await records.find({})).filter(({ id }) => keyMadeAt(id) !== undefined);
  const old = found.filter((record) => !isEncryptedWith(record, next));
  const steps = old.map((record) => {
    const pem = encrypt(decrypt(record, passphrase), next);
    return updateStep(records, { id: record.id, pem: record.pem }, { set: { pem } });
  });
  const { done } = await store.commit(steps);
  if (!done) throw new AppError("unavailable", "The signing keys changed meanwhile. Run the command again.");
  return old.length;
}

function isEncryptedWith({ pem }: KeyRecord, passphrase: string): boolean {
  if (!pem.startsWith(ENCRYPTED)) return false;
  try {
    createPrivateKey({ key: pem, passphrase });
    return true;
  } catch {
    return false;
  }
}

function encrypt(pem: string, passphrase: string | undefined): string {
  if (passphrase === undefined) return pem;
  return createPrivateKey(pem).export({ format: "pem", type: "pkcs8", cipher: "aes-256-cbc", passphrase }).toString();
}

/** Texts that are not keys are rejected later, when they are loaded. */
function decrypt({ id, pem }: KeyRecord, passphrase: string | undefined): string {
  if (!pem.startsWith(ENCRYPTED)) return pem;
  if (passphrase === undefined) throw undecryptable(id, "is not set, and a signing key is encrypted");
  try {
    return createPrivateKey({ key: pem, passphrase }).export({ format: "pem", type: "pkcs8" }).toString();
  } catch (error) {
    throw undecryptable(id, "is not the passphrase that a signing key was encrypted with", error);
  }
}

function undecryptable(id: string, reason: string, cause?: unknown): ConfigError {
  const advice = "start Auth with the passphrase that its other processes have";
  return new ConfigError(`SIGNING_KEY_PASSPHRASE ${reason}: ${advice} (key ${id}).`, { cause });
}
