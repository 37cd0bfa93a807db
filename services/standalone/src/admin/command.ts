import type { MediaFacts } from "@hourglass/analysis";
import type { GalleryAdministration } from "@hourglass/media";
import type { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import type { Client, Queue } from "@hourglass/runtime";
import type { AdminConfig } from "./config.js";

/** What a command works with; what it does not ask for is not opened. */
export interface Administration {
  config: AdminConfig;
  /** Companies, users and keys. */
  accounts: () => Promise<Client<typeof AdminService>>;
  /** The queue of all jobs. */
  queue: () => Promise<Queue>;
  /** Faces and logos that companies have added. */
  gallery: () => Promise<GalleryAdministration>;
  /** The 128 numbers of the one face in a picture. AppError `invalid` when there is none, or more than one. */
  describeFace: (file: string, facts: MediaFacts) => Promise<number[]>;
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
