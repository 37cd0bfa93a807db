import type { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import type { Client, Config, Queue } from "@hourglass/runtime";

/** What a command works with; what it does not ask for is not opened. */
export interface Administration {
  config: Config;
  /** Companies, users and keys. */
  accounts: () => Promise<Client<typeof AdminService>>;
  /** The queue of all jobs. */
  queue: () => Promise<Queue>;
  /** The password to set; `generated` ones have to be told. */
  choosePassword: () => { password: string; generated: boolean };
}

/** Values of options, by name without dashes; required ones are there. */
export type OptionValues = Readonly<Record<string, string>>;

/** One command of the operator. */
export interface Command {
  /** One sentence for `--help`. */
  does: string;
  required: readonly string[];
  optional: readonly string[];
  /** Returns the lines to print. */
  run(administration: Administration, values: OptionValues): Promise<string[]>;
  /** How long it takes until running servers act by the change, in milliseconds; the command ends after it. */
  settleMs: number;
}
