import type { PageRequest } from "../connector.js";
import { type LinkedinNames, readNames } from "./asking/answer.js";
import type { LinkedinApi } from "./asking/linkedin-api.js";
import { namesOf } from "./asking/questions.js";

/** Names change seldom, and requests are counted. */
const KEPT_MS = 24 * 60 * 60_000;
/** More organisations than one member administers. */
const ORGANISATIONS_MAX = 1000;

/** The names of organisations; a process asks for each once a day. */
export class OrganisationNames {
  private readonly known = new Map<string, { readonly names: LinkedinNames; readonly askedAt: number }>();

  constructor(private readonly deps: { readonly api: LinkedinApi; readonly now: () => number }) {}

  /** Empty if LinkedIn does not give them. */
  async of(organisation: string, request: Pick<PageRequest, "search" | "signal">): Promise<LinkedinNames> {
    const { api, now } = this.deps;
    const known = this.known.get(organisation);
    if (known !== undefined && now() - known.askedAt < KEPT_MS) return known.names;
    const names = readNames(await api.askFor(namesOf(organisation), request));
    if (this.known.size >= ORGANISATIONS_MAX) this.known.clear();
    this.known.set(organisation, { names, askedAt: now() });
    return names;
  }
}
