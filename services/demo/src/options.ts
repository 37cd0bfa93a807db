import { parseArgs } from "node:util";

/** The arguments of the demo. */
export interface DemoOptions {
  /** Port of REST; if it is taken, any free one. */
  readonly port: number;
  /** Folder of its data, which it leaves; undefined: a temporary one, which it removes. */
  readonly dataDir: string | undefined;
  /** Invented postings of the four weeks before the start. */
  readonly postings: number;
  /** Further ones while it runs. */
  readonly perMinute: number;
}

export const USAGE = `npm run demo -- [options]

  --port N         port of REST (PORT, or 8080); if it is taken, a free one
  --data-dir DIR   a new or empty folder, which is kept; otherwise a temporary one, which is removed at the end
  --postings N     invented postings of the four weeks before, 100 to 20000 (480)
  --per-minute N   invented postings that are added while it runs, 0 to 600 (30)
`;

/** A mistake in the arguments, or a condition that a person must change. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}

/**
 * Reads the arguments of the command, and PORT of its environment, which they override; undefined: they ask for help. Throws
 * DemoError.
 */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): DemoOptions | undefined {
  const values = valuesOf(args);
  if (values.help === true) return undefined;
  const ports = { from: 0, to: 65_535, otherwise: 8080 };
  return {
    port:
      values.port === undefined
        ? numberOf("PORT", env["PORT"] || undefined, ports)
        : numberOf("--port", values.port, ports),
    dataDir: values["data-dir"],
    postings: numberOf("--postings", values.postings, { from: 100, to: 20_000, otherwise: 480 }),
    perMinute: numberOf("--per-minute", values["per-minute"], { from: 0, to: 600, otherwise: 30 }),
  };
}

function valuesOf(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    port: text,
    "data-dir": text,
    postings: text,
    "per-minute": text,
    help: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new DemoError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
  readonly otherwise: number;
}

function numberOf(name: string, text: string | undefined, { from, to, otherwise }: Range): number {
  if (text === undefined) return otherwise;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new DemoError(`${name} is a whole number from ${from} to ${to}, not ${JSON.stringify(text)}.\n\n${USAGE}`);
}
