/** A line that is no address to fetch a file from. */
export interface AddressFault {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  readonly kind: "no-address" | "scheme" | "too-long" | "repeated";
}

export interface Addresses {
  readonly addresses: readonly string[];
  readonly faults: readonly AddressFault[];
}

/** Characters of an address that the server takes. */
const LENGTH_MAX = 2048;

/** The addresses of files, a line each. */
export function readAddresses(text: string): Addresses {
  const addresses = new Set<string>();
  const faults: AddressFault[] = [];
  for (const [at, line] of text.split(/\r\n|\r|\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "") continue;
    const kind = addresses.has(trimmed) ? "repeated" : faultOf(trimmed);
    if (kind === undefined) addresses.add(trimmed);
    else faults.push({ line: at + 1, text: trimmed, kind });
  }
  return { addresses: [...addresses], faults };
}

function faultOf(text: string): AddressFault["kind"] | undefined {
  if (text.length > LENGTH_MAX) return "too-long";
  if (/\s/.test(text) || !URL.canParse(text)) return "no-address";
  return /^https?:\/\//i.test(text) ? undefined : "scheme";
}
