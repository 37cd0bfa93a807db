// Checks that `docker-compose config` does not make: that every service is confined and matches the product.
//   node check-compose.mjs TOOLS
import fs from "node:fs";
import path from "node:path";
import { finish, ROOT, yamlOf } from "./objects.mjs";
import { knownVariables, hasSource } from "./repository.mjs";

const yaml = await yamlOf(process.argv[2]);
const compose = yaml.parse(fs.readFileSync(path.join(ROOT, "docker-compose.yml"), "utf8"), { merge: true });
const known = knownVariables();
const isOurs = ({ image }) => image.startsWith("hourglass:");

/** Rules: each returns what is wrong, and with which service. */
const RULES = {
  "its root can be written": ({ read_only: readOnly }) => readOnly !== true,
  "it keeps capabilities": ({ cap_drop: dropped = [] }) => dropped.join() !== "ALL",
  "it may gain privileges": ({ security_opt: options = [] }) => !options.includes("no-new-privileges:true"),
  "its processor time has no limit": ({ cpus }) => cpus === undefined,
  "its memory has no limit": ({ mem_limit: limit }) => limit === undefined,
  "its processes have no limit": ({ pids_limit: limit }) => limit === undefined,
  "it has no health check": ({ healthcheck }) => healthcheck?.test === undefined,
  "it is not started again": ({ restart }) => restart !== "unless-stopped",
  "its dead decoders keep their process numbers": ({ command, init }) =>
    command?.includes("services/worker/dist/main.js") === true && init !== true,
  "its version is not exact": (service) => !isOurs(service) && !/:\d+\.\d+\.\d+(-management)?$/.test(service.image),
  "it may run as root": (service) => !isOurs(service) && !/^[1-9]\d*:[1-9]\d*$/.test(service.user ?? ""),
  "its entry has no source": (service) => isOurs(service) && !hasSource(service.entrypoint ?? service.command),
};

function problemsOf([name, service]) {
  const broken = Object.entries(RULES).filter(([, breaks]) => breaks(service));
  const unknown = isOurs(service) ? Object.keys(service.environment).filter((key) => !known.has(key)) : [];
  const open = (service.ports ?? []).filter((port) => name !== "gateway" || !String(port).startsWith("127.0.0.1:"));
  // A file of its own, or, where the product runs without it, passed on as it is and empty by default.
  const secrets = Object.entries(service.environment ?? {}).filter(
    ([key, value]) =>
      /PASS|SECRET|KEY|TOKEN|_URL(_FILE)?$/.test(key) &&
      String(value) !== `\${${key}:-}` &&
      !(key.endsWith("_FILE") && filesOf(service).includes(value)),
  );
  return [
    ...broken.map(([what]) => `${name}: ${what}`),
    ...unknown.map((key) => `${name}: ${key} is no variable of the product`),
    ...open.map((port) => `${name}: opens ${port} to other machines`),
    ...secrets.map(([key]) => `${name}: ${key} is neither a file of one of its secrets nor empty by default`),
    ...(service.secrets ?? [])
      .map((secret) => secret.source ?? secret)
      .filter((secret) => compose.secrets[secret] === undefined)
      .map((secret) => `${name}: there is no secret ${secret}`),
  ];
}

/** Paths of the secrets that a service gets. */
const filesOf = ({ secrets = [] }) => secrets.map((secret) => `/run/secrets/${secret.source ?? secret}`);

const services = Object.entries(compose.services);
const wanted = "gateway auth media operation insight export worker models admin mongo rabbitmq".split(" ");
const missing = wanted.filter((name) => compose.services[name] === undefined).map((name) => `${name} is missing`);
/** With access to other machines: the gateway is called, workers fetch files and feeds, models are downloaded, commands ask platforms. */
const NETWORKS = { gateway: "edge,inside", worker: "inside,outside", models: "outside", admin: "inside,outside" };
const reachable = services
  .filter(([name, { networks }]) => networks.join() !== (NETWORKS[name] ?? "inside"))
  .map(([name]) => `${name}: is on other networks than it needs`);
const inside = compose.networks.inside.internal === true ? [] : ["the network inside has a way out"];
finish(`docker-compose.yml, ${services.length} services`, [
  ...missing,
  ...services.flatMap(problemsOf),
  ...reachable,
  ...inside,
]);
