import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

export const NOW = Date.parse("2026-01-31T12:00:00Z");
export const SECONDS = NOW / 1000;
export const HEADER = { alg: "ES256", kid: "key-1", typ: "JWT" };
const SESSION = { sid: "session-7", auth_time: SECONDS - 10 };
export const CLAIMS = {
  iss: "hourglass",
  aud: "hourglass",
  sub: "7",
  iat: SECONDS - 10,
  exp: SECONDS + 3600,
  ver: 1,
  ...SESSION,
};
export const SERVICE_HEADER = { ...HEADER, typ: "service+jwt" };
/** Claims of a service's token. */
export const SERVICE_CLAIMS = {
  iss: "hourglass",
  aud: "hourglass-services",
  sub: "operation",
  company: 3,
  iat: SECONDS - 10,
  exp: SECONDS + 290,
};
/** Claims of a token that expired a few seconds ago. */
export const EXPIRED = { ...CLAIMS, iat: SECONDS - 3600, exp: SECONDS - 6 };
const TEN_YEARS = 10 * 366 * 86_400;

const ours = generateKeyPairSync("ec", { namedCurve: "P-256" });
const theirs = generateKeyPairSync("ec", { namedCurve: "P-256" });
const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const publicPem = ours.publicKey.export({ format: "pem", type: "spki" }).toString();
export const publicJwk = ours.publicKey.export({ format: "jwk" });

export const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

function ecdsa(input: string, key: KeyObject = ours.privateKey, digest = "sha256"): string {
  return sign(digest, Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
}

/** A token with any claims and a valid signature. A string is used instead of JSON as it is. */
export function signed(claims: unknown, header: unknown = HEADER, key: KeyObject = ours.privateKey): string {
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

export const good = signed(CLAIMS);
const [goodHeader = "", goodClaims = "", goodSignature = ""] = good.split(".");
const jwkOf = (key: KeyObject): object => createPublicKey(key).export({ format: "jwk" });
const derSignature = sign("sha256", Buffer.from(`${goodHeader}.${goodClaims}`), ours.privateKey).toString("base64url");

export const ODD_HEADERS: Record<string, object> = {
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
  "typ of a service's token": SERVICE_HEADER,
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
  "expired and of another issuer": { ...EXPIRED, iss: "hourglass2" },
  "expired and without a version": { ...without("ver"), iat: EXPIRED.iat, exp: EXPIRED.exp },
  "expired and for nobody": { ...EXPIRED, sub: "0" },
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
  "without a session": { ...CLAIMS, sid: undefined },
  "without the time of signing in": { ...CLAIMS, auth_time: undefined },
  "sid as a number": { ...CLAIMS, sid: 7 },
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
  "those of a service": SERVICE_CLAIMS,
  "those of a service, for users": { ...SERVICE_CLAIMS, aud: "hourglass" },
  "audience of services": { ...CLAIMS, aud: "hourglass-services" },
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
  "that of a service": signed(SERVICE_CLAIMS, SERVICE_HEADER),
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
  "expired, signature by another key": signed(EXPIRED, HEADER, theirs.privateKey),
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
  "JSON serialization": JSON.stringify({ protected: goodHeader, payload: goodClaims, signature: goodSignature }),
};

/** Tokens that must be refused, each with a description of its defect. */
export const FORGERIES: readonly (readonly [string, string])[] = [
  ...Object.entries(ODD_HEADERS).map(([name, header]) => [`header: ${name}`, signed(CLAIMS, header)] as const),
  ...Object.entries(ODD_CLAIMS).map(([name, claims]) => [`claims: ${name}`, signed(claims)] as const),
  ...Object.entries(ODD_TEXTS).map(([name, token]) => [`token: ${name}`, token] as const),
];
