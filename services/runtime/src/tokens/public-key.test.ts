import { createSecretKey, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readPublicKey } from "./public-key.js";

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
