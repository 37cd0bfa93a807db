import { createPublicKey, createSecretKey, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeats } from "../testing/repeats.js";
import { AppError } from "../errors/app-error.js";
import {
  CLAIMS,
  encode,
  EXPIRED,
  FORGERIES,
  good,
  HEADER,
  NOW,
  publicJwk,
  SECONDS,
  signed,
} from "./testing/forgeries.js";
import { TokenVerifier, type VerificationKeys } from "./token-verifier.js";
import { USER_TOKENS, type UserClaims, readPublicKey } from "./tokens.js";

const publicKey = createPublicKey({ key: publicJwk, format: "jwk" });

/** The key ring of a server that has `key-1`, and `key-2` only after a refresh. */
function keys(): VerificationKeys & { removed: boolean; looks: number } {
  return {
    removed: false,
    looks: 0,
    known(id) {
      return id === "key-1" && !this.removed ? publicKey : undefined;
    },
    find(id) {
      this.looks += 1;
      return Promise.resolve(id === "key-2" ? publicKey : this.known(id));
    },
  };
}

function verifier(ring = keys()): TokenVerifier<UserClaims> {
  return new TokenVerifier(USER_TOKENS, ring, () => NOW);
}

describe("TokenVerifier", () => {
  it("reads a good token", async () => {
    const session = { id: CLAIMS.sid, signedInAt: CLAIMS.auth_time };
    const claims = { userId: 7, version: 1, session, issuedAt: CLAIMS.iat, expiresAt: CLAIMS.exp };
    await expect(verifier().verify(good)).resolves.toEqual(claims);
  });

  it.each(FORGERIES)("refuses %s", async (_, token) => {
    const subject = verifier();
    const refusal = expect.objectContaining({ name: "AppError", kind: "unauthenticated" }) as AppError;
    await expect(subject.verify(token)).rejects.toEqual(refusal);
    await expect(subject.verify(token)).rejects.toEqual(refusal);
  });

  it("answers every refusal alike, so that a forger learns nothing", async () => {
    const messages = await Promise.all(
      FORGERIES.map(([, token]) =>
        verifier()
          .verify(token)
          .catch((error: unknown) => (error instanceof AppError ? `${error.code} ${error.message}` : error)),
      ),
    );
    expect(new Set(messages).size).toBe(1);
  });

  it("leaves one spelling of a signature, although base64 has several", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const accepted = await Promise.all(
      Array.from(alphabet).map((last) =>
        verifier()
          .verify(good.slice(0, -1) + last)
          .then(
            () => 1,
            () => 0,
          ),
      ),
    );
    expect(accepted.reduce<number>((sum, one) => sum + one, 0)).toBe(1);
  });

  it("takes times that differ by less than two machines' clocks may", async () => {
    const early = signed({ ...CLAIMS, iat: SECONDS + 4 });
    const late = signed({ ...CLAIMS, exp: SECONDS - 4 });
    await expect(verifier().verify(early)).resolves.toMatchObject({ userId: 7 });
    await expect(verifier().verify(late)).resolves.toMatchObject({ userId: 7 });
  });

  it("looks again for a key it does not know", async () => {
    const ring = keys();
    await expect(verifier(ring).verify(signed(CLAIMS, { ...HEADER, kid: "key-2" }))).resolves.toBeDefined();
    expect(ring.looks).toBe(1);
  });

  it("forgets a good token when it expires", async () => {
    let now = NOW;
    const subject = new TokenVerifier(USER_TOKENS, keys(), () => now);
    await subject.verify(good);
    now = (CLAIMS.exp + 4) * 1000;
    await expect(subject.verify(good)).resolves.toBeDefined();
    now = (CLAIMS.exp + 5) * 1000;
    await expect(subject.verify(good)).rejects.toMatchObject({ kind: "unauthenticated", code: "token_expired" });
  });

  it("says of a token that was good that it has expired, apart from a forged one", async () => {
    const expired = { kind: "unauthenticated", code: "token_expired" };
    await expect(verifier().verify(signed(EXPIRED))).rejects.toMatchObject(expired);
    const changed = `${signed(EXPIRED).slice(0, -4)}AAAA`;
    await expect(verifier().verify(changed)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("forgets a good token when its key is removed", async () => {
    const ring = keys();
    const subject = verifier(ring);
    await subject.verify(good);
    ring.removed = true;
    await expect(subject.verify(good)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("does not mistake keys that cannot be read for a bad token", async () => {
    const away = { known: () => undefined, find: () => Promise.reject(new AppError("unavailable", "away")) };
    await expect(new TokenVerifier(USER_TOKENS, away, () => NOW).verify(good)).rejects.toMatchObject({
      kind: "unavailable",
    });
  });

  it("refuses whatever else is sent, and fails in no other way", async () => {
    const segment = fc.oneof(fc.base64String(), fc.json().map(encode), fc.string({ unit: "binary" }));
    const token = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.tuple(segment, segment, segment).map((segments) => segments.join(".")),
      fc.tuple(fc.json(), fc.json()).map(([header, claims]) => signed(claims, header)),
      fc.json().map((claims) => signed(claims)),
    );
    const subject = verifier();
    await fc.assert(
      fc.asyncProperty(token, async (text) => {
        await expect(subject.verify(text)).rejects.toMatchObject({ name: "AppError", kind: "unauthenticated" });
      }),
      { numRuns: repeats(500) },
    );
  });

  it("refuses a good token with any character changed", async () => {
    const subject = verifier();
    const change = fc.tuple(fc.nat(good.length - 1), fc.constantFrom(...Array.from("AZaz09-_.=+ é")));
    await fc.assert(
      fc.asyncProperty(change, async ([at, character]) => {
        fc.pre(good[at] !== character);
        const changed = good.slice(0, at) + character + good.slice(at + 1);
        await expect(subject.verify(changed)).rejects.toMatchObject({ kind: "unauthenticated" });
      }),
      { numRuns: repeats(300) },
    );
  });

  it("is tested with more than 120 forgeries", () => {
    expect(FORGERIES.length).toBeGreaterThan(120);
  });
});

const onP256 = generateKeyPairSync("ec", { namedCurve: "P-256" });

const OTHERS: readonly (readonly [string, JsonWebKey])[] = [
  ["a symmetric key", createSecretKey(Buffer.alloc(32)).export({ format: "jwk" })],
  ["an RSA key", generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ format: "jwk" })],
  ["a key on P-384", generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ format: "jwk" })],
  ["a key on secp256k1", generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey.export({ format: "jwk" })],
  ["an Ed25519 key", generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" })],
  ["a point that is not on the curve", { ...onP256.publicKey.export({ format: "jwk" }), y: "AAAA" }],
  ["nothing", {}],
];

describe("readPublicKey", () => {
  it("reads what Node exports", () => {
    const jwk = onP256.publicKey.export({ format: "jwk" });
    expect(readPublicKey(jwk).equals(onP256.publicKey)).toBe(true);
  });

  it("never returns a private key", () => {
    expect(readPublicKey(onP256.privateKey.export({ format: "jwk" })).type).toBe("public");
  });

  it.each(OTHERS)("refuses %s", (_, jwk) => {
    expect(() => readPublicKey(jwk)).toThrow();
  });
});
