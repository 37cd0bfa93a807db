import { randomBytes, randomInt } from "node:crypto";
import { hash, parseOptions, verify } from "@node-rs/argon2";
import { AppError } from "@hourglass/runtime";
import PQueue from "p-queue";

/** The two functions of an argon2 implementation. */
export interface Argon2 {
  hash(password: string, options: typeof PARAMETERS): Promise<string>;
  verify(encoded: string, password: string): Promise<boolean>;
}

/** OWASP's first choice for argon2id (also the variant the package defaults to): 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 } as const;
const SALT_BYTES = 16;
/** Half of libuv's threads, so that file access and DNS lookups continue during a flood of sign-ins. */
const CONCURRENCY = 2;
/** About a second of work. */
const WAITING_MAX = 64;

/** Hashes and checks passwords, only a few at a time. */
export class PasswordHasher {
  private readonly queue = new PQueue({ concurrency: CONCURRENCY });
  /** Matches no password and costs as much to check as a real hash. */
  private readonly decoy = makeDecoy();

  constructor(private readonly argon2: Argon2 = { hash, verify }) {}

  hash(password: string, signal?: AbortSignal): Promise<string> {
    return this.queued(() => this.argon2.hash(normalize(password), PARAMETERS), signal);
  }

  /** Whether the password matches. Without a hash (no such user) it does the same work and returns false. */
  verify(encoded: string | undefined, password: string, signal?: AbortSignal): Promise<boolean> {
    return this.queued(async () => {
      const matches = await this.argon2.verify(encoded ?? this.decoy, normalize(password));
      return matches && encoded !== undefined;
    }, signal);
  }

  /**
   * Runs the work when a slot is free. Fails with AppError `too-many` if too many calls wait, and with the signal's
   * reason, without starting, if the signal is aborted by then.
   */
  private async queued<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.queue.size >= WAITING_MAX) {
      throw new AppError("too-many", "Too many sign-ins at the moment. Try again in a few seconds.", {
        retryAfterMs: 2000,
      });
    }
    return this.queue.add(() => {
      // Not the signal option of the queue, which also abandons work that has begun and still occupies its slot.
      signal?.throwIfAborted();
      return work();
    });
  }

  /** Whether the hash was made with parameters other than the current ones. */
  isOutdated(encoded: string): boolean {
    const { memoryCost, timeCost, parallelism, outputLen } = parseOptions(encoded);
    return (
      !encoded.startsWith("$argon2id$") ||
      memoryCost !== PARAMETERS.memoryCost ||
      timeCost !== PARAMETERS.timeCost ||
      parallelism !== PARAMETERS.parallelism ||
      outputLen !== PARAMETERS.outputLen
    );
  }
}

/** The same character can be typed as one code point or as several, depending on the keyboard. */
function normalize(password: string): string {
  return password.normalize("NFC");
}

function makeDecoy(): string {
  const { memoryCost, timeCost, parallelism, outputLen } = PARAMETERS;
  const [salt, digest] = [SALT_BYTES, outputLen].map((length) =>
    randomBytes(length).toString("base64").replaceAll("=", ""),
  );
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${digest}`;
}

/** Letters and digits that are not confused when read aloud or copied by hand: 31 of them. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";
const GROUPS = 6;
const GROUP_LENGTH = 5;

/** A random password of 148 bits, in readable groups: `k7m2p-…`. `pick` returns a random whole number below its argument. */
export function generatePassword(pick: (below: number) => number = randomInt): string {
  const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[pick(ALPHABET.length)]).join("");
  return Array.from({ length: GROUPS }, group).join("-");
}
