import { describe, expect, it } from "vitest";
import { UsageError } from "./administration.js";
import { COMMANDS, parseCommandLine, USAGE } from "./commands.js";

describe("the command line", () => {
  it("names a command and its options", () => {
    const invocation = parseCommandLine(["user", "create", "--email", "a@example.com", "--company=B Ltd"]);
    expect(invocation).toEqual({
      command: COMMANDS["user create"],
      values: { email: "a@example.com", company: "B Ltd" },
    });
  });

  it.each([[["--help"]], [["-h"]], [["help"]], [["user", "create", "--help"]]])("asks for help with %j", (args) => {
    expect(parseCommandLine(args)).toBe("help");
  });

  it.each([
    [[], /^There is no command ""/],
    [["user"], /^There is no command "user"/],
    [["user", "rename"], /^There is no command "user rename"/],
    [["constructor"], /^There is no command "constructor"/],
    [["user", "list", "--verbose"], /--verbose/],
    [["user", "list", "extra"], /extra/],
    [["--email", "a@example.com", "user", "create"], /^There is no command/],
    [["user", "create"], /^The command user create also needs --email and --company\./],
    [["user", "create", "--email"], /--email/],
  ])("is refused as %j", (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(UsageError);
    expect(() => parseCommandLine(args)).toThrow(message);
  });

  it("is explained for every command", () => {
    for (const name of Object.keys(COMMANDS)) expect(USAGE.join("\n")).toContain(`  ${name}`);
  });
});
