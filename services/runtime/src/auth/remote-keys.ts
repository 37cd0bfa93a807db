import type { JsonWebKey, KeyObject } from "node:crypto";
import type { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import type { Logger } from "../log/logger.js";
import type { Client } from "../rpc/service.js";
import type { VerificationKeys } from "../tokens/token-verifier.js";
import { readPublicKey } from "../tokens/public-key.js";
import { KEY_REFRESH_INTERVAL_MS } from "../tokens/token.js";

const LIST_TIMEOUT_MS = 5000;

interface RemoteKey {
  jwkJson: string;
  key: KeyObject;
}

/** The public keys that Auth lists. They are fetched again when a token names an unknown key, at most every 2 s. */
export class RemoteKeys implements VerificationKeys {
  private keys: ReadonlyMap<string, RemoteKey> = new Map();
  private refreshedAt = Number.NEGATIVE_INFINITY;
  private refreshing: Promise<void> | undefined;

  constructor(
    private readonly auth: Pick<Client<typeof AuthService>, "listKeys">,
    private readonly log: Logger,
    private readonly now: () => number = Date.now,
  ) {}

  known(id: string): KeyObject | undefined {
    return this.keys.get(id)?.key;
  }

  async find(id: string): Promise<KeyObject | undefined> {
    const age = this.now() - this.refreshedAt;
    if (age >= KEY_REFRESH_INTERVAL_MS || age < 0) {
      this.refreshing ??= this.refresh().finally(() => {
        this.refreshing = undefined;
      });
      await this.refreshing;
    }
    return this.known(id);
  }

  private async refresh(): Promise<void> {
    const startedAt = this.now();
    const { keys } = await this.auth.listKeys({}, { timeoutMs: LIST_TIMEOUT_MS });
    const entries = keys.map(({ id, jwkJson }) => [id, this.load(id, jwkJson)] as const);
    this.keys = new Map(entries.filter((entry): entry is [string, RemoteKey] => entry[1] !== undefined));
    this.refreshedAt = startedAt;
  }

  private load(id: string, jwkJson: string): RemoteKey | undefined {
    const present = this.keys.get(id);
    if (present?.jwkJson === jwkJson) return present;
    try {
      return { jwkJson, key: readPublicKey(JSON.parse(jwkJson) as JsonWebKey) };
    } catch (error) {
      this.log.error({ err: error, keyId: id }, "a public key listed by Auth cannot be read");
      return undefined;
    }
  }
}
