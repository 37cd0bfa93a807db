// Completes the list of npm's packages that `npm sbom` makes, in CycloneDX, to what the image holds:
//   node sbom.mjs NPM-LIST DPKG-STATUS APP > APP/sbom.cdx.json
// Packages that are not installed below APP are left out; Node and the packages of Debian are added.
import fs from "node:fs";
import path from "node:path";

const [npmList, dpkgStatus, app] = process.argv.slice(2);
const bom = JSON.parse(fs.readFileSync(npmList, "utf8"));

/** `name@version` of every package below the folder. */
function installedBelow(folder) {
  const packages = fs
    .readdirSync(folder, { recursive: true })
    .filter((file) => path.basename(file) === "package.json")
    .map((file) => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8")));
  return new Set(packages.map(({ name, version }) => `${name}@${version}`));
}

/** The installed packages of Debian: dpkg's status is a paragraph of `Field: value` for each. */
function debianPackages() {
  const status = fs.readFileSync(dpkgStatus, "utf8");
  // Its first number is that of the release.
  const release = /^Package: base-files\n(?:.+\n)*?Version: (\d+)/m.exec(status)?.[1];
  return status.split(/\n{2,}/).flatMap((paragraph) => {
    const field = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(paragraph)?.[1];
    const [name, version, architecture] = [field("Package"), field("Version"), field("Architecture")];
    // The Dockerfile makes its own empty package.
    if (field("Status") !== "install ok installed" || name.startsWith("hourglass")) return [];
    // The source package, by which Debian announces vulnerabilities; it has its own version only where it differs.
    const [, source = name, sourceVersion = version] = /^(\S+)(?: \((\S+)\))?$/.exec(field("Source") ?? "") ?? [];
    const upstream = source === name ? "" : `&upstream=${encodeURIComponent(`${source}@${sourceVersion}`)}`;
    const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${release}${upstream}`;
    return [{ "bom-ref": purl, type: "library", name, version, purl }];
  });
}

const installed = installedBelow(app);
const [npmPackages, absent] = [[], new Set()];
for (const component of bom.components) {
  if (installed.has(component["bom-ref"])) npmPackages.push(component);
  else absent.add(component["bom-ref"]);
}
const version = process.versions.node;
const node = { "bom-ref": "node", type: "platform", name: "node", version, purl: `pkg:generic/node@${version}` };

bom.metadata.component = { ...bom.metadata.component, type: "container", name: "hourglass" };
bom.components = [node, ...npmPackages, ...debianPackages()];
bom.dependencies = bom.dependencies
  .filter(({ ref }) => !absent.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !absent.has(each)) }));
process.stdout.write(`${JSON.stringify(bom)}\n`);
