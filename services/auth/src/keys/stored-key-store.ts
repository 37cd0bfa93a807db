import { createPrivateKey } from "node:crypto";
import { AppError, ConfigError, type CollectionDeclaration, type Store, updateStep } from "@hourglass/runtime";
import { keyMadeAt } from "./key-id.js";
import type { KeyStore } from "./key-store.js";

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

export interface StoredKeyStoreOptions {
  store: Pick<Store, "collection">;
  /** Encrypts added keys and decrypts stored ones. Keys added without a passphrase remain readable. */
  passphrase: string | undefined;
}

/**
 * Keys as records of the store, which all replicas share. Reading fails with a ConfigError if a key is encrypted with a
 * passphrase other than the one of this process.
 */
export async function createStoredKeyStore({ store, passphrase }: StoredKeyStoreOptions): Promise<KeyStore> {
  const records = await store.collection(SIGNING_KEYS);
  return {
    listIds: async () => {
      const ids = (await records.find({})).map(({ id }) => id);
      return ids.filter((id) => keyMadeAt(id) !== undefined);
    },
    read: async (id) => {
      const record = await records.get(id);
      return record === undefined ? undefined : { id, privatePem: decrypt(record, passphrase) };
    },
    add: ({ id, privatePem }) => records.insert({ id, pem: encrypt(privatePem, passphrase) }),
    remove: async (id) => {
      await records.delete({ id });
    },
  };
}

/**
 * Encrypts all keys with another passphrase, all or none, and returns how many. Those that have it already, as after a
 * repetition, stay as they are. Fails with a ConfigError if a key has neither of both passphrases.
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
