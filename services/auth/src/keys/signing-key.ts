import { createPublicKey } from "node:crypto";
import { TOKEN_ALGORITHM } from "@hourglass/runtime";
import { exportPKCS8, generateKeyPair, importJWK, importPKCS8, type CryptoKey, type JWK } from "jose";
import { keyMadeAt, makeKeyId } from "./key-id.js";
import type { StoredKey } from "./key-store.js";

/** A key pair ready for use. */
export interface SigningKey {
  /** Its `kid`. */
  id: string;
  /** Milliseconds since 1970. */
  madeAt: number;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  /** The public key as a JSON Web Key, in JSON. */
  publicJwk: string;
}

/** Makes a new key pair, in the form in which it is kept. */
export async function generateSigningKey(madeAt: number): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair(TOKEN_ALGORITHM, { extractable: true });
  return { id: makeKeyId(madeAt), privatePem: await exportPKCS8(privateKey) };
}

/** Builds the key objects once, so that no call has to parse a file. Throws when the text is no P-256 private key. */
export async function loadSigningKey({ id, privatePem }: StoredKey): Promise<SigningKey> {
  const madeAt = keyMadeAt(id);
  if (madeAt === undefined) throw new TypeError("the key id tells no time");
  const privateKey = await importPKCS8(privatePem, TOKEN_ALGORITHM);
  const { kty, crv, x, y } = createPublicKey(privatePem).export({ format: "jwk" }) as JWK;
  const jwk = { kty, crv, x, y, kid: id, alg: TOKEN_ALGORITHM, use: "sig" } as JWK;
  const publicKey = await importJWK(jwk, TOKEN_ALGORITHM);
  if (publicKey instanceof Uint8Array) throw new TypeError("the key is symmetric");
  return { id, madeAt, privateKey, publicKey, publicJwk: JSON.stringify(jwk) };
}
