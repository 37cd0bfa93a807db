import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { AppError } from "@hourglass/runtime";
import type { KeyRing } from "./signing-keys.js";

/** What a secret was made from, besides the private key. It says nothing about the secret. */
export interface SecretOrigin {
  /** The `kid` of the signing key. */
  signing_key: string;
  /** 16 random bytes in base64url. */
  salt: string;
}

/** Returns a random-looking whole number below its argument, which is at most 256. */
export type PickNumber = (below: number) => number;

/**
 * Secrets that are shown once and not stored, but can be made again for a request that is repeated: from the private key that
 * signs tokens, which lets its owner act as anybody already, so that they are as safe as that.
 */
export class DerivedSecrets {
  constructor(private readonly keys: KeyRing) {}

  /** For a new secret. */
  newOrigin(): SecretOrigin {
    return { signing_key: this.keys.current().id, salt: randomBytes(16).toString("base64url") };
  }

  /**
   * Picks the characters of a secret, the same each time for the same origin and purpose. AppError `invalid` if the signing
   * key is gone.
   */
  async pickFor({ signing_key, salt }: SecretOrigin, purpose: string): Promise<PickNumber> {
    const { d } = (await this.keys.privateKey(signing_key))?.export({ format: "jwk" }) ?? {};
    if (d === undefined) {
      const message =
        "Give another key: what the first answer showed cannot be made again, since the signing key is gone.";
      throw AppError.invalid([{ field: "idempotency_key", message }], "idempotency_key_reused");
    }
    return pickFrom(Buffer.from(hkdfSync("sha256", Buffer.from(d, "base64url"), salt, `secret of ${purpose}`, 32)));
  }
}

/** Picks by the bytes of an endless stream; those that would make small numbers likelier are left out. */
function pickFrom(seed: Buffer): PickNumber {
  let block = Buffer.alloc(0);
  let [blocks, used] = [0, 0];
  return (below) => {
    const fair = 256 - (256 % below);
    for (;;) {
      if (used === block.length) {
        block = createHmac("sha256", seed).update(String(blocks)).digest();
        [blocks, used] = [blocks + 1, 0];
      }
      const byte = block[used] ?? 0;
      used += 1;
      if (byte < fair) return byte % below;
    }
  };
}
