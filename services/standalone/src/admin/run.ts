import { AppError, ConfigError } from "@hourglass/runtime";
import type { AdminConfig } from "../config.js";
import { UsageError } from "./administration.js";
import { parseCommandLine } from "./commands.js";
import { complain, print } from "./output.js";

/**
 * The program of `npm run -s admin` and `npm run -s models`: one operator command, with or without a running server. It
 * loads only the code that the command needs.
 */
async function main(args: readonly string[]): Promise<void> {
  if (args[0] === "models") {
    const { runModelsCommand } = await import("./models.js");
    process.exitCode = await runModelsCommand(args.slice(1), await readConfig(), {
      print,
      progress: process.stderr,
    });
    return;
  }
  const invocation = parseCommandLine(args);
  if ("help" in invocation) {
    print(invocation.help);
    return;
  }
  const { administer } = await import("./resources.js");
  await administer(invocation, await readConfig());
}

async function readConfig(): Promise<AdminConfig> {
  const { readAdminConfig } = await import("../config.js");
  return readAdminConfig(process.env);
}

function explain(error: unknown): string {
  if (error instanceof UsageError) {
    const separator = error.message.includes("\n") ? "\n" : " ";
    return `${error.message}${separator}See: npm run -s admin -- --help`;
  }
  if (error instanceof ConfigError) return error.message;
  const failure = AppError.from(error);
  if (failure.violations.length > 0) {
    return failure.violations.map(({ field, message }) => `--${optionOf(field)}: ${message}`).join(" ");
  }
  // The operator needs the cause, which callers of the server must not see.
  const cause = failure.cause instanceof Error && failure.kind !== "conflict" ? ` (${failure.cause.message})` : "";
  return failure.message + cause;
}

/** The option that a field stands for; what is inside its value keeps its name. */
function optionOf(field: string): string {
  const [option = "", ...inside] = field.split(".");
  return [option.replaceAll("_", "-"), ...inside].join(".");
}

main(process.argv.slice(2)).catch((error: unknown) => {
  complain(explain(error), { isPrepared: error instanceof UsageError });
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
