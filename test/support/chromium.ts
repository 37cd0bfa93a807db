import { existsSync } from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of the Chromium of this computer, or of CHROMIUM_PATH; undefined if there is none. */
export function findChromium(env = process.env): string | undefined {
  const given = env["CHROMIUM_PATH"];
  if (given !== undefined && given !== "") return given;
  const folders = (env["PATH"] ?? "").split(path.delimiter);
  const places = NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name)));
  return places.find((place) => existsSync(place));
}
