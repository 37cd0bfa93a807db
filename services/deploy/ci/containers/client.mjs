// A client of the product, and what it must answer.
import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ROOT } from "../objects.mjs";

const OPERATIONS = "/api/v2/products/api/operations";
const PHOTO = path.join(ROOT, "node_modules/@vladmandic/face-api/demo/sample1.jpg");

/** Signs in as the first user; returns the value of the Authorization header. */
export async function signIn(url) {
  const user = { email: process.env.BOOTSTRAP_EMAIL ?? "admin@example.com", password: process.env.BOOTSTRAP_PASSWORD };
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/v1/users/sign_in`, {
    method: "POST",
    headers,
    body: JSON.stringify({ user }),
  });
  const authorization = response.headers.get("authorization");
  if (authorization === null) throw new Error(`sign-in was answered ${response.status}: ${await response.text()}`);
  return authorization;
}

/** A part that has just started may be asked before its neighbors can be found: clients repeat what is answered 503. */
const UNAVAILABLE = 503;
const REPEATS_MAX = 10;

async function call(url, authorization, { body, json }, repeats = 0) {
  const headers = { authorization, ...(json === undefined ? {} : { "content-type": "application/json" }) };
  const sent = body ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(url, { method: sent === undefined ? "GET" : "POST", headers, body: sent });
  const text = await response.text();
  if (response.status === UNAVAILABLE && repeats < REPEATS_MAX) {
    await delay(1000);
    return call(url, authorization, { body, json }, repeats + 1);
  }
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** The results of an operation, by analysis, once it is done. */
async function analyze(url, authorization, operation) {
  const { id } = await call(`${url}${OPERATIONS}`, authorization, { json: operation });
  for (const end = Date.now() + 120_000; Date.now() < end;) {
    const answer = await call(`${url}${OPERATIONS}/${id}?wait=30`, authorization, {});
    if (["failed", "invalid"].includes(answer.status)) throw new Error(`operation ${id}: ${JSON.stringify(answer)}`);
    if (answer.status !== "done") continue;
    const { analyses } = answer.data.contents[0];
    return Object.fromEntries(analyses.map(({ type, data }) => [type, data]));
  }
  throw new Error(`operation ${id} is not done after two minutes`);
}

/** Failures of what a text is answered. */
export async function textFailures(url, authorization) {
  const contents = ["I love the new museum in Lisbon!"];
  const found = await analyze(url, authorization, { type: "text", analyses: ["sentiment-simple", "topic"], contents });
  const topics = found.topic?.map(({ value }) => value) ?? [];
  return [
    ...(found["sentiment-simple"]?.value === "positive" ? [] : [`the text is not positive: ${JSON.stringify(found)}`]),
    ...(topics.includes("Lisbon") ? [] : [`Lisbon is no topic of it: ${topics.join()}`]),
  ];
}

/** Failures of what a photo of people is answered. */
export async function photoFailures(url, authorization) {
  const body = new FormData();
  body.set("file", new Blob([fs.readFileSync(PHOTO)]), "photo.jpg");
  const { id } = await call(`${url}${OPERATIONS}/upload`, authorization, { body });
  const found = await analyze(url, authorization, { type: "file", analyses: ["object-id", "face-id"], contents: [id] });
  const objects = found["object-id"]?.map(({ value }) => value) ?? [];
  return [
    ...(objects.includes("person") ? [] : [`the photo shows nobody: ${JSON.stringify(found["object-id"])}`]),
    ...(found["face-id"]?.length > 0 ? [] : [`it has no face: ${JSON.stringify(found["face-id"])}`]),
  ];
}
