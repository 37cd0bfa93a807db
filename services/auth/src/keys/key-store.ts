/** A signing key as it is kept. `id` is its `kid` and sorts by the time it was made. */
export interface StoredKey {
  id: string;
  /** PKCS #8, PEM. */
  privatePem: string;
}

/** Where signing keys are kept; several processes may use one at a time. */
export interface KeyStore {
  /** Ids of all keys, in any order. */
  listIds(): Promise<string[]>;
  /** Nothing when it has been removed meanwhile. */
  read(id: string): Promise<StoredKey | undefined>;
  /** Durable when the promise resolves; visible to others all at once. */
  add(key: StoredKey): Promise<void>;
  remove(id: string): Promise<void>;
}
