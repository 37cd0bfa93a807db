import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import {
  AppError,
  isTokenKey,
  KEY_REFRESH_INTERVAL_MS,
  TOKEN_ALGORITHM,
  TOKEN_CLOCK_TOLERANCE_SECONDS,
  type Logger,
  type VerificationKeys,
} from "@hourglass/runtime";
import { keyMadeAt, makeKeyId, type KeyStore, type StoredKey } from "./key-store.js";

/** A key pair ready for use. */
export interface SigningKey {
  /** Its `kid`. */
  id: string;
  /** Milliseconds since 1970. */
  madeAt: number;
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** The public key as a JSON Web Key, in JSON. */
  publicJwk: string;
}

/**
 * A new key is listed for this long before it signs, unless it is the only one: by then every process has read it, and
 * no token is refused because of an unknown key.
 */
export const KEY_LEAD_MS = KEY_REFRESH_INTERVAL_MS + 1000;

const REREAD_INTERVAL_MS = 1000;
/**
 * An old key may sign until the lead of its successor is over and its own process has noticed; after that its tokens
 * need time to expire.
 */
const RETIREMENT_MARGIN_MS = KEY_LEAD_MS + 60_000 + TOKEN_CLOCK_TOLERANCE_SECONDS * 1000;

export interface KeyRingOptions {
  store: KeyStore;
  log: Logger;
  tokenTtlSeconds: number;
  now: () => number;
}

/** The signing keys of this deployment, kept up to date with those added by other processes. */
export class KeyRing implements VerificationKeys {
  /** Newest first. */
  private keys: readonly SigningKey[] = [];
  private readonly broken = new Set<string>();
  private rereadAt = Number.NEGATIVE_INFINITY;
  private rereading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  private constructor(private readonly options: KeyRingOptions) {}

  /** Reads the keys and creates the first one if there is none. */
  static async open(options: KeyRingOptions): Promise<KeyRing> {
    const ring = new KeyRing(options);
    await ring.reread();
    if (ring.keys.length === 0) await ring.rotate();
    return ring;
  }

  /** Reads keys only when one is needed or added: for commands, most of which need neither keys nor the passphrase. */
  static lazy(options: KeyRingOptions): KeyRing {
    return new KeyRing(options);
  }

  /** Starts to follow the changes of other processes, within a second or two, and to remove retired keys. */
  watch(): void {
    this.timer ??= setInterval(() => {
      this.reread()
        .then(() => this.removeRetired())
        .catch((error: unknown) => this.options.log.warn({ err: error }, "the signing keys cannot be read again"));
    }, REREAD_INTERVAL_MS).unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** The key that currently signs. */
  current(): SigningKey {
    const latest = this.options.now() - KEY_LEAD_MS;
    const key = this.keys.find(({ madeAt }) => madeAt <= latest) ?? this.keys.at(-1);
    if (key === undefined) throw new AppError("unavailable", "No signing key can be read. Try again later.");
    return key;
  }

  /** Keys whose tokens are accepted, newest first. */
  list(): SigningKey[] {
    return this.keys.filter((_, index) => !this.isRetired(index));
  }

  known(id: string): KeyObject | undefined {
    const index = this.keys.findIndex((key) => key.id === id);
    return index < 0 || this.isRetired(index) ? undefined : this.keys[index]?.publicKey;
  }

  async find(id: string): Promise<KeyObject | undefined> {
    const age = this.options.now() - this.rereadAt;
    if (age >= REREAD_INTERVAL_MS || age < 0) await this.reread();
    return this.known(id);
  }

  /** The private key with that id, also one that signs no more; undefined if it is gone. */
  async privateKey(id: string): Promise<KeyObject | undefined> {
    const find = () => this.keys.find((key) => key.id === id)?.privateKey;
    const found = find();
    if (found !== undefined) return found;
    await this.reread();
    return find();
  }

  /** Adds a key, which signs once every process can know it. Returns its id. */
  async rotate(): Promise<string> {
    if (this.rereadAt === Number.NEGATIVE_INFINITY) await this.reread();
    const newest = this.keys[0];
    // Ids must be increasing, even if the clock was set back.
    const madeAt = Math.max(this.options.now(), (newest?.madeAt ?? 0) + 1);
    const stored = await generateSigningKey(madeAt);
    await this.options.store.add(stored);
    this.options.log.info({ keyId: stored.id }, "created a signing key");
    await this.rereading; // it may have listed the keys before this one was added
    await this.reread();
    return stored.id;
  }

  private reread(): Promise<void> {
    this.rereading ??= this.load().finally(() => {
      this.rereading = undefined;
    });
    return this.rereading;
  }

  private async load(): Promise<void> {
    const startedAt = this.options.now();
    const ids = (await this.options.store.listIds()).sort().reverse();
    if (ids.length !== this.keys.length || ids.some((id, index) => this.keys[index]?.id !== id)) {
      const loaded = await Promise.all(ids.map((id) => this.loadOne(id)));
      this.keys = loaded.filter((key) => key !== undefined);
    }
    this.rereadAt = startedAt;
  }

  private async loadOne(id: string): Promise<SigningKey | undefined> {
    const present = this.keys.find((key) => key.id === id);
    if (present !== undefined) return present;
    if (this.broken.has(id)) return undefined;
    const stored = await this.options.store.read(id);
    if (stored === undefined) return undefined;
    try {
      return loadSigningKey(stored);
    } catch (error) {
      this.broken.add(id);
      this.options.log.error({ err: error, keyId: id }, "a signing key is damaged and not used");
      return undefined;
    }
  }

  private isRetired(index: number): boolean {
    const successor = this.keys[index - 1];
    if (successor === undefined) return false;
    const { now, tokenTtlSeconds } = this.options;
    return successor.madeAt + tokenTtlSeconds * 1000 + RETIREMENT_MARGIN_MS < now();
  }

  private async removeRetired(): Promise<void> {
    const retired = this.keys.filter((_, index) => this.isRetired(index));
    for (const { id } of retired) {
      await this.options.store.remove(id);
      this.options.log.info({ keyId: id }, "removed a signing key whose tokens have all expired");
    }
  }
}

const generate = promisify(generateKeyPair);

/** Makes a new key pair in its stored form. */
async function generateSigningKey(madeAt: number): Promise<StoredKey> {
  const { privateKey } = await generate("ec", { namedCurve: "P-256" });
  const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { id: makeKeyId(madeAt), privatePem };
}

/** Builds the key objects once, so that no call has to parse a file. Throws if the text is not a P-256 private key. */
function loadSigningKey({ id, privatePem }: StoredKey): SigningKey {
  const madeAt = keyMadeAt(id);
  if (madeAt === undefined) throw new TypeError("the key id contains no time");
  const privateKey = createPrivateKey(privatePem);
  if (!isTokenKey(privateKey)) throw new TypeError("not a private key on P-256");
  const publicKey = createPublicKey(privateKey);
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: id, alg: TOKEN_ALGORITHM, use: "sig" };
  return { id, madeAt, privateKey, publicKey, publicJwk: JSON.stringify(jwk) };
}
