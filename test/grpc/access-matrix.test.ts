import { type DescMethod, type DescMethodStreaming, type DescMethodUnary, getOption } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { callers as callersOption, Callers } from "@hourglass/proto/options/v1/callers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorInfoSchema } from "@hourglass/proto/google/rpc/error_details";
import { makeCallers, type Caller, type Need } from "../rest/callers.js";
import { startServer, type TestServer } from "../support/server.js";
import { describedServices } from "./every-method.js";
import { PROTOCOLS, transportOf, type Protocol } from "./typed-clients.js";

const READS = /^(Validate|Get|List|Check|LookUp|Read|Summarize|Stream|Count|Explain|Preview|Create\w+Link$)/;
const SESSIONS = ["SignOut", "RenewToken", "ChangePassword"];
const FOR_ADMINS = /CompanyUser|AuditEvents/;
const KEYS_OF_COMPANY = /ApiKeys?$/;

const SCOPES: Readonly<Record<string, "operations" | "insights" | "exports">> = {
  "hourglass.operation.v1.OperationService": "operations",
  "hourglass.media.v1.MediaService": "operations",
  "hourglass.insight.v1.InsightService": "insights",
  "hourglass.export.v1.ExportService": "exports",
};

/** What a method asks of its caller; "open": nothing; "services": a token of a service. */
function needOf(method: DescMethod): Need | "open" | "services" {
  const allowed = getOption(method, callersOption);
  if (allowed === Callers.ANYONE) return "open";
  if (allowed === Callers.SERVICES) return "services";
  const reads = READS.test(method.name);
  const scope = SCOPES[method.parent.typeName];
  if (scope !== undefined) return { for: reads ? "readers" : "writers", scope };
  if (method.name === "GetUser") return { for: "anyone with a token" };
  if (SESSIONS.includes(method.name)) return { for: "sessions" };
  if (method.name === "GetCompanyUser") return { for: "users who read" };
  if (FOR_ADMINS.test(method.name)) return { for: "admins" };
  if (KEYS_OF_COMPANY.test(method.name)) return { for: "users who write" };
  return { for: reads ? "users who read" : "users who write" };
}

let server: TestServer;
let methods: DescMethod[];
let callers: readonly Caller[];

beforeAll(async () => {
  server = await startServer({ NEWS_FEEDS: "none", WORKER_ROLES: "operation.sweep" });
  const published = (await describedServices()).filter(({ name }) => name !== "AdminService");
  methods = published.flatMap((service) => service.methods).filter(({ name }) => name !== "IssueServiceToken");
  callers = await makeCallers(server);
});
afterAll(() => server.close());

/** The code of the failure of a call with an empty request, and its reason; undefined without one. */
async function failureOf(
  transport: Transport,
  method: DescMethod,
): Promise<{ code: Code; reason: string } | undefined> {
  const isClientStream = method.methodKind === "client_streaming";
  try {
    if (method.methodKind === "unary") {
      await transport.unary(method as DescMethodUnary, undefined, 20_000, undefined, {});
    } else {
      const requests = isClientStream ? none() : one();
      const { message } = await transport.stream(method as DescMethodStreaming, undefined, 20_000, undefined, requests);
      for await (const _ of message) continue;
    }
    return undefined;
  } catch (error) {
    const failure = ConnectError.from(error);
    return { code: failure.code, reason: failure.findDetails(ErrorInfoSchema)[0]?.reason.toLowerCase() ?? "" };
  }
}

async function* none(): AsyncIterable<Record<string, unknown>> {
  // A stream without a message.
}

async function* one(): AsyncIterable<Record<string, unknown>> {
  yield await Promise.resolve({});
}

const REFUSALS: readonly (Code | undefined)[] = [Code.Unauthenticated, Code.PermissionDenied];

async function mistakes(protocol: Protocol, method: DescMethod): Promise<string[]> {
  const need = needOf(method);
  const found: string[] = [];
  for (const caller of callers) {
    const expected = need === "open" ? undefined : need === "services" ? ofServices(caller) : caller.refusal(need);
    const bearer = await caller.authorize(typeof need === "string" ? { for: "sessions" } : need);
    const { code, reason = "" } = (await failureOf(transportOf(protocol, server, bearer), method)) ?? {};
    const isRight =
      expected === undefined
        ? !REFUSALS.includes(code)
        : code === (expected === "unauthenticated" ? Code.Unauthenticated : Code.PermissionDenied) &&
          reason === expected;
    if (!isRight) found.push(`${caller.name}: ${method.name}: ${code} ${reason}, not ${expected}`);
  }
  return found;
}

/** Who is known is told that only services may; all others, that they are not known. */
function ofServices(caller: Caller): string {
  return caller.refusal({ for: "anyone with a token" }) ?? "services_only";
}

describe.each(PROTOCOLS.filter((protocol) => ["gRPC", "Connect in JSON"].includes(protocol)))("by %s", (protocol) => {
  it("roles and scopes decide on every method for every kind of caller", async () => {
    expect(methods.length).toBeGreaterThan(30);
    const wrong: string[] = [];
    for (const method of methods) wrong.push(...(await mistakes(protocol, method)));
    expect(wrong).toEqual([]);
  });
});
