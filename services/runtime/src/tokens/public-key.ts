import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";

/** Whether the key is on the curve of TOKEN_ALGORITHM. */
export function isTokenKey(key: KeyObject): boolean {
  return key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === "prime256v1";
}

/** The public key that a JSON Web Key describes. Throws TypeError unless it is a P-256 key. */
export function readPublicKey(jwk: JsonWebKey): KeyObject {
  const key = createPublicKey({ key: jwk, format: "jwk" });
  if (!isTokenKey(key)) throw new TypeError("not a public key on P-256");
  return key;
}
