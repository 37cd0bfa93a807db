import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import { afterEach, beforeEach, expect, it } from "vitest";
import { describedServices, statusesWithoutToken } from "./every-method.js";
import { startReplica, type Replica } from "./replicas.js";

const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;
const OPEN = [
  ...["IssueServiceToken", "ListKeys", "SignIn"].map((name) => `/hourglass.auth.v1.AuthService/${name}`),
  "/hourglass.export.v1.ExportService/ReadLinkedExport",
  "/hourglass.media.v1.MediaService/ReadLinkedFile",
];

let replica: Replica;

beforeEach(async () => {
  replica = await startReplica();
});
afterEach(() => replica.server.stop(0));

it("nobody without a token gets further than credentials, the public keys and signed links, whatever the method", async () => {
  const served = (await describedServices()).filter(({ typeName }) => typeName !== AdminService.typeName);
  const statuses = [...(await statusesWithoutToken(replica.port, served))];
  const admitted = statuses.flatMap(([path, status]) => (status === UNAUTHENTICATED ? [] : [path]));
  expect(admitted.sort()).toEqual(OPEN);
  expect(statuses.filter(([, status]) => status === UNIMPLEMENTED)).toEqual([]);
});

it("nobody reaches the administration over a port", async () => {
  const statuses = await statusesWithoutToken(replica.port, [AdminService]);
  expect(new Set(statuses.values())).toEqual(new Set([UNIMPLEMENTED]));
});
