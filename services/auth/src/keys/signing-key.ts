import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { isTokenKey, TOKEN_ALGORITHM } from "@hourglass/runtime";
import { keyMadeAt, makeKeyId } from "./key-id.js";
import type { StoredKey } from "./key-store.js";

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

const generate = promisify(generateKeyPair);

/** Makes a new key pair in its stored form. */
export async function generateSigningKey(madeAt: number): Promise<StoredKey> {
  const { privateKey } = await generate("ec", { namedCurve: "P-256" });
  const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { id: makeKeyId(madeAt), privatePem };
}

/** Builds the key objects once, so that no call has to parse a file. Throws if the text is not a P-256 private key. */
export function loadSigningKey({ id, privatePem }: StoredKey): SigningKey {
  const madeAt = keyMadeAt(id);
  if (madeAt === undefined) throw new TypeError("the key id tells no time");
  const privateKey = createPrivateKey(privatePem);
  if (!isTokenKey(privateKey)) throw new TypeError("not a private key on P-256");
  const publicKey = createPublicKey(privateKey);
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: id, alg: TOKEN_ALGORITHM, use: "sig" };
  return { id, madeAt, privateKey, publicKey, publicJwk: JSON.stringify(jwk) };
}
