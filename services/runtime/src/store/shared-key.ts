import { randomBytes } from "node:crypto";
import type { Collection } from "./store.js";

/** A stored secret. */
export interface StoredKey {
  id: string;
  /** 32 bytes in base64url. */
  key: string;
}

/** A secret of all processes that use the store: the first that needs it makes it. */
export class SharedKey {
  private key: Promise<string> | undefined;

  constructor(
    private readonly keys: Collection<StoredKey>,
    private readonly id: string,
  ) {}

  /** The key in base64url; read once, and again after a failure. */
  read(): Promise<string> {
    this.key ??= this.open().catch((error: unknown) => {
      this.key = undefined;
      throw error;
    });
    return this.key;
  }

  private async open(): Promise<string> {
    // Of several processes, one inserts the key, and all read it.
    await this.keys.insertNew([{ id: this.id, key: randomBytes(32).toString("base64url") }]);
    const stored = await this.keys.get(this.id);
    if (stored === undefined) throw new Error(`the key of the ${this.id} is missing from the store`);
    return stored.key;
  }
}
