// Checks that services of a composition are in the network of a collector, and still in their own.
//   node check-networks.mjs TOOLS CONFIG SERVICE…
import fs from "node:fs";
import { finish, yamlOf } from "./objects.mjs";

const [tools, file, ...names] = process.argv.slice(2);
const { services } = (await yamlOf(tools)).parse(fs.readFileSync(file, "utf8"));
const networksOf = (name) => {
  const { networks } = services[name];
  return Array.isArray(networks) ? networks : Object.keys(networks);
};
const wrong = names.filter((name) => !["inside", "telemetry"].every((each) => networksOf(name).includes(each)));
finish(
  `networks of ${names.length} services`,
  wrong.map((name) => `${name} is only in ${networksOf(name).join(", ")}`),
);
