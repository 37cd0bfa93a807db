import { signal } from "@preact/signals";
import { tabKept } from "./stored.js";
import { unsaved } from "./unsaved.js";

/** Who uses the console, as far as it is known. */
export type SessionState = "unknown" | "signed-out" | "signed-in" | "expired";

export interface Account {
  readonly id: number;
  readonly email: string;
}

type Message =
  | { readonly kind: "asks" }
  | { readonly kind: "signed-in"; readonly token: string; readonly account: Account }
  | { readonly kind: "signed-out" };

const KEY = "hourglass.session";
/** How long other tabs have to say that somebody is signed in. In milliseconds. */
const OTHER_TABS_MS = 150;

/**
 * The access token of this tab, in memory; in `sessionStorage` if the user wants to stay signed in. Never in an address. Other
 * tabs of this browser take part: a sign-in or sign-out in one is one in all.
 */
export class Session {
  readonly state = signal<SessionState>("unknown");
  readonly account = signal<Account | undefined>(undefined);
  private token: string | undefined;
  private isKept = false;
  private readonly channel = openChannel();
  private readonly waiting = new Set<(token: string | undefined) => void>();

  constructor() {
    this.channel?.addEventListener("message", (event: MessageEvent<Message>) => this.hear(event.data));
  }

  /** Finds out whether somebody is signed in: in this tab before it was loaded again, or in another one. */
  start(): void {
    const kept = read(tabKept.get(KEY));
    if (kept !== undefined) {
      this.isKept = true;
      this.take(kept.token, kept.account);
      return;
    }
    if (this.channel === undefined) {
      this.state.value = "signed-out";
      return;
    }
    this.say({ kind: "asks" });
    setTimeout(() => {
      if (this.state.value === "unknown") this.state.value = "signed-out";
    }, OTHER_TABS_MS);
  }

  /** Someone has signed in here. */
  begin(token: string, account: Account, isKept = this.isKept): void {
    this.isKept = isKept;
    this.take(token, account);
    this.say({ kind: "signed-in", token, account });
  }

  /** The token is renewed. */
  renew(token: string): void {
    const account = this.account.value;
    if (account !== undefined) this.begin(token, account);
  }

  /** Nobody is signed in any more, in no tab. */
  end(): void {
    this.forget();
    this.say({ kind: "signed-out" });
  }

  /** The token to send a request with; where a session has ended, the one of the sign-in that is asked for. */
  usable(): Promise<string | undefined> {
    return this.state.value === "expired" && this.token === undefined
      ? this.expired(undefined)
      : Promise.resolve(this.token);
  }

  /** The server refused the token. Resolves with a new one as soon as somebody has signed in, or with none. */
  expired(refused: string | undefined): Promise<string | undefined> {
    // Another tab, or another request, may have got a new one meanwhile.
    if (this.token !== refused) return Promise.resolve(this.token);
    if (this.state.value === "signed-in") this.state.value = "expired";
    return new Promise((resolve) => this.waiting.add(resolve));
  }

  private take(token: string, account: Account): void {
    const before = this.account.value;
    // What is on the screen belongs to somebody else.
    if (before !== undefined && before.id !== account.id) {
      location.assign("/");
    }
    this.token = token;
    this.account.value = account;
    this.state.value = "signed-in";
    if (this.isKept) tabKept.set(KEY, JSON.stringify({ token, account }));
    this.answer(token);
  }

  private forget(): void {
    this.token = undefined;
    tabKept.set(KEY, undefined);
    this.account.value = undefined;
    this.state.value = "signed-out";
    this.answer(undefined);
  }

  /** Somebody has signed out in another tab. What is half typed here stays until somebody signs in again. */
  private endHere(): void {
    if (this.account.value === undefined || unsaved.size === 0) {
      this.forget();
      return;
    }
    this.token = undefined;
    tabKept.set(KEY, undefined);
    this.state.value = "expired";
  }

  private answer(token: string | undefined): void {
    for (const resolve of this.waiting) resolve(token);
    this.waiting.clear();
  }

  private hear(message: Message): void {
    if (message.kind === "signed-in") this.take(message.token, message.account);
    else if (message.kind === "signed-out") this.endHere();
    else if (this.state.value === "signed-in" && this.token !== undefined && this.account.value !== undefined) {
      this.say({ kind: "signed-in", token: this.token, account: this.account.value });
    }
  }

  private say(message: Message): void {
    this.channel?.postMessage(message);
  }
}

function openChannel(): BroadcastChannel | undefined {
  return typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("hourglass");
}

function read(text: string | undefined): { readonly token: string; readonly account: Account } | undefined {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as { token: string; account: Account };
  } catch {
    return undefined;
  }
}

export const session = new Session();
