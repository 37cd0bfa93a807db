import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { importJWK, type CryptoKey, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { TokenVerifier, type VerificationKeys } from "./token-verifier.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const SECONDS = NOW / 1000;
const HEADER = { alg: "ES256", kid: "key-1", typ: "JWT" };
const CLAIMS = { iss: "hourglass", aud: "hourglass", sub: "7", iat: SECONDS - 10, exp: SECONDS + 3600, ver: 1 };
const TEN_YEARS = 10 * 366 * 86_400;

const ours = generateKeyPairSync("ec", { namedCurve: "P-256" });
const theirs = generateKeyPairSync("ec", { namedCurve: "P-256" });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = ours.publicKey.export({ format: "pem", type: "spki" }).toString();
const publicJwk = ours.publicKey.export({ format: "jwk" }) as JWK;

let publicKey: CryptoKey;
beforeAll(async () => {
  publicKey = (await importJWK(publicJwk, "ES256")) as CryptoKey;
});

/** The ring of a server that has `key-1` and, on a second look, `key-2` too. */
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

function verifier(ring = keys()): TokenVerifier {
  return new TokenVerifier(ring, () => NOW);
}

const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

function ecdsa(input: string, key: KeyObject = ours.privateKey, digest = "sha256"): string {
  return sign(digest, Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
}

/** A token with a good signature of ours, whatever it says. Text instead of an object is taken as it is. */
function signed(claims: unknown, header: unknown = HEADER, key: KeyObject = ours.privateKey): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${ecdsa(input, key)}`;
}

function hmac(secret: string | Buffer, header: object = { alg: "HS256", typ: "JWT", kid: "key-1" }): string {
  const input = `${encode(header)}.${encode(CLAIMS)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

function without(claim: keyof typeof CLAIMS): object {
  return Object.fromEntries(Object.entries(CLAIMS).filter(([name]) => name !== claim));
}

const good = signed(CLAIMS);
const [goodHeader = "", goodClaims = "", goodSignature = ""] = good.split(".");
const jwkOf = (key: KeyObject): object => createPublicKey(key).export({ format: "jwk" });
const derSignature = sign("sha256", Buffer.from(`${goodHeader}.${goodClaims}`), ours.privateKey).toString("base64url");

const ODD_HEADERS: Record<string, object> = {
  "alg none": { alg: "none", typ: "JWT", kid: "key-1" },
  "alg None": { ...HEADER, alg: "None" },
  "alg es256 in lower case": { ...HEADER, alg: "es256" },
  "alg ES384": { ...HEADER, alg: "ES384" },
  "alg ES256K": { ...HEADER, alg: "ES256K" },
  "alg HS256 with our signature": { ...HEADER, alg: "HS256" },
  "alg as a list": { ...HEADER, alg: ["ES256"] },
  "no alg": { kid: "key-1", typ: "JWT" },
  "no kid": { alg: "ES256", typ: "JWT" },
  "unknown kid": { ...HEADER, kid: "key-9" },
  "empty kid": { ...HEADER, kid: "" },
  "numeric kid": { ...HEADER, kid: 1 },
  "kid as a list": { ...HEADER, kid: ["key-1"] },
  "kid that is a path": { ...HEADER, kid: "../../../dev/null" },
  "kid that is SQL": { ...HEADER, kid: "' OR 1=1 --" },
  "kid __proto__": { ...HEADER, kid: "__proto__" },
  "kid constructor": { ...HEADER, kid: "constructor" },
  "very long kid": { ...HEADER, kid: "k".repeat(1000) },
  "no typ": { alg: "ES256", kid: "key-1" },
  "other typ": { ...HEADER, typ: "at+jwt" },
  "crit of a known name": { ...HEADER, crit: ["exp"], exp: 1 },
  "crit of b64": { ...HEADER, crit: ["b64"], b64: true },
  "empty crit": { ...HEADER, crit: [] },
  "key in the header": { ...HEADER, jwk: jwkOf(theirs.privateKey) },
  "our own key in the header": { ...HEADER, jwk: publicJwk },
  jku: { ...HEADER, jku: "https://evil.example/jwks.json" },
  x5u: { ...HEADER, x5u: "https://evil.example/chain.pem" },
  x5c: { ...HEADER, x5c: ["MIIB"] },
  zip: { ...HEADER, zip: "DEF" },
  "b64 false": { ...HEADER, b64: false },
  "nested cty": { ...HEADER, cty: "JWT" },
  enc: { ...HEADER, enc: "A128GCM" },
};

const ODD_CLAIMS: Record<string, unknown> = {
  "no exp": without("exp"),
  "no iat": without("iat"),
  "no sub": without("sub"),
  "no ver": without("ver"),
  "no iss": without("iss"),
  "no aud": without("aud"),
  "exp 1e308": { ...CLAIMS, exp: 1e308 },
  "exp beyond doubles": JSON.stringify(CLAIMS).replace(/"exp":\d+/, '"exp":1e999'),
  "exp as text": { ...CLAIMS, exp: String(CLAIMS.exp) },
  "exp null": { ...CLAIMS, exp: null },
  "exp as a fraction": { ...CLAIMS, exp: CLAIMS.exp + 0.5 },
  "exp negative": { ...CLAIMS, exp: -1 },
  "exp in milliseconds": { ...CLAIMS, exp: CLAIMS.exp * 1000 },
  expired: { ...CLAIMS, iat: SECONDS - 3600, exp: SECONDS - 6 },
  "exp before iat": { ...CLAIMS, iat: SECONDS + 4, exp: SECONDS + 3 },
  "a lifetime over ten years": { ...CLAIMS, exp: CLAIMS.iat + TEN_YEARS + 1 },
  "iat in the future": { ...CLAIMS, iat: SECONDS + 6 },
  "iat as text": { ...CLAIMS, iat: String(CLAIMS.iat) },
  "iat as a fraction": { ...CLAIMS, iat: CLAIMS.iat + 0.5 },
  "iat negative": { ...CLAIMS, iat: -5 },
  "nbf in the future": { ...CLAIMS, nbf: SECONDS + 60 },
  "nbf as text": { ...CLAIMS, nbf: "0" },
  "another issuer": { ...CLAIMS, iss: "hourglass2" },
  "issuer as a list": { ...CLAIMS, iss: ["hourglass"] },
  "issuer in other case": { ...CLAIMS, iss: "Hourglass" },
  "another audience": { ...CLAIMS, aud: "other" },
  "audience list without us": { ...CLAIMS, aud: ["other"] },
  "audience list with us": { ...CLAIMS, aud: ["other", "hourglass"] },
  "sub as a number": { ...CLAIMS, sub: 7 },
  "sub empty": { ...CLAIMS, sub: "" },
  "sub with a leading zero": { ...CLAIMS, sub: "07" },
  "sub zero": { ...CLAIMS, sub: "0" },
  "sub negative": { ...CLAIMS, sub: "-7" },
  "sub with a sign": { ...CLAIMS, sub: "+7" },
  "sub with a fraction": { ...CLAIMS, sub: "7.0" },
  "sub with white space": { ...CLAIMS, sub: " 7" },
  "sub with a line break": { ...CLAIMS, sub: "7\n" },
  "sub in hexadecimal": { ...CLAIMS, sub: "0x7" },
  "sub in full-width digits": { ...CLAIMS, sub: "\uff17" },
  "sub beyond 2^53": { ...CLAIMS, sub: "9007199254740993" },
  "sub as an object": { ...CLAIMS, sub: { $ne: null } },
  "ver as text": { ...CLAIMS, ver: "1" },
  "ver as a fraction": { ...CLAIMS, ver: 1.5 },
  "ver negative": { ...CLAIMS, ver: -1 },
  "ver true": { ...CLAIMS, ver: true },
  "claims that are a list": [CLAIMS],
  "claims that are null": "null",
  "claims that are a text": '"7"',
  "claims that are not JSON": "{sub:7}",
  "empty claims": "",
  "a second exp that is over": `${JSON.stringify(CLAIMS).slice(0, -1)},"exp":1}`,
  "a second sub": `${JSON.stringify(CLAIMS).slice(0, -1)},"sub":"x"}`,
};

const ODD_TEXTS: Record<string, string> = {
  empty: "",
  "a word": "token",
  "with its scheme": `Bearer ${good}`,
  "white space before": ` ${good}`,
  "white space after": `${good} `,
  "a line break after": `${good}\n`,
  "a NUL after": `${good}\0`,
  "white space inside": good.replace(".", ". "),
  unicode: "тoкен.пример.подпись",
  "a zero-width space": `${good}\u200b`,
  "a lone surrogate": `${good}\ud800`,
  "dots only": "..",
  "two segments": `${goodHeader}.${goodClaims}`,
  "no signature": `${goodHeader}.${goodClaims}.`,
  "four segments": `${good}.${goodSignature}`,
  "five segments like an encrypted token": `${goodHeader}.a.b.c.d`,
  "last character missing": good.slice(0, -1),
  "half of the signature": good.slice(0, -43),
  "padded base64": `${good}==`,
  "base64 with plus and slash": `${goodHeader}.${goodClaims}.${"+/".repeat(43)}`,
  "header of another token": `${encode({ ...HEADER, kid: "key-2" })}.${goodClaims}.${goodSignature}`,
  "claims of another user": `${goodHeader}.${encode({ ...CLAIMS, sub: "8" })}.${goodSignature}`,
  "claims in another spelling": `${goodHeader}.${encode(JSON.stringify(CLAIMS, null, 1))}.${goodSignature}`,
  "signature of zeros": `${goodHeader}.${goodClaims}.${Buffer.alloc(64).toString("base64url")}`,
  "signature of ones": `${goodHeader}.${goodClaims}.${Buffer.alloc(64, 255).toString("base64url")}`,
  "signature in DER": `${goodHeader}.${goodClaims}.${derSignature}`,
  "signature by another key": signed(CLAIMS, HEADER, theirs.privateKey),
  "signature on another curve": `${goodHeader}.${goodClaims}.${ecdsa(`${goodHeader}.${goodClaims}`, p384.privateKey, "sha384")}`,
  "signature by RSA": `${goodHeader}.${goodClaims}.${sign("sha256", Buffer.from("x"), rsa.privateKey).toString("base64url")}`,
  "HS256 by the public key in PEM": hmac(publicPem),
  "HS256 by the public key as JWK": hmac(JSON.stringify(publicJwk)),
  "HS256 by the public key in DER": hmac(ours.publicKey.export({ format: "der", type: "spki" })),
  "HS256 by an empty secret": hmac(""),
  "HS256 that claims to be ES256": hmac(publicPem, HEADER),
  "alg none without signature": `${encode({ alg: "none" })}.${goodClaims}.`,
  "alg none with our signature": `${encode({ alg: "none", kid: "key-1", typ: "JWT" })}.${goodClaims}.${goodSignature}`,
  "header that is a list": signed(CLAIMS, [HEADER]),
  "header that is null": signed(CLAIMS, "null"),
  "header that is not JSON": signed(CLAIMS, "{alg}"),
  "header with a second alg": signed(CLAIMS, `${JSON.stringify(HEADER).slice(0, -1)},"alg":"none"}`),
  huge: signed({ ...CLAIMS, pad: "x".repeat(4096) }),
  "a million characters": `${goodHeader}.${"a".repeat(1_000_000)}.${goodSignature}`,
  "JSON serialisation": JSON.stringify({ protected: goodHeader, payload: goodClaims, signature: goodSignature }),
};

const FORGERIES: readonly (readonly [string, string])[] = [
  ...Object.entries(ODD_HEADERS).map(([name, header]) => [`header: ${name}`, signed(CLAIMS, header)] as const),
  ...Object.entries(ODD_CLAIMS).map(([name, claims]) => [`claims: ${name}`, signed(claims)] as const),
  ...Object.entries(ODD_TEXTS).map(([name, token]) => [`token: ${name}`, token] as const),
];

describe("TokenVerifier", () => {
  it("reads a good token", async () => {
    const claims = { userId: 7, version: 1, issuedAt: CLAIMS.iat, expiresAt: CLAIMS.exp };
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
    const subject = new TokenVerifier(keys(), () => now);
    await subject.verify(good);
    now = (CLAIMS.exp + 4) * 1000;
    await expect(subject.verify(good)).resolves.toBeDefined();
    now = (CLAIMS.exp + 5) * 1000;
    await expect(subject.verify(good)).rejects.toMatchObject({ kind: "unauthenticated" });
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
    await expect(new TokenVerifier(away, () => NOW).verify(good)).rejects.toMatchObject({ kind: "unavailable" });
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
      { numRuns: 500 },
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
      { numRuns: 300 },
    );
  });

  it("is tested with keys of the right kind", () => {
    expect(createPrivateKey(ours.privateKey.export({ format: "pem", type: "pkcs8" })).asymmetricKeyType).toBe("ec");
    expect(FORGERIES.length).toBeGreaterThan(120);
  });
});
