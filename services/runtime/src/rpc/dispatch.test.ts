import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { describe, expect, it } from "vitest";
import { good } from "../auth/testing/forgeries.js";
import { goodOfService } from "../auth/testing/service-forgeries.js";
import { unauthenticated } from "../auth/tokens.js";
import { AppError, type FieldViolation } from "../errors/app-error.js";
import { createInProcessClient, Dispatcher } from "./dispatch.js";
import { type Principal, route } from "./service.js";

const ANYBODY: Principal = {
  userId: 1,
  role: "admin",
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
    { token: goodOfService },
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

const SOMEBODY: Principal = {
  userId: 1,
  role: "admin",
  companyId: 2,
  companyName: "Acme",
  email: "a@acme.example",
  firstName: "",
  lastName: "",
  products: [{ uid: "api", active: true }],
};

/** A method for services, one for both and one for users, with a dispatcher that accepts one token of each kind. */
function subject({ takesServices = true, products = SOMEBODY.products } = {}) {
  const seen: unknown[] = [];
  const media = route(
    MediaService,
    {
      claimFiles: (_, { principal, service }) => {
        seen.push(service, principal);
        return Promise.resolve({});
      },
      async *readFile(_, { principal }) {
        await Promise.resolve();
        seen.push(principal);
        yield { chunk: new Uint8Array() };
      },
      uploadFile: (_, { principal }) => {
        seen.push(principal);
        return Promise.resolve({ id: 1n });
      },
    },
    { product: "api" },
  );
  const dispatcher = new Dispatcher({
    authenticate: (token) =>
      token === good ? Promise.resolve({ ...SOMEBODY, products }) : Promise.reject(unauthenticated()),
    ...(takesServices && {
      authenticateService: (token) =>
        token === goodOfService
          ? Promise.resolve({ service: "operation", companyId: 3 })
          : Promise.reject(unauthenticated()),
    }),
    reportFailure: () => undefined,
  });
  const client = createInProcessClient(MediaService, media, dispatcher);
  const claim = (token: string) => client.claimFiles({ operationId: 1n, fileIds: [1n] }, { token });
  const read = async (token: string) => {
    for await (const { chunk } of client.readFile({ fileId: 1n }, { token })) expect(chunk).toHaveLength(0);
  };
  const upload = (token: string) => client.uploadFile(nothing(), { token });
  return { seen, claim, read, upload };
}

async function* nothing() {
  await Promise.resolve();
  yield* [];
}

const REFUSED = { kind: "unauthenticated" };

describe("a method", () => {
  it("for services takes the token of a service, and learns which it is and for which company", async () => {
    const { seen, claim } = subject();
    await claim(goodOfService);
    expect(seen).toEqual(["operation", { service: "operation", companyId: 3 }]);
  });

  it("for services tells a user that only services may, and a stranger that nobody knows them", async () => {
    const { seen, claim } = subject();
    await expect(claim(good)).rejects.toMatchObject({ kind: "forbidden", code: "services_only" });
    await expect(claim("neither")).rejects.toMatchObject(REFUSED);
    expect(seen).toEqual([]);
  });

  it("for services refuses everybody in a process that cannot check tokens of services", async () => {
    const { claim } = subject({ takesServices: false });
    await expect(claim(goodOfService)).rejects.toMatchObject(REFUSED);
  });

  it("without the option refuses the token of a service", async () => {
    const { seen, upload } = subject();
    await expect(upload(goodOfService)).rejects.toMatchObject(REFUSED);
    await upload(good);
    expect(seen).toEqual([SOMEBODY]);
  });

  it("for both takes either, and no other", async () => {
    const { seen, read } = subject();
    await read(good);
    await read(goodOfService);
    expect(seen).toEqual([SOMEBODY, { service: "operation", companyId: 3 }]);
    await expect(read("neither")).rejects.toMatchObject(REFUSED);
  });

  it("for services is open to them whatever products the company has: they finish what users began", async () => {
    const { claim, upload } = subject({ products: [] });
    await expect(upload(good)).rejects.toMatchObject({ kind: "forbidden" });
    await claim(goodOfService);
  });
});
