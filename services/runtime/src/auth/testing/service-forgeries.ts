import { CLAIMS, FORGERIES, good, ODD_HEADERS, SECONDS, SERVICE_CLAIMS, SERVICE_HEADER, signed } from "./forgeries.js";

export const goodOfService = signed(SERVICE_CLAIMS, SERVICE_HEADER);
const [goodHeader = "", goodClaims = "", goodSignature = ""] = goodOfService.split(".");

function without(claim: keyof typeof SERVICE_CLAIMS): object {
  return Object.fromEntries(Object.entries(SERVICE_CLAIMS).filter(([name]) => name !== claim));
}

const ODD_CLAIMS: Record<string, unknown> = {
  "those of a user": CLAIMS,
  "those of a user, for services": { ...CLAIMS, aud: "hourglass-services" },
  "no exp": without("exp"),
  "no iat": without("iat"),
  "no sub": without("sub"),
  "no company": without("company"),
  "no iss": without("iss"),
  "no aud": without("aud"),
  "exp as text": { ...SERVICE_CLAIMS, exp: String(SERVICE_CLAIMS.exp) },
  "exp as a fraction": { ...SERVICE_CLAIMS, exp: SERVICE_CLAIMS.exp + 0.5 },
  "exp before iat": { ...SERVICE_CLAIMS, iat: SECONDS + 4, exp: SECONDS + 3 },
  "a lifetime over five minutes": { ...SERVICE_CLAIMS, exp: SERVICE_CLAIMS.iat + 301 },
  "iat in the future": { ...SERVICE_CLAIMS, iat: SECONDS + 6 },
  "nbf in the future": { ...SERVICE_CLAIMS, nbf: SECONDS + 60 },
  "another issuer": { ...SERVICE_CLAIMS, iss: "hourglass2" },
  "audience of users": { ...SERVICE_CLAIMS, aud: "hourglass" },
  "both audiences": { ...SERVICE_CLAIMS, aud: ["hourglass", "hourglass-services"] },
  "audience list with us": { ...SERVICE_CLAIMS, aud: ["hourglass-services"] },
  "service that is a user id": { ...SERVICE_CLAIMS, sub: "7" },
  "service empty": { ...SERVICE_CLAIMS, sub: "" },
  "service in capitals": { ...SERVICE_CLAIMS, sub: "Operation" },
  "service with a line break": { ...SERVICE_CLAIMS, sub: "operation\n" },
  "very long service": { ...SERVICE_CLAIMS, sub: "o".repeat(33) },
  "company as text": { ...SERVICE_CLAIMS, company: "3" },
  "company zero": { ...SERVICE_CLAIMS, company: 0 },
  "company negative": { ...SERVICE_CLAIMS, company: -3 },
  "company as a fraction": { ...SERVICE_CLAIMS, company: 3.5 },
  "company beyond 2^53": { ...SERVICE_CLAIMS, company: 2 ** 53 },
  "company null": { ...SERVICE_CLAIMS, company: null },
  "company as a list": { ...SERVICE_CLAIMS, company: [3] },
  "a second company": `${JSON.stringify(SERVICE_CLAIMS).slice(0, -1)},"company":"4"}`,
};

/** Tokens that must be refused as service tokens, each with its defect: every forgery of a user's token, and more. */
export const SERVICE_FORGERIES: readonly (readonly [string, string])[] = [
  ...FORGERIES.filter(([name]) => name !== "token: that of a service").map(
    ([name, token]) => [`user's ${name}`, token] as const,
  ),
  ["a good token of a user", good],
  [
    "claims of another company",
    `${goodHeader}.${signed({ ...SERVICE_CLAIMS, company: 4 }).split(".")[1]}.${goodSignature}`,
  ],
  ["signature of a user's token", `${goodHeader}.${goodClaims}.${good.split(".")[2]}`],
  ...Object.entries(ODD_HEADERS)
    .filter(([name]) => !name.includes("typ"))
    .map(
      ([name, header]) => [`header: ${name}`, signed(SERVICE_CLAIMS, { ...header, typ: SERVICE_HEADER.typ })] as const,
    ),
  ["header: typ of users", signed(SERVICE_CLAIMS, { ...SERVICE_HEADER, typ: "JWT" })],
  ["header: typ in capitals", signed(SERVICE_CLAIMS, { ...SERVICE_HEADER, typ: "SERVICE+JWT" })],
  ["header: typ as a media type", signed(SERVICE_CLAIMS, { ...SERVICE_HEADER, typ: "application/service+jwt" })],
  ...Object.entries(ODD_CLAIMS).map(([name, claims]) => [`claims: ${name}`, signed(claims, SERVICE_HEADER)] as const),
];
