import type { MediaFacts } from "@hourglass/analysis";
import type { GalleryAdministration } from "@hourglass/media";
import type { ImportAdministration, PlatformAdministration } from "@hourglass/insight";
import type { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import type { CompanyErasures } from "@hourglass/auth";
import type { Client, Queue, WholeStorage } from "@hourglass/runtime";
import type { AdminConfig } from "./config.js";

/** What is needed to measure and erase what companies have. */
export interface ErasureAdministration extends Pick<WholeStorage, "store" | "blobs" | "contents"> {
  companies: CompanyErasures;
}

/** The resources of a command; those that it does not request are not opened. */
export interface Administration {
  config: AdminConfig;
  /** Companies, users and keys. */
  accounts: () => Promise<Client<typeof AdminService>>;
  /** The queue of all jobs. */
  queue: () => Promise<Queue>;
  /** Faces and logos that companies have added. */
  gallery: () => Promise<GalleryAdministration>;
  /** All that is stored, and the erasure of companies. */
  erasures: () => Promise<ErasureAdministration>;
  /** Imports of postings. */
  imports: () => Promise<ImportAdministration>;
  /** Connections to platforms. */
  platforms: () => Promise<PlatformAdministration>;
  /**
   * The descriptor (128 numbers) of the only face in a picture. AppError `invalid` if there is none, or more than one.
   */
  describeFace: (file: string, facts: MediaFacts) => Promise<number[]>;
  /** The password to set; `generated` ones must be shown. */
  choosePassword: () => { password: string; generated: boolean };
}

/** Values of options, by name without dashes; required ones are present. */
export type OptionValues = Readonly<Record<string, string>>;

/** An operator command. */
export interface Command {
  /** One sentence for `--help`. */
  does: string;
  required: readonly string[];
  optional: readonly string[];
  /** Options without a value; a given one has the value "true". */
  flags?: readonly string[];
  /** Whether it deletes, and works on a full disk too. Default: false. */
  makesRoom?: boolean;
  /** Returns the lines to print. */
  run(administration: Administration, values: OptionValues): Promise<string[]>;
  /** Time until running servers apply the change, in milliseconds; the command ends after it. */
  settleMs: number;
}
