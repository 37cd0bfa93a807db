import { parseArgs } from "node:util";
import type { Command, OptionValues } from "./command.js";
import { COMMANDS } from "./commands.js";
import { UsageError } from "./usage-error.js";

export interface Invocation {
  command: Command;
  /** Values of the options that were given, by name without dashes. */
  values: OptionValues;
}

/** Reads the words after `admin`; "help" when that is what they ask for. Throws UsageError. */
export function parseCommandLine(args: readonly string[]): Invocation | "help" {
  if (args.some((argument) => argument === "--help" || argument === "-h" || argument === "help")) return "help";
  const words = args.slice(0, 2).filter((word) => !word.startsWith("-"));
  const name = words.join(" ");
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new UsageError(`Unknown command "${name}": must be one of ${Object.keys(COMMANDS).join(", ")}, --help.`);
  }
  const values = parseOptions(command, args.slice(words.length));
  const missing = command.required.filter((option) => values[option] === undefined);
  if (missing.length > 0) {
    throw new UsageError(`${name} also needs ${missing.map((option) => `--${option}`).join(" and ")}.`);
  }
  return { command, values };
}

function parseOptions({ required, optional }: Command, args: string[]): Record<string, string> {
  const options = Object.fromEntries([...required, ...optional].map((name) => [name, { type: "string" as const }]));
  try {
    const { values } = parseArgs({ args, options, strict: true, allowPositionals: false });
    const given = Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === "string");
    return Object.fromEntries(given);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** What `--help` prints. */
export const USAGE = [
  "Usage: npm run -s admin -- <command>",
  "",
  ...Object.entries(COMMANDS).map(([name, { required, optional, does }]) => {
    const options = [...required.map((option) => `--${option} …`), ...optional.map((option) => `[--${option} …]`)];
    return `  ${[name, ...options].join(" ")}\n      ${does}`;
  }),
  "",
  "Works on DATA_DIR, or on MONGODB_URL and AMQP_URL where they are set, beside running servers too. Passwords come from ADMIN_PASSWORD; without it they are generated and printed.",
];
