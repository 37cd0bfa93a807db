import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { expect, it } from "vitest";
import { AppError, type FieldViolation } from "../errors/app-error.js";
import type { Principal } from "./context.js";
import { Dispatcher } from "./dispatch.js";
import { createInProcessClient } from "./in-process.js";
import { route } from "./service.js";

const ANYBODY: Principal = {
  userId: 1,
  companyId: 1,
  companyName: "Acme",
  email: "a@acme.example",
  firstName: "",
  lastName: "",
  products: [],
};

/** The reported fields when a service's own rule returns `found` for a request that also breaks its proto rules. */
async function fieldsNamed(found: FieldViolation[]): Promise<string[]> {
  const dispatcher = new Dispatcher({ authenticate: () => Promise.resolve(ANYBODY), reportFailure: () => undefined });
  const operations = route(OperationService, {}, { rules: { createOperation: () => found } });
  const client = createInProcessClient(OperationService, operations, dispatcher);
  const request = {
    type: OperationType.TEXT,
    analyses: [AnalysisType.TOPIC],
    contents: [{ value: { case: "text" as const, value: "" } }],
    contentsGroups: ["x"],
  };
  const error: unknown = await client.createOperation(request, { token: "t" }).catch((reason: unknown) => reason);
  if (!(error instanceof AppError)) throw error;
  return error.violations.map(({ field }) => field);
}

it("names what a service's own rule finds beside what the proto file says, entries apart from their list", async () => {
  expect(await fieldsNamed([{ field: "contents", message: "must hold fewer" }])).toEqual([
    "contents[0].text",
    "contents_groups[0]",
    "contents",
  ]);
});

it("tells calls that ask to wait for the end of a job apart", async () => {
  const waited: boolean[] = [];
  const dispatcher = new Dispatcher({
    authenticate: () => Promise.resolve(ANYBODY),
    reportFailure: () => undefined,
    observeCall: (call) => waited.push(call.waited),
  });
  const operations = route(OperationService, { getOperation: () => Promise.resolve({}) });
  const client = createInProcessClient(OperationService, operations, dispatcher);
  for (const wait of [0, 5]) await client.getOperation({ id: 1n, wait }, { token: "t" });
  await client.getOperation({ id: 0n, wait: 5 }, { token: "t" }).catch(() => undefined);
  expect(waited).toEqual([false, true, false]);
});

it("notes that the calls of users come, and not those of services", async () => {
  const noted: string[] = [];
  let method = "";
  const dispatcher = new Dispatcher({
    authenticate: () => Promise.resolve(ANYBODY),
    authenticateService: () => Promise.resolve({ service: "operation", companyId: 1 }),
    reportFailure: () => undefined,
    share: { noteRequest: () => noted.push(method) },
  });
  const operations = route(OperationService, { getOperation: () => Promise.resolve({}) });
  const media = route(MediaService, { claimFiles: () => Promise.resolve({}) });
  method = "claimFiles";
  await createInProcessClient(MediaService, media, dispatcher).claimFiles(
    { operationId: 1n, fileIds: [1n] },
    { token: "t" },
  );
  method = "getOperation";
  await createInProcessClient(OperationService, operations, dispatcher).getOperation({ id: 1n }, { token: "t" });
  expect(noted).toEqual(["getOperation"]);
});

it("says of one entry once that it is wrong", async () => {
  expect(await fieldsNamed([{ field: "contents[0]", message: "must be something else" }])).toEqual([
    "contents[0].text",
    "contents_groups[0]",
  ]);
});
