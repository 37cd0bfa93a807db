import { create, type DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { BadRequestSchema, ErrorInfoSchema } from "@hourglass/proto/google/rpc/error_details";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { AnalysisType, OffsetUnit, OperationStatus, OperationType } from "@hourglass/proto/operation/v1/operation";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { png } from "../support/png.js";
import { EMAIL, PASSWORD, startServer, TEST_SETTINGS, TRANSPORTS, type TestServer } from "../support/server.js";
import { describedServices } from "./every-method.js";
import { PROTOCOLS, typedClient } from "./typed-clients.js";

const OPEN = ["SignIn", "ListKeys", "ReadLinkedFile", "ReadLinkedExport"];
const NOT_PUBLISHED = ["IssueServiceToken"];
const SERVICES_ONLY = ["ClaimFiles", "ReleaseFiles", "DeleteFiles"];
const TEXTS = { type: OperationType.TEXT, analyses: [AnalysisType.SENTIMENT_SIMPLE] };

// The same promise for every protocol, and for services in the gateway's process or behind ports.
describe.each(TRANSPORTS)("with services %s", (transport) => {
  let server: TestServer;
  /** A server whose operations wait forever. */
  let idle: TestServer;
  let authorization: string;

  beforeAll(async () => {
    server = await startServer({}, transport);
    idle = await startServer({ WORKER_ROLES: "operation.sweep" }, transport);
    authorization = await server.signIn();
  });
  afterAll(async () => {
    await server.close();
    await idle.close();
  });

  describe.each(PROTOCOLS)("a typed client by %s", (protocol) => {
    const operations = (bearer = authorization) => typedClient({ service: OperationService, protocol }, server, bearer);
    const media = (bearer = authorization) => typedClient({ service: MediaService, protocol }, server, bearer);
    const auth = (bearer = "") => typedClient({ service: AuthService, protocol }, server, bearer);

    it("signs in and learns who the token belongs to", async () => {
      const { token } = await auth().signIn({ user: { email: EMAIL, password: PASSWORD } });
      const { user } = await auth(`Bearer ${token}`).getUser({});
      expect(user?.email).toBe(EMAIL);
      expect((await auth().listKeys({})).keys).toHaveLength(1);
    });

    it("creates an operation, waits for it, and reads it in a list", async () => {
      const { id } = await operations().createOperation({
        ...TEXTS,
        contents: [{ value: { case: "text", value: "I love the new museum in Lisbon!" } }],
      });
      const { operation } = await operations().getOperation({ id, wait: 60 });
      expect(operation).toMatchObject({ id, status: OperationStatus.DONE });
      expect(operation?.data?.contents).toHaveLength(1);
      const { operations: listed } = await operations().listOperations({ limit: 1 });
      expect(listed[0]?.id).toBe(id);
    });

    it("gets offsets in the unit it names, and an unknown unit is refused", async () => {
      const text = "\u{1f600} I love Lisbon";
      const request = {
        ...TEXTS,
        analyses: [AnalysisType.TOPIC],
        contents: [{ value: { case: "text" as const, value: text } }],
        explain: true,
      };
      const { id } = await operations().createOperation({ ...request, offsets: OffsetUnit.UTF16 });
      const { operation } = await operations().getOperation({ id, wait: 60 });
      expect(operation?.query).toMatchObject({ explain: true, offsets: OffsetUnit.UTF16 });
      const start = text.indexOf("Lisbon");
      const lisbon = { value: "Lisbon", offsets: [{ start, end: start + 6 }] };
      expect(operation?.data?.contents[0]?.analyses[0]?.data.value).toMatchObject({ topics: [lisbon] });
      const error = await failureOf(operations().createOperation({ ...request, offsets: 99 as never }));
      const [details] = error.findDetails(BadRequestSchema);
      expect(details?.fieldViolations.map(({ field }) => field)).toEqual(["offsets"]);
    });

    it("learns of every wrong field, with the sentences and details of gRPC", async () => {
      const error = await failureOf(operations().getOperation({ id: 0n, wait: 61 }));
      expect(error).toMatchObject({ code: Code.InvalidArgument });
      expect(error.rawMessage).toBe(
        "id: give an id: a positive whole number below 2^53. Another field is wrong too: see the details.",
      );
      expect(error.findDetails(ErrorInfoSchema)[0]).toMatchObject({ reason: "INVALID_REQUEST", domain: "hourglass" });
      const [details] = error.findDetails(BadRequestSchema);
      expect(details?.fieldViolations.map(({ field }) => field)).toEqual(["id", "wait"]);
    });

    it("is refused at every method without a token, with a bad one, and with that of a user where one of a service is needed", async () => {
      for (const service of (await describedServices()).filter(({ name }) => name !== "AdminService")) {
        for (const method of service.methods.filter(({ name }) => ![...OPEN, ...NOT_PUBLISHED].includes(name))) {
          const outcome = (bearer: string) => codeOf(call(method, typedClient({ service, protocol }, server, bearer)));
          expect([method.name, await outcome("")]).toEqual([method.name, Code.Unauthenticated]);
          expect([method.name, await outcome("Bearer forged")]).toEqual([method.name, Code.Unauthenticated]);
        }
      }
      for (const method of MediaService.methods.filter(({ name }) => SERVICES_ONLY.includes(name))) {
        expect([method.name, await codeOf(call(method, media()))]).toEqual([method.name, Code.PermissionDenied]);
      }
    });

    it("gets no token of a service, though it knows the secret", async () => {
      const request = { service: "operation", companyId: 1n, secret: TEST_SETTINGS.SERVICE_SECRET };
      for (const bearer of ["", authorization]) {
        const error = await failureOf(auth(bearer).issueServiceToken(request));
        expect(error.code).toBe(Code.Unimplemented);
      }
    });

    it("does not reach the administration", async () => {
      const [admin] = (await describedServices()).filter(({ name }) => name === "AdminService");
      if (admin === undefined) throw new Error("there is no AdminService");
      for (const method of admin.methods) {
        const code = await codeOf(call(method, typedClient({ service: admin, protocol }, server, authorization)));
        expect([method.name, code]).toEqual([method.name, Code.Unimplemented]);
      }
    });

    it("ends a call with its deadline", async () => {
      const waiting = typedClient({ service: OperationService, protocol }, idle, await idle.signIn());
      const contents = [{ value: { case: "text" as const, value: "Nobody analyses this." } }];
      const { id } = await waiting.createOperation({ ...TEXTS, contents });
      const error = await failureOf(waiting.getOperation({ id, wait: 60 }, { timeoutMs: 300 }));
      expect(error.code).toBe(Code.DeadlineExceeded);
    });

    it("uploads a file in a stream and reads it back in a stream", async () => {
      const bytes = png({ ballast: 300_000 });
      const { id } = await media().uploadFile(uploadOf("picture.png", bytes));
      const read: Uint8Array[] = [];
      for await (const { chunk } of media().readFile({ fileId: id })) read.push(chunk);
      expect(Buffer.concat(read).equals(bytes)).toBe(true);
    });

    it("learns in a stream what is wrong, after the token and before the first message", async () => {
      const read = async (bearer: string, fileId: bigint) => {
        for await (const message of media(bearer).readFile({ fileId })) void message;
      };
      expect((await failureOf(read(authorization, 0n))).code).toBe(Code.InvalidArgument);
      expect((await failureOf(read(authorization, 999_999n))).code).toBe(Code.NotFound);
      expect((await failureOf(read("", 0n))).code).toBe(Code.Unauthenticated);
      const refused = await failureOf(media().uploadFile(uploadOf("n".repeat(300), Buffer.from("x"))));
      expect(refused.findDetails(BadRequestSchema)[0]?.fieldViolations[0]?.field).toBe("metadata.name");
    });
  });
});

async function failureOf(work: Promise<unknown>): Promise<ConnectError> {
  return work.then(
    () => {
      throw new Error("the call did not fail");
    },
    (error: unknown) => ConnectError.from(error),
  );
}

async function codeOf(work: Promise<unknown>): Promise<Code | "ok"> {
  return work.then(
    () => "ok" as const,
    (error: unknown) => ConnectError.from(error).code,
  );
}

/** Calls a method with an empty message, and reads the response to its end. */
async function call(method: DescMethod, client: object): Promise<void> {
  const target = (client as Record<string, (request: unknown) => unknown>)[method.localName];
  if (target === undefined) throw new Error(`there is no ${method.name}`);
  const message = create(method.input);
  if (method.methodKind === "client_streaming") await target(only(message));
  else if (method.methodKind === "unary") await target(message);
  else for await (const answer of target(message) as AsyncIterable<unknown>) void answer;
}

async function* only<T>(message: T): AsyncGenerator<T> {
  yield await Promise.resolve(message);
}

async function* uploadOf(name: string, bytes: Buffer) {
  yield { part: { case: "metadata" as const, value: { name, marksLast: true } } };
  for (let at = 0; at < bytes.length; at += 65_536) {
    yield await Promise.resolve({ part: { case: "chunk" as const, value: bytes.subarray(at, at + 65_536) } });
  }
  yield { part: { case: "chunk" as const, value: new Uint8Array() }, last: true };
}
