import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** Default folder of the installations by `.ci/servers`. */
const FOLDER =
  process.env["SERVERS_DIR"] ??
  path.join(process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache"), "hourglass-servers");

const PLACES = {
  RABBITMQ_SCRIPTS: "/usr/lib/rabbitmq/bin",
  SECANTUS_SERVER: path.join(FOLDER, "secantus/bin/secantusd-py"),
  TOXIPROXY_SERVER: path.join(FOLDER, "bin/toxiproxy-server"),
};

/** The file or folder named by a variable of `.ci/servers`. Throws if it does not exist. */
export function installed(variable: keyof typeof PLACES): string {
  const place = process.env[variable] ?? PLACES[variable];
  if (existsSync(place)) return place;
  throw new Error(`${place} is missing: run \`eval "$(bash .ci/servers)"\`, or set ${variable}`);
}
