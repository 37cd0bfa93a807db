// Checks that no schema can express: that the objects of a rendering refer to each other and to the product correctly.
//   node check-references.mjs TOOLS MANIFESTS.yaml
import fs from "node:fs";
import path from "node:path";
import { finish, nameOf, objectsOf, ROOT } from "./objects.mjs";
import { hasSource, isSecret, knownVariables, metrics, metricsIn, queueNames, workerRoles } from "./repository.mjs";

const [tools, file] = process.argv.slice(2);
const objects = await objectsOf(tools, file);
const ofKind = (...kinds) => objects.filter(({ kind }) => kinds.includes(kind));
const deployments = ofKind("Deployment");
const jobs = ofKind("Job");
const workloads = [...deployments, ...jobs];
const templateOf = (deployment) => deployment.spec.template;
const containerOf = (deployment) => templateOf(deployment).spec.containers[0];

function selects({ matchLabels = {}, matchExpressions = [] }, labels) {
  const equal = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return equal && matchExpressions.every(({ key, values }) => values.includes(labels[key]));
}

const selected = (selector) => workloads.filter((each) => selects(selector, templateOf(each).metadata.labels));

/** Every selector matches pods; every value of an expression occurs on a pod, or on that of an admin Job, which is seldom there. */
function selectors() {
  const own = objects.flatMap((object) => {
    if (object.kind === "Service") return [{ object, selector: { matchLabels: object.spec.selector } }];
    const { selector, podSelector } = object.spec ?? {};
    return [selector, podSelector].filter(Boolean).map((each) => ({ object, selector: each }));
  });
  const peers = ofKind("NetworkPolicy").flatMap((object) => {
    const rules = [...(object.spec.ingress ?? []), ...(object.spec.egress ?? [])];
    const named = rules.flatMap(({ from = [], to = [] }) => [...from, ...to]).map(({ podSelector }) => podSelector);
    const ours = named.filter((each) => each?.matchLabels?.["app.kubernetes.io/instance"] !== undefined);
    return ours.map((selector) => ({ object, selector }));
  });
  return [...own, ...peers].flatMap(({ object, selector }) => {
    if (selected(selector).length === 0) return [`${nameOf(object)} selects no pod: ${JSON.stringify(selector)}`];
    const wanted = (selector.matchExpressions ?? []).flatMap(({ key, values }) => values.map((value) => [key, value]));
    return wanted
      .filter(([key, value]) => value !== "admin" && selected({ matchLabels: { [key]: value } }).length === 0)
      .map(([key, value]) => `${nameOf(object)} names ${key}=${value}, which no pod has`);
  });
}

/** A Deployment has replicas, or exactly one autoscaler. */
function scaling() {
  const scalers = ofKind("HorizontalPodAutoscaler", "ScaledObject");
  const lost = scalers.filter(
    ({ spec }) => !deployments.some((each) => each.metadata.name === spec.scaleTargetRef.name),
  );
  const odd = deployments.filter((each) => {
    const count = scalers.filter(({ spec }) => spec.scaleTargetRef.name === each.metadata.name).length;
    return count !== (each.spec.replicas === undefined ? 1 : 0);
  });
  const sleepless = ofKind("ScaledObject").flatMap((object) =>
    object.spec.triggers
      .filter(
        ({ type, authenticationRef }) => type === "rabbitmq" && !named("TriggerAuthentication", authenticationRef),
      )
      .map(() => `${nameOf(object)} lacks its TriggerAuthentication`),
  );
  return [
    ...lost.map((each) => `${nameOf(each)} scales nothing`),
    ...odd.map((each) => `${nameOf(each)} needs replicas or one scaler`),
    ...sleepless,
  ];
}

function named(kind, reference) {
  return ofKind(kind).some(({ metadata }) => metadata.name === reference?.name);
}

/** Ports of the container of a workload, by name or number. */
const opens = (workload, port) =>
  (containerOf(workload).ports ?? []).some(({ name, containerPort }) => name === port || containerPort === port);

function ports() {
  const probed = deployments.flatMap((each) => {
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(each);
    const asked = [startupProbe, livenessProbe, readinessProbe].map((probe) => (probe.grpc ?? probe.httpGet).port);
    return asked.filter((port) => !opens(each, port)).map((port) => `${nameOf(each)} is probed on ${port}, not open`);
  });
  const served = ofKind("Service").flatMap((object) =>
    object.spec.ports
      .filter(({ targetPort }) => !selected({ matchLabels: object.spec.selector }).every((it) => opens(it, targetPort)))
      .map(({ targetPort }) => `${nameOf(object)} leads to ${targetPort}, not open`),
  );
  const allowed = ofKind("NetworkPolicy").flatMap((object) =>
    (object.spec.ingress ?? [])
      .flatMap((rule) => rule.ports)
      .filter(({ port }) => !selected(object.spec.podSelector).some((each) => opens(each, port)))
      .map(({ port }) => `${nameOf(object)} lets in to ${port}, not open`),
  );
  return [...probed, ...served, ...allowed];
}

/** Callers use an existing Service and port, which the policies allow. */
function address(deployment, value) {
  const [, host, port] = /^dns:\/\/\/([^:]+):(\d+)$/.exec(value) ?? [];
  const service = ofKind("Service").find(({ metadata }) => metadata.name === host);
  if (service?.spec.ports.some((each) => each.port === Number(port))) return [];
  return [`${nameOf(deployment)} calls ${value}, where nothing is`];
}

function variables() {
  const known = knownVariables();
  return workloads.flatMap((each) =>
    containerOf(each).env.flatMap(({ name, value, valueFrom }) => {
      const where = `${nameOf(each)}: ${name}`;
      if (!known.has(name)) return [`${where} is no variable of the product`];
      if (isSecret(name)) return [`${where} is a secret, which only a file may hold`];
      if (isFileOfSecret(name) && !secretFilesOf(each).has(value)) return [`${where} is ${value}, no file of a secret`];
      if (valueFrom === undefined && (typeof value !== "string" || /^\d.*e\+/.test(value))) {
        return [`${where} is ${value}`];
      }
      return name.endsWith("_ADDRESS") ? address(each, value) : [];
    }),
  );
}

/** `TLS_KEY_FILE` is none: there is no variable that holds a key itself. */
const isFileOfSecret = (name) => name.endsWith("_FILE") && knownVariables().has(name.slice(0, -"_FILE".length));

/** Paths of the files that a workload mounts from secrets, read-only and for nobody else. */
function secretFilesOf(workload) {
  const { spec } = templateOf(workload);
  const isPrivate = ({ projected }) => projected !== undefined && (projected.defaultMode & 0o337) === 0;
  const files = spec.volumes.filter(isPrivate).flatMap(({ name, projected }) => {
    const mounts = containerOf(workload).volumeMounts.filter((mount) => mount.name === name && mount.readOnly);
    const paths = projected.sources.flatMap(({ secret }) => secret.items.map(({ path: file }) => file));
    return mounts.flatMap(({ mountPath }) => paths.map((file) => `${mountPath}/${file}`));
  });
  return new Set(files);
}

function pods() {
  const wrong = workloads.flatMap((each) => {
    const { volumes, automountServiceAccountToken } = templateOf(each).spec;
    const { volumeMounts, command } = containerOf(each);
    const loose = volumeMounts.filter(({ name }) => !volumes.some((volume) => volume.name === name));
    return [
      ...loose.map(({ name }) => `${nameOf(each)} mounts ${name}, which is no volume`),
      ...(hasSource(command) ? [] : [`${nameOf(each)} runs ${command.join(" ")}, which has no source`]),
      ...(automountServiceAccountToken === false ? [] : [`${nameOf(each)} gets a token of Kubernetes`]),
    ];
  });
  return [...wrong, ...ofKind("Secret").map((each) => `${nameOf(each)}: secrets are named, never made`)];
}

/** A Job runs a command once: no Service sends it calls, and its policies let it reach its backends. */
function commands() {
  return jobs.flatMap((each) => {
    const { labels } = templateOf(each).metadata;
    const called = ofKind("Service").filter(({ spec }) => selects({ matchLabels: spec.selector }, labels));
    const policies = ofKind("NetworkPolicy").filter(({ spec }) => selects(spec.podSelector, labels));
    const lacking = ["mongodb", "rabbitmq"].filter(
      (end) => !policies.some(({ metadata }) => metadata.name.endsWith(end)),
    );
    return [
      ...called.map((service) => `${nameOf(service)} sends calls to ${nameOf(each)}`),
      ...lacking.map((backend) => `no policy lets ${nameOf(each)} reach ${backend}`),
    ];
  });
}

/** Every role of the product has workers and is in the schema of the values. */
function roles() {
  const given = deployments.flatMap((each) => containerOf(each).env.filter(({ name }) => name === "WORKER_ROLES"));
  const assigned = new Set(given.flatMap(({ value }) => value.split(",")));
  const schema = JSON.parse(fs.readFileSync(path.join(ROOT, "services/deploy/values.schema.json"), "utf8"));
  const [, group] = schema.definitions.worker.anyOf;
  return workerRoles()
    .filter((role) => !assigned.has(role) || !group.properties.roles.items.enum.includes(role))
    .map((role) => `${role} has no workers, or values.schema.json does not know it`);
}

/** Parts that neither publish work nor do any. */
const WITHOUT_BROKER = ["gateway", "auth"];

/** Only parts that publish work or do it have the URL of the broker. */
function brokers() {
  return deployments.flatMap((each) => {
    const needed = !WITHOUT_BROKER.includes(templateOf(each).metadata.labels["app.kubernetes.io/component"]);
    if (needed === containerOf(each).env.some(({ name }) => name === "AMQP_URL_FILE")) return [];
    return [`${nameOf(each)} has ${needed ? "no AMQP_URL_FILE" : "an AMQP_URL_FILE and no use for it"}`];
  });
}

/** Scaling by depth asks for queues of the contract, with the prefix that processes have. */
function queues() {
  const known = new Set(queueNames());
  const [prefix] = deployments.flatMap((each) =>
    containerOf(each).env.flatMap(({ name, value }) => (name === "AMQP_PREFIX" ? [`${value}.`] : [])),
  );
  const asked = ofKind("ScaledObject").flatMap(({ spec }) =>
    spec.triggers.flatMap(({ metadata }) => metadata.queueName ?? []),
  );
  return asked
    .filter((name) => !name.startsWith(prefix) || !known.has(name.slice(prefix.length)))
    .map((name) => `a scaler asks for the queue ${name}, and there is none`);
}

/** Every panel is of the chosen job: others in the same Prometheus have metrics of the same names. */
function panels() {
  const { panels: all } = JSON.parse(
    fs.readFileSync(path.join(ROOT, "services/deploy/dashboards/hourglass.json"), "utf8"),
  );
  return all.flatMap(({ title, targets = [] }) =>
    targets
      .filter(({ expr }) => /\b(hourglass|nodejs|process)_\w+(?!\w*\{namespace=~"\$namespace",job=~"\$job")/.test(expr))
      .map(() => `the panel "${title}" shows series of any job`),
  );
}

/** Dashboard, alerts and scaling query existing metrics. */
function queries() {
  const known = metrics();
  const text = JSON.stringify(ofKind("PrometheusRule", "ScaledObject"));
  const dashboard = fs.readFileSync(path.join(ROOT, "services/deploy/dashboards/hourglass.json"), "utf8");
  return metricsIn(text + dashboard)
    .filter((name) => !known.has(name))
    .map((name) => `${name} is asked for, and no process has it`);
}

/** Queries of scaling and alerts name queues of the contract. */
function labels() {
  const text = JSON.stringify(ofKind("PrometheusRule", "ScaledObject"));
  const known = new Set(queueNames());
  const names = [...text.matchAll(/[{,]queue=~?\\"([a-z.|]+)\\"/g)].flatMap(([, values]) => values.split("|"));
  return names.filter((name) => !known.has(name)).map((name) => `a query names the queue ${name}, and there is none`);
}

finish(`${path.basename(file)}: what ${objects.length} objects refer to`, [
  ...selectors(),
  ...scaling(),
  ...ports(),
  ...variables(),
  ...pods(),
  ...commands(),
  ...roles(),
  ...brokers(),
  ...queues(),
  ...panels(),
  ...queries(),
  ...labels(),
]);
