import type { MediaFacts } from "@hourglass/analysis";
import type { CompanyErasures } from "@hourglass/auth";
import type { ImportAdministration, PlatformAdministration, ReanalysisAdministration } from "@hourglass/insight";
import type { GalleryAdministration } from "@hourglass/media";
import type { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import type { Client, Lifecycle, Logger, Queue, WholeStorage } from "@hourglass/runtime";
import type { AdminConfig } from "../config.js";

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
  /** The store, of which the doctor reads. */
  patient: () => Promise<Patient>;
  /** Imports of postings. */
  imports: () => Promise<ImportAdministration>;
  /** Analyses of stored postings that are done again. */
  reanalyses: () => Promise<ReanalysisAdministration>;
  /** Connections to platforms. */
  platforms: () => Promise<PlatformAdministration>;
  /** Says that something which the command has found does not work: its exit code becomes 1. */
  markBad: () => void;
  /**
   * The descriptor (128 numbers) of the only face in a picture. AppError `invalid` if there is none, or more than one.
   */
  describeFace: (file: string, facts: MediaFacts) => Promise<number[]>;
}

/** What the doctor reads of the store. */
export type Patient = Pick<WholeStorage, "store" | "contents">;

/** What is needed to measure and erase what companies have. */
export interface ErasureAdministration extends Pick<WholeStorage, "store" | "blobs" | "contents"> {
  companies: CompanyErasures;
}

/** What opening a resource takes; the lifecycle closes what it opened. */
export interface Opening {
  readonly config: AdminConfig;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
}

/** Values of options, by name without dashes; required ones are present. */
export type OptionValues = Readonly<Record<string, string>>;

/** The command line is invalid; `message` is one line with the remedy. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The id in `--insight`. Throws UsageError. */
export function readInsightId(text: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (id > 0 && Number.isSafeInteger(id)) return id;
  throw new UsageError("Give --insight the id of an insight, a positive whole number.");
}
