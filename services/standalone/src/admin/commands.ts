import { parseArgs } from "node:util";
import { KEY_LEAD_MS } from "@hourglass/auth";
import { nearest, PRINCIPAL_FRESH_MS } from "@hourglass/runtime";
import { UsageError, type Administration, type OptionValues } from "./administration.js";
import { escapeField, jsonOf, lineOf, type Row } from "./output.js";

/** An operator command. */
export interface Command {
  /** One sentence for `--help`. */
  does: string;
  required?: readonly string[];
  optional?: readonly string[];
  /** Options without a value; a given one has the value "true". */
  flags?: readonly string[];
  /** Whether it only reads: it makes no database where there is none. Default: false. */
  reads?: boolean;
  /** Whether it deletes, and works on a full disk too. Default: false. */
  makesRoom?: boolean;
  /** Says what cannot be taken back: the command does it only with --yes. */
  asks?: (values: OptionValues) => string;
  /** Time until running servers apply the change, in milliseconds; the command ends after it. Default: 0. */
  appliedAfterMs?: number;
  /** Returns the lines to print. */
  run(administration: Administration, values: OptionValues): Promise<string[]>;
}

/** A command that lists what it has found, as lines or, with --json, as JSON. */
function lists(
  { flags = [], ...command }: Omit<Command, "run">,
  read: (administration: Administration, values: OptionValues) => Promise<readonly Row[]>,
): Command {
  return {
    ...command,
    flags: [...flags, "json"],
    run: async (administration, { json, ...values }) => {
      const rows = await read(administration, values);
      return json === undefined ? rows.map(lineOf) : [jsonOf(rows)];
    },
  };
}

/** Servers check a token again within this time. */
const SESSIONS_MS = PRINCIPAL_FRESH_MS + 100;
/** Servers sign with a new key within this time. */
const KEYS_MS = KEY_LEAD_MS + 500;
/** Workers reread the gallery of a company within this time. */
const GALLERY_MS = 10_000;

// Each is loaded only by its own commands, since it loads the services that they work on.
const accounts = () => import("./accounts.js");
const erasure = () => import("./erasure.js");
const gallery = () => import("./gallery.js");
const jobs = () => import("./jobs.js");
const platforms = () => import("./platforms.js");
const reanalyze = () => import("./reanalyze.js");
const storage = () => import("./storage.js");

/** All commands by their words. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  "company create": {
    does: "Makes a company; --products api,insight lists what is active (default both).",
    required: ["name"],
    optional: ["products"],
    run: async (...input) => (await accounts()).createCompany(...input),
  },
  "company list": lists(
    {
      does: "One line per company: id, name and active products, separated by tabs.",
      reads: true,
    },
    async (administration) => (await accounts()).listCompanies(administration),
  ),
  "user create": {
    does: "Makes a user of a company; --role is admin (the default), member or viewer, who only reads.",
    required: ["email", "company"],
    optional: ["first-name", "last-name", "role"],
    run: async (...input) => (await accounts()).createUser(...input),
  },
  "user set-password": {
    does: "Gives a user a new password and ends their sessions; --company where users of several have the e-mail.",
    required: ["email"],
    optional: ["company"],
    appliedAfterMs: SESSIONS_MS,
    run: async (...input) => (await accounts()).setPassword(...input),
  },
  "user set-role": {
    does: "Makes a user an admin, a member or a viewer, who only reads. A company's last admin stays one.",
    required: ["email", "role"],
    optional: ["company"],
    appliedAfterMs: SESSIONS_MS,
    run: async (...input) => (await accounts()).setRole(...input),
  },
  "user list": lists(
    {
      does: "One line per user: id, e-mail, company, first and last name, role, active or inactive, separated by tabs.",
      reads: true,
    },
    async (administration) => (await accounts()).listUsers(administration),
  ),
  "user delete": {
    does: "Erases a user and ends their sessions and API keys; what the company has stays.",
    asks: ({ email = "" }) => `This erases the user ${escapeField(email)} and ends their sessions and API keys.`,
    required: ["email"],
    optional: ["company"],
    makesRoom: true,
    appliedAfterMs: SESSIONS_MS,
    run: async (...input) => (await accounts()).deleteUser(...input),
  },
  "key create": {
    does:
      "Makes an API key of a company and prints it, once; --scopes operations,insights,exports lists what it opens; " +
      "--expires is a date, from whose first moment in UTC it is good for nothing.",
    required: ["company", "name", "scopes"],
    optional: ["expires"],
    flags: ["read-only"],
    run: async (...input) => (await accounts()).createKey(...input),
  },
  "key list": lists(
    {
      does:
        "One line per API key: id, id of the company, name, first characters, scopes, reads or writes, when it expires, " +
        "when it was last used, separated by tabs.",
      reads: true,
    },
    async (administration) => (await accounts()).listKeys(administration),
  ),
  "key revoke": {
    does: "Deletes an API key, which ends it.",
    asks: ({ id = "" }) => `This ends the API key ${escapeField(id)} for good; programs that use it are refused.`,
    required: ["id"],
    makesRoom: true,
    appliedAfterMs: SESSIONS_MS,
    run: async (...input) => (await accounts()).revokeKey(...input),
  },
  "product set": {
    does: "Switches a product (api or insight) of a company on (--active true) or off (--active false).",
    required: ["company", "uid", "active"],
    appliedAfterMs: SESSIONS_MS,
    run: async (...input) => (await accounts()).setProduct(...input),
  },
  "keys rotate": {
    does: "Makes a new signing key; sessions continue.",
    appliedAfterMs: KEYS_MS,
    run: async (administration) => (await accounts()).rotateKeys(administration),
  },
  "keys encrypt": {
    does:
      "Encrypts the signing keys in MongoDB with NEW_SIGNING_KEY_PASSPHRASE instead of SIGNING_KEY_PASSPHRASE; sessions continue. " +
      "Then give auth the new one and restart it.",
    run: async (administration) => (await accounts()).encryptKeys(administration),
  },
  "company delete": {
    does:
      "Erases a company with all its users, files, operations, insights and exports, for good, beside running servers too. " +
      "Without --yes it only says what would be erased. If it is interrupted, the same command continues.",
    required: ["name"],
    flags: ["with-data", "yes"],
    makesRoom: true,
    run: async (...input) => (await erasure()).deleteCompany(...input),
  },
  "company erasures": lists(
    {
      does: "One line per erased company: its id, when its erasure began and ended, and how many documents and files it had.",
      reads: true,
    },
    async (administration) => (await erasure()).listErasures(administration),
  ),
  "face enroll": {
    does:
      "Lets face-id name a person of a company: --file is a PNG or JPG that shows them alone. Needs FACE_RECOGNITION=true " +
      "and the person's consent. The picture is not kept, only 128 numbers that describe the face.",
    required: ["company", "name", "file"],
    appliedAfterMs: GALLERY_MS,
    run: async (...input) => (await gallery()).enrollFace(...input),
  },
  "face list": lists(
    {
      does: "One line per enrolled person of a company: name and number of pictures, separated by tabs.",
      required: ["company"],
      reads: true,
    },
    async (...input) => (await gallery()).listFaces(...input),
  ),
  "face forget": {
    does: "Removes everything that describes a person's face. Results that exist keep the name: delete their operations.",
    required: ["company", "name"],
    appliedAfterMs: GALLERY_MS,
    run: async (...input) => (await gallery()).forgetFace(...input),
  },
  "logo add": {
    does:
      "Lets logo-id find a mark of a company's own: --file is a PNG of the mark alone, best with a transparent background, " +
      "1 MiB at most. A name that is there already gets the new mark.",
    required: ["company", "name", "file"],
    appliedAfterMs: GALLERY_MS,
    run: async (...input) => (await gallery()).addLogo(...input),
  },
  "logo list": lists(
    {
      does: "One line per logo that a company has added: its name.",
      required: ["company"],
      reads: true,
    },
    async (...input) => (await gallery()).listLogos(...input),
  ),
  "logo remove": {
    does: "Removes a logo that a company has added.",
    required: ["company", "name"],
    appliedAfterMs: GALLERY_MS,
    run: async (...input) => (await gallery()).removeLogo(...input),
  },
  "jobs dead": lists(
    {
      does:
        "One line per dead job, which no worker could end: id, queue, deliveries, when it died, why, and what it says, " +
        "separated by tabs; --limit is 50 per queue unless given.",
      optional: ["queue", "limit"],
      reads: true,
    },
    async (...input) => (await jobs()).listDead(...input),
  ),
  "jobs retry": {
    does:
      "Puts a dead job (--id …), or all (--all true), back into its queue with fresh deliveries. " +
      "Does nothing for an operation that has ended: that is final, so create it again. Work that was left alone for a day " +
      "is done at once; work that is tried again by itself stays as it is.",
    optional: ["id", "all", "queue"],
    run: async (...input) => (await jobs()).retryDead(...input),
  },
  "jobs drop": {
    does: "Removes a dead job (--id …), or all (--all true). Operations stay as they are.",
    asks: ({ id }) =>
      `This drops ${id === undefined ? "all dead jobs" : `the dead job ${escapeField(id)}`}; nobody will do their work.`,
    optional: ["id", "all", "queue"],
    run: async (...input) => (await jobs()).dropDead(...input),
  },
  "platforms list": lists(
    {
      does:
        "One line per platform: name, ready or what is missing, and the number of searches in each state; then one line per " +
        "budget: name, what is spent of the limit, unit, and when it resets. Fields are separated by tabs.",
      reads: true,
    },
    async (administration) => (await platforms()).listPlatforms(administration),
  ),
  "platforms check": lists(
    {
      does:
        "Asks each configured platform one question that costs next to nothing, and prints one line per platform: name, " +
        "whether its credentials are accepted, and what to do otherwise, separated by tabs.",
    },
    async (administration) => (await platforms()).checkPlatforms(administration),
  ),
  doctor: {
    does:
      "Looks at everything on one page, beside running servers or without them, and changes nothing: who takes work from which " +
      "queue, what waits, searches that stand still, disk, API keys, version of the data, models. Each finding is ok, look " +
      "or bad, and says what to do next. Exit code 1 if one is bad.",
    flags: ["json"],
    reads: true,
    run: async (...input) => (await import("./doctor/doctor.js")).examine(...input),
  },
  backup: {
    does:
      "Copies database, files and signing keys of DATA_DIR into a new folder, beside running servers. " +
      "To restore, stop the servers and put the copy in the place of DATA_DIR.",
    required: ["to"],
    run: async (...input) => (await import("./backup.js")).backup(...input),
  },
  compact: {
    does:
      "Rewrites the database of DATA_DIR, without the space and the remains of what was deleted. Stop all servers first. " +
      "The disk needs room for the new file beside the old one.",
    run: async (administration) => (await storage()).compact(administration),
  },
  copy: {
    does:
      "Copies database, files and signing keys of DATA_DIR, or of MONGODB_URL if it is set, to an empty MongoDB database " +
      "(--to mongodb://…) or a new data folder (--to DIR), and compares both. Stop all servers first. If it is " +
      "interrupted, the same command continues.",
    required: ["to"],
    run: async (...input) => (await import("./copy.js")).copy(...input),
  },
  import: {
    does:
      "Imports a file of postings into a running insight: JSON Lines, or CSV by --preset (hourglass, 4cat, " +
      "youtube-data-tools) or --map, a file with a JSON object of keys and columns. Rows that are no postings are left out " +
      "and named on stderr; a row of a platform that the insight does not search ends the import. --match true leaves out what does not match the keywords. " +
      "--date-format (iso, d/m/yyyy, m/d/yyyy, unix, unix_ms, excel) and --time-zone (of IANA) state how the file writes its " +
      "times. The file is read twice, so that nothing is stored of one that contradicts itself. Repeating it stores nothing twice.",
    required: ["insight", "file"],
    optional: ["map", "preset", "match", "date-format", "time-zone"],
    run: async (...input) => (await import("./import.js")).importPostings(...input),
  },
  reanalyze: lists(
    {
      does:
        "Has the words of all stored postings of an insight (--insight ID) or a company (--company NAME) analyzed again, as " +
        "after an update with new models, but for those that the present models have analyzed. Workers do it in the " +
        "background, after what is new; earlier results stay until then. One line per insight: id, state, postings looked at " +
        "of all, how many of them are analyzed again, when it began and ended, separated by tabs. With --status it only prints.",
      optional: ["insight", "company"],
      flags: ["status"],
    },
    async (...input) => (await reanalyze()).reanalyze(...input),
  ),
  usage: {
    does:
      "One line per collection and folder of files: kind, name, how many, and bytes, separated by tabs; then the size of " +
      "the database and what is free. With --company only what that company has, in bytes of its documents as JSON.",
    optional: ["company"],
    flags: ["json"],
    reads: true,
    run: async (...input) => (await storage()).usage(...input),
  },
};

const flagsOf = ({ flags = [], asks }: Command): readonly string[] => (asks === undefined ? flags : [...flags, "yes"]);

const explained = ([name, command]: [string, Command]): string => {
  const { required = [], optional = [], does } = command;
  const options = [
    ...required.map((option) => `--${option} …`),
    ...optional.map((option) => `[--${option} …]`),
    ...flagsOf(command).map((flag) => `[--${flag}]`),
  ];
  return `  ${[name, ...options].join(" ")}\n      ${does}`;
};

/** The output of `--help` without a command. */
export const USAGE = [
  "Usage: npm run -s admin -- <command>",
  "",
  ...Object.entries(COMMANDS).map(explained),
  "",
  "Works on DATA_DIR, or on MONGODB_URL and AMQP_URL where they are set, beside running servers too, except copy and compact. Passwords come from ADMIN_PASSWORD; without it they are generated and printed.",
];

export interface Invocation {
  command: Command;
  /** Values of the given options, by name without dashes. */
  values: OptionValues;
}

/** Lines that explain the commands which were asked about. */
export interface Help {
  help: readonly string[];
}

/** Parses the arguments after `admin`; without any, or where they ask for it, returns help. Throws UsageError. */
export function parseCommandLine(args: readonly string[]): Invocation | Help {
  const words = args.slice(0, 2).filter((word) => !word.startsWith("-") && word !== "help");
  const name = words.join(" ");
  if (args.length === 0 || args.some((argument) => HELP.has(argument))) return { help: helpOn(name) };
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new UsageError([`There is no command "${escapeField(name)}".`, ...near(name)].join("\n"));
  }
  const values = parseOptions(command, args.slice(words.length));
  const missing = (command.required ?? []).filter((option) => values[option] === undefined);
  if (missing.length > 0) {
    throw new UsageError(`The command ${name} also needs ${missing.map((option) => `--${option}`).join(" and ")}.`);
  }
  return { command, values };
}

/** The commands that were probably meant, a line each: a typo of one, or those on the same thing, or with the same verb. */
function near(name: string): readonly string[] {
  const names = Object.keys(COMMANDS);
  const meant = nearest(name, names);
  const [first = "", second = ""] = name.split(" ");
  const thing = nearest(first, [...new Set(names.map((each) => each.split(" ")[0] ?? ""))]);
  const onIt = names.filter((each) => each.split(" ")[0] === thing);
  const alike = onIt.length > 0 ? onIt : names.filter((each) => [first, second].includes(each.split(" ")[1] ?? " "));
  const all = new Set([...(meant === undefined ? [] : [meant]), ...alike]);
  return all.size === 0 ? [] : ["Did you mean one of these?", ...[...all].map((each) => `  ${each}`)];
}

const HELP: ReadonlySet<string> = new Set(["--help", "-h", "help"]);

/** What a command does, or those whose names begin so; all if that is none. */
function helpOn(name: string): readonly string[] {
  const meant = Object.entries(COMMANDS).filter(([each]) => each === name || each.startsWith(`${name} `));
  return meant.length === 0 ? USAGE : ["Usage: npm run -s admin -- <command>", "", ...meant.map(explained)];
}

function parseOptions(command: Command, args: string[]): Record<string, string> {
  const { required = [], optional = [] } = command;
  const options: Record<string, { type: "string" | "boolean" }> = {};
  for (const name of [...required, ...optional]) options[name] = { type: "string" };
  for (const name of flagsOf(command)) options[name] = { type: "boolean" };
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
