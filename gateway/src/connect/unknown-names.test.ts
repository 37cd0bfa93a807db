import type { CreateOperationRequest } from "@hourglass/proto/operation/v1/operation_service";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GatewayClient } from "../testing/gateway-under-test.js";

const OPERATIONS = "/hourglass.operation.v1.OperationService";
const INSIGHTS = "/hourglass.insight.v1.InsightService";
const EXPORTS = "/hourglass.export.v1.ExportService";

const api = new GatewayClient();
const created: CreateOperationRequest[] = [];

beforeAll(async () => {
  const createOperation = (request: CreateOperationRequest) => {
    created.push(request);
    return Promise.resolve({ id: 1n });
  };
  await api.start({
    operation: { createOperation, listOperations: () => Promise.resolve({}) },
    insight: { listPostings: () => Promise.resolve({}) },
  });
});
afterAll(() => api.stop());

interface Failure {
  code: string;
  details: { debug: { fieldViolations?: { field: string; description: string }[] } }[];
}

async function violationsOf(response: Response): Promise<Record<string, string>> {
  expect(response.status).toBe(400);
  const { code, details } = (await response.json()) as Failure;
  expect(code).toBe("invalid_argument");
  const violations = details.flatMap(({ debug }) => debug.fieldViolations ?? []);
  return Object.fromEntries(violations.map(({ field, description }) => [field, description]));
}

const text = { type: "OPERATION_TYPE_TEXT", contents: [{ text: "a fine day" }] };

it.each([
  ["ANALYSIS_TYPE_TOPICS", "ANALYSIS_TYPE_TOPIC"],
  ["sentiment-real", "ANALYSIS_TYPE_SENTIMENT_REAL"],
  ["analysis_type_caption", "ANALYSIS_TYPE_CAPTION"],
])("refuses %s in a list, and suggests %s", async (given, meant) => {
  const analyses = ["ANALYSIS_TYPE_SENTIMENT_SIMPLE", given];
  const violations = await violationsOf(await api.post(`${OPERATIONS}/CreateOperation`, { ...text, analyses }));
  expect(Object.keys(violations)).toEqual(["analyses[1]"]);
  expect(violations["analyses[1]"]).toMatch(
    new RegExp(`^Did you mean ${meant}\\? Give one of these: ANALYSIS_TYPE_SENTIMENT_SIMPLE, `),
  );
  expect(created).toEqual([]);
});

it("names every unknown name of a request, be its field in snake_case", async () => {
  const request = { limit: 5, filter: { platforms: ["PLATFORM_NEWS", "PLATFORM_MYSPACE", "reddit"] } };
  expect(Object.keys(await violationsOf(await api.post(`${INSIGHTS}/ListPostings`, request)))).toEqual([
    "filter.platforms[1]",
    "filter.platforms[2]",
  ]);
  const form = { id: "1", reading: { form: { csv_delimiter: "CSV_DELIMITER_PIPE" } }, format: "csv" };
  const stream = await api.post(`${EXPORTS}/ReadExport`, frame(form), { "content-type": "application/connect+json" });
  expect(await stream.text()).toMatch(/"code":"invalid_argument".*"format".*reading\.form\.csv_delimiter/s);
});

it("refuses an unknown name of a filter, which would list everything", async () => {
  const list = `${OPERATIONS}/ListOperations`;
  const violations = await violationsOf(await api.post(list, { status: "OPERATION_STATUS_FINISHED" }));
  expect(violations["status"]).toMatch(/^Give one of these: OPERATION_STATUS_READY, /);
  const query = new URLSearchParams({ encoding: "json", message: '{"status":"DONE"}' });
  expect(await violationsOf(await api.get(`${list}?${query.toString()}`))).toHaveProperty("status");
  expect((await api.post(list, { status: "OPERATION_STATUS_DONE" })).status).toBe(200);
});

it.each([
  [{ filter: { hashtag: ["a"] } }, "filter.hashtag", "Did you mean hashtags? There is no such field."],
  [{ filter: { country: ["DE"] } }, "filter.country", "Did you mean countries? There is no such field."],
  [{ hashtag: ["a"] }, "hashtag", "Give it as filter.hashtags: it belongs in filter."],
  [{ withTotals: true }, "withTotals", "Did you mean with_total? There is no such field."],
])("refuses a field that a request does not have, and says which one is meant: %j", async (request, field, message) => {
  const violations = await violationsOf(await api.post(`${INSIGHTS}/ListPostings`, { id: "1", ...request }));
  expect(violations).toEqual({ [field]: message });
});

it("refuses it by gRPC-web too", async () => {
  const headers = { "content-type": "application/grpc-web+json" };
  const analyses = ["ANALYSIS_TYPE_TOPICS"];
  const answer = await api.post(`${OPERATIONS}/CreateOperation`, frame({ ...text, analyses }), headers);
  expect(answer.headers.get("grpc-status") ?? (await answer.text())).toMatch(/(^|grpc-status: )3/);
});

it("takes names, numbers and null as the JSON mapping of protobuf says, and refuses unknown numbers", async () => {
  const call = (analyses: unknown) => api.post(`${OPERATIONS}/CreateOperation`, { ...text, analyses, offsets: null });
  expect((await call(["ANALYSIS_TYPE_TOPIC", 1])).status).toBe(200);
  expect(created.pop()?.analyses).toEqual([3, 1]);
  expect(await violationsOf(await call([99]))).toHaveProperty("analyses[0]");
});

/** The only message of a stream. */
function frame(message: unknown): string {
  const json = JSON.stringify(message);
  return String.fromCharCode(0, 0, 0, json.length >> 8, json.length & 255) + json;
}
