import { describe, expect, it } from "vitest";
import { UsageError } from "./administration.js";
import { COMMANDS, type Help, parseCommandLine, USAGE } from "./commands.js";

describe("the command line", () => {
  it("names a command and its options", () => {
    const invocation = parseCommandLine(["user", "create", "--email", "a@example.com", "--company=B Ltd"]);
    expect(invocation).toEqual({
      command: COMMANDS["user create"],
      values: { email: "a@example.com", company: "B Ltd" },
    });
  });

  it.each([[[]], [["--help"]], [["-h"]], [["help"]], [["nothing", "--help"]]])("lists all commands at %j", (args) => {
    expect(parseCommandLine(args)).toEqual({ help: USAGE });
  });

  it("explains a command, or those of one word, alone", () => {
    const helpOn = (...args: string[]) => (parseCommandLine(args) as Help).help.join("\n");
    expect(helpOn("user", "create", "--help")).toContain("user create --email");
    expect(helpOn("user", "create", "--help")).not.toContain("user list");
    expect(helpOn("help", "user")).toContain("user list");
    expect(helpOn("user", "-h")).not.toContain("company list");
  });

  it.each([
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

  it("lists the near ones a line each where there is none of its name", () => {
    const refusal = (...args: string[]) => {
      try {
        parseCommandLine(args);
      } catch (error) {
        return error instanceof UsageError ? error.message.split("\n") : [];
      }
      return [];
    };
    expect(refusal("jobs", "ded").slice(0, 3)).toEqual([
      'There is no command "jobs ded".',
      "Did you mean one of these?",
      "  jobs dead",
    ]);
    expect(refusal("face", "remove")).toEqual([
      'There is no command "face remove".',
      "Did you mean one of these?",
      "  face enroll",
      "  face list",
      "  face forget",
    ]);
    expect(refusal("frobnicate")).toEqual(['There is no command "frobnicate".']);
  });

  it.each(Object.entries(COMMANDS).filter(([, { reads = false }]) => reads))("prints JSON: %s", (name, command) => {
    expect([name, command.flags]).toEqual([name, expect.arrayContaining(["json"])]);
  });

  it.each(["jobs drop", "user delete", "key revoke"])("has --yes: %s", (name) => {
    expect(COMMANDS[name]?.asks?.({ id: "7", email: "a@example.com" })).toMatch(/^This /);
  });

  it("is explained for every command", () => {
    for (const name of Object.keys(COMMANDS)) expect(USAGE.join("\n")).toContain(`  ${name}`);
  });
});
