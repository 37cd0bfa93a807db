// Checks what the image says about itself:  node image.mjs IMAGE REVISION SIZE-MAX
// SIZE-MAX is in megabytes (10⁶ bytes), uncompressed. Needs podman.
import { execFileSync, spawnSync } from "node:child_process";
import { finish } from "../objects.mjs";

const [image, revision, sizeMax] = process.argv.slice(2);
const INSTALLERS = ["npm", "npx", "yarn", "yarnpkg", "corepack", "pip", "gcc"];

const options = { encoding: "utf8", maxBuffer: 2 ** 26 };
const podman = (...args) => execFileSync("podman", args, options).trim();
const inside = (...command) => podman("run", "--rm", "--network", "none", image, ...command);

const [{ Size: size, Config: config }] = JSON.parse(podman("image", "inspect", image));
const label = (name) => config.Labels[name] ?? "";
const megabytes = Math.round(size / 1e6);
process.stdout.write(`${megabytes} MB\n`);

function labelFailures() {
  const at = "org.opencontainers.image";
  const expected = {
    [`${at}.revision`]: revision,
    [`${at}.base.name`]: /^docker\.io\/library\/node:\d+\.\d+\.\d+-trixie-slim$/,
    [`${at}.created`]: /^\d{4}-\d\d-\d\dT[\d:]+Z$/,
    [`${at}.source`]: /^https:/,
    [`${at}.version`]: /^\d+\.\d+\.\d+$/,
    "hourglass.sbom": "/app/sbom.cdx.json",
  };
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const fits = wanted instanceof RegExp ? wanted.test(label(name)) : wanted === label(name);
    return fits ? [] : [`the label ${name} is "${label(name)}"`];
  });
}

/** The list holds every package of Debian in the image, at its version, and those of npm. */
function sbomFailures() {
  const bom = JSON.parse(inside("cat", label("hourglass.sbom")));
  const listed = new Set(bom.components.map(({ name, version }) => `${name} ${version}`));
  const packages = inside("dpkg-query", "-Wf", "${Package} ${Version}\n").split("\n");
  const missing = packages.filter((each) => !each.startsWith("hourglass-") && !listed.has(each));
  const fromNpm = bom.components.filter(({ purl }) => purl.startsWith("pkg:npm/")).length;
  process.stdout.write(`${bom.components.length} packages are listed, ${fromNpm} of them from npm\n`);
  return [
    ...(bom.bomFormat === "CycloneDX" ? [] : ["the list of packages is not in CycloneDX"]),
    ...missing.map((each) => `the list of packages lacks ${each}`),
    ...(fromNpm > 50 ? [] : ["the list of packages has hardly any of npm"]),
    ...(listed.has(`node ${inside("node", "-p", "process.versions.node")}`) ? [] : ["the list of packages lacks node"]),
  ];
}

const found = INSTALLERS.filter(
  (name) =>
    spawnSync("podman", ["run", "--rm", "--network", "none", image, "sh", "-c", `command -v ${name}`]).status === 0,
);

finish(`the image ${image}`, [
  ...(megabytes <= Number(sizeMax) ? [] : [`it has ${megabytes} MB; at most ${sizeMax} are wanted`]),
  ...(config.User === "10001:10001" ? [] : [`it runs as ${config.User}`]),
  ...labelFailures(),
  ...sbomFailures(),
  ...found.map((name) => `it has ${name}`),
]);
