import { Hourglass } from "@hourglass/client";
import { signal } from "@preact/signals";
import { heardAt } from "./clock.js";
import { isWorthWaiting, waitAsAsked } from "./patience.js";
import { session } from "./session.js";

const SIGN_IN = "/api/v1/users/sign_in";

/** Whether the last request reached the server. */
export const reachable = signal(true);

/**
 * Sends a request of the console. An expired session asks its user to sign in, and the request is sent again; one that the
 * server has put off is sent again when it is time. It was not carried out, so this repeats nothing.
 */
async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  for (let attempt = 1; ; attempt++) {
    const token = isSignIn(request) ? undefined : await session.usable();
    const response = await reach(authorized(request, token));
    if (response.status === 401 && token !== undefined) {
      if ((await session.expired(token)) === undefined) return response;
      continue;
    }
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    // At a sign-in, the remaining time is shown beside the form.
    if (!isWorthWaiting(response.status, seconds, attempt) || isSignIn(request)) return response;
    await waitAsAsked(response.status, Math.max(1, seconds), request.signal);
  }
}

async function reach(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    reachable.value = true;
    heardAt(response.headers.get("date"));
    return response;
  } catch (error) {
    if (!request.signal.aborted) reachable.value = false;
    throw error;
  }
}

function authorized(request: Request, token: string | undefined): Request {
  const copy = request.clone();
  if (token !== undefined) copy.headers.set("Authorization", `Bearer ${token}`);
  return copy;
}

function isSignIn({ url, method }: Request): boolean {
  return method === "POST" && new URL(url).pathname === SIGN_IN;
}

/** The server that this page came from. `send` repeats what is put off, so the client need not. */
export const hourglass = new Hourglass({ baseUrl: location.origin, fetch: send, retries: 0 });
/** Every route. What is no success throws HourglassError. */
export const { api } = hourglass;

/** What a request answered. Failures are thrown by the client already. */
export async function answered<T>(request: Promise<{ readonly data?: T; readonly response: Response }>): Promise<T> {
  const { data, response } = await request;
  if (data === undefined) throw new Error(`The server answered ${response.status} without content.`);
  return data;
}
