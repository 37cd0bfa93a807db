import { CompanyErasures } from "@hourglass/auth";
import { openStorage } from "@hourglass/runtime";
import type { ErasureAdministration } from "../command.js";
import type { Opening } from "./opening.js";

/** Opens all that is stored, to measure or erase it. */
export async function openErasures({ config, log, lifecycle }: Opening): Promise<ErasureAdministration> {
  const storage = await openStorage({ config, log, lifecycle, parts: ["store", "blobs", "contents"] });
  return { ...storage, companies: await CompanyErasures.open(storage.store) };
}
