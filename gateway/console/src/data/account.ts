import { hourglass } from "./api.js";
import { queries } from "./queries.js";
import { session } from "./session.js";

/** How often a token is renewed while somebody uses the console. It needs no clock of this computer. In milliseconds. */
const RENEWAL_MS = 1_800_000;

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Only where users of several companies have both. */
  readonly company?: string;
}

/** Signs in; throws HourglassError if the server refuses. */
export async function signIn(credentials: Credentials, isKept: boolean): Promise<void> {
  const { data, response } = await hourglass.api.POST("/api/v1/users/sign_in", { body: { user: credentials } });
  const token = tokenOf(response);
  if (data === undefined || token === undefined) throw new Error("The server answered a sign-in without a token.");
  const before = session.account.value;
  if (before !== undefined && before.id !== data.id) queries.clear();
  session.begin(token, { id: data.id, email: data.email }, isKept);
  await queries.invalidateQueries();
}

/** Ends the session, here at once and on the server as soon as it can be reached. */
export async function signOut(): Promise<void> {
  try {
    await hourglass.api.DELETE("/api/v1/users/sign_in");
  } finally {
    session.end();
    queries.clear();
  }
}

/** Renews the token from time to time while the page is visible. Returns what ends that. */
export function keepSession(): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState !== "visible" || session.state.value !== "signed-in") return;
    // Without success the token lasts as long as it does, and then the user signs in again.
    hourglass.api.POST("/api/v2/me/renew").then(
      ({ response }) => {
        const token = tokenOf(response);
        if (token !== undefined) session.renew(token);
      },
      () => undefined,
    );
  }, RENEWAL_MS);
  return () => clearInterval(timer);
}

function tokenOf(response: Response): string | undefined {
  return response.headers.get("authorization")?.replace(/^Bearer /i, "");
}
