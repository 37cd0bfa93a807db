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
