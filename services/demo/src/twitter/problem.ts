import type { Reply } from "../upstream/exchange.js";

const TITLES: Readonly<Record<number, readonly [type: string, title: string]>> = {
  400: ["invalid-request", "Invalid Request"],
  401: ["about:blank", "Unauthorized"],
  402: ["credits-depleted", "CreditsDepleted"],
  403: ["client-forbidden", "Client Forbidden"],
  404: ["resource-not-found", "Not Found Error"],
  429: ["rate-limit-exceeded", "Too Many Requests"],
  503: ["about:blank", "Service Unavailable"],
};

/** An error of X, in the form of RFC 7807. */
export function problem(status: number, detail?: string, type?: string): Reply {
  const [ownType, title] = TITLES[status] ?? ["about:blank", "Error"];
  const name = type ?? ownType;
  return {
    status,
    headers: { "Content-Type": "application/problem+json" },
    body: {
      title,
      detail: detail ?? title,
      type: name.includes(":") ? name : `https://api.x.com/2/problems/${name}`,
      status,
    },
  };
}
