// Checks the alerts: each is explained in the runbook, tested, and part of what the chart makes of them. Writes the rules of a
// rendering to OUT, for promtool.
//   node check-alerts.mjs TOOLS MANIFESTS.yaml OUT
import fs from "node:fs";
import path from "node:path";
import { finish, objectsOf, ROOT, yamlOf } from "./objects.mjs";

const [tools, file, out] = process.argv.slice(2);
const yaml = await yamlOf(tools);
const read = (name) => fs.readFileSync(path.join(ROOT, name), "utf8");
const TESTS = "services/deploy/ci/alert-tests";

const alertsOf = ({ groups }) => groups.flatMap(({ rules }) => rules);
const alerts = alertsOf(yaml.parse(read("services/deploy/alerts/hourglass.yaml")));
const names = alerts.map(({ alert }) => alert);
const sections = [...read("docs/runbook.md").matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);

/** Alerts that a test expects to fire. */
function tested() {
  const tests = fs.readdirSync(path.join(ROOT, TESTS)).flatMap((name) => yaml.parse(read(`${TESTS}/${name}`)).tests);
  const cases = tests.flatMap((test) => test.alert_rule_test);
  return new Set(cases.filter(({ exp_alerts: expected }) => expected.length > 0).map(({ alertname }) => alertname));
}

function explained() {
  const wrong = alerts.filter(({ alert, labels, annotations }) => {
    const place = `docs/runbook.md#${alert.toLowerCase()}`;
    return annotations?.runbook_url !== place || annotations.summary === undefined || labels?.severity === undefined;
  });
  return [
    ...wrong.map(({ alert }) => `${alert} needs a severity, a summary and its section as runbook_url`),
    ...names.filter((name) => !sections.includes(name)).map((name) => `${name} has no section in docs/runbook.md`),
    ...sections.filter((name) => !names.includes(name)).map((name) => `docs/runbook.md explains ${name}, no alert`),
  ];
}

/** Every selector names the targets, which the chart replaces. */
function selecting() {
  const loose = alerts.filter(({ expr }) =>
    /\b(hourglass_\w+|nodejs_\w+|process_\w+|up)\b(?!\{job="hourglass")/.test(expr),
  );
  return loose.map(({ alert }) => `${alert} asks for series of any job`);
}

/** The rendering has every alert, for the values that ci/all-values.yaml gives. */
async function rendered() {
  const [object] = (await objectsOf(tools, file)).filter(({ kind }) => kind === "PrometheusRule");
  if (object === undefined) return [`${path.basename(file)} has no alerts`];
  fs.writeFileSync(out, JSON.stringify(object.spec));
  const text = JSON.stringify(object.spec);
  const made = alertsOf(object.spec).map(({ alert }) => alert);
  return [
    ...names.filter((name) => !made.includes(name)).map((name) => `${name} is not in the chart`),
    ...['job=\\"hourglass\\"', "> 300", "docs/runbook.md"]
      .filter((left) => text.includes(left))
      .map((left) => `${left} is not replaced`),
  ];
}

const known = tested();
finish(`${names.length} alerts`, [
  ...explained(),
  ...names.filter((name) => !known.has(name)).map((name) => `${name} is not tested in ${TESTS}`),
  ...selecting(),
  ...(await rendered()),
]);
