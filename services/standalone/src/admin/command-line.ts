import { parseArgs } from "node:util";
import { giveOneOf, nearest } from "@hourglass/runtime";
import type { Command, OptionValues } from "./command.js";
import { COMMANDS } from "./commands.js";
import { escapeField } from "./output.js";
import { UsageError } from "../usage-error.js";

export interface Invocation {
  command: Command;
  /** Values of the given options, by name without dashes. */
  values: OptionValues;
}

/** Parses the arguments after `admin`; returns "help" if they request it. Throws UsageError. */
export function parseCommandLine(args: readonly string[]): Invocation | "help" {
  if (args.some((argument) => argument === "--help" || argument === "-h" || argument === "help")) return "help";
  const words = args.slice(0, 2).filter((word) => !word.startsWith("-"));
  const name = words.join(" ");
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const names = [...Object.keys(COMMANDS), "--help"];
    throw new UsageError(`There is no command "${escapeField(name)}". ${giveOneOf(names, name)}`);
  }
  const values = parseOptions(command, args.slice(words.length));
  const missing = command.required.filter((option) => values[option] === undefined);
  if (missing.length > 0) {
    throw new UsageError(`The command ${name} also needs ${missing.map((option) => `--${option}`).join(" and ")}.`);
  }
  return { command, values };
}

function parseOptions({ required, optional, flags = [] }: Command, args: string[]): Record<string, string> {
  const options: Record<string, { type: "string" | "boolean" }> = {};
  for (const name of [...required, ...optional]) options[name] = { type: "string" };
  for (const name of flags) options[name] = { type: "boolean" };
  try {
    const { values } = parseArgs({ args, options, strict: true, allowPositionals: false });
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  } catch (error) {
    throw optionRefused(error, Object.keys(options));
  }
}

/** The parser quotes the argument that it refuses: `'--name <value>'`. */
const QUOTED = /^[^']*'([^' ]*)/;

/** Converts the parser's error about the arguments of a command into a sentence with the remedy. */
function optionRefused(error: unknown, options: readonly string[]): UsageError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const [, quoted = ""] = QUOTED.exec(error instanceof Error ? error.message : "") ?? [];
  const word = escapeField(quoted);
  if (code === "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return new UsageError(`Give a value after ${word}.`);
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") {
    return new UsageError(
      `Leave out "${word}": only options follow a command, and values with spaces stand in quotation marks.`,
    );
  }
  if (code !== "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw error;
  const meant = nearest(quoted.replace(/^-+/, ""), options);
  const remedy = meant === undefined ? "Leave it out." : `Did you mean --${meant}?`;
  return new UsageError(`This command has no option ${word}. ${remedy}`);
}

/** The output of `--help`. */
export const USAGE = [
  "Usage: npm run -s admin -- <command>",
  "",
  ...Object.entries(COMMANDS).map(([name, { required, optional, flags = [], does }]) => {
    const options = [
      ...required.map((option) => `--${option} …`),
      ...optional.map((option) => `[--${option} …]`),
      ...flags.map((flag) => `[--${flag}]`),
    ];
    return `  ${[name, ...options].join(" ")}\n      ${does}`;
  }),
  "",
  "Works on DATA_DIR, or on MONGODB_URL and AMQP_URL where they are set, beside running servers too, except copy and compact. Passwords come from ADMIN_PASSWORD; without it they are generated and printed.",
];
