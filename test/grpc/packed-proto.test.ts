import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { credentials, loadPackageDefinition, type ServiceClientConstructor } from "@grpc/grpc-js";
import { loadSync, type PackageDefinition } from "@grpc/proto-loader";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ROOT } from "../docs/pages.js";
import { install, type Installation } from "../support/packages.js";
import { EMAIL, PASSWORD, startServer, type TestServer } from "../support/server.js";

/** The package of the contract, and what its code for TypeScript needs. */
const PACKAGES = ["proto", "node_modules/@bufbuild/protobuf"];
const SERVICES = ["auth", "operation", "media", "insight", "export"];

let server: TestServer;
let installation: Installation;

beforeAll(async () => {
  [server, installation] = await Promise.all([startServer(), install(...PACKAGES)]);
});
afterAll(() => Promise.all([server.close(), installation.remove()]));

const packed = () => path.join(installation.folder, "node_modules/@hourglass/proto");

function load(service: string): PackageDefinition {
  const includeDirs = [packed(), path.join(packed(), "vendor")];
  return loadSync(`hourglass/${service}/v1/${service}_service.proto`, { includeDirs, longs: String, enums: String });
}

it.each(SERVICES)("has the files of the service %s, with all that they import", (service) => {
  const name = `${service.charAt(0).toUpperCase()}${service.slice(1)}Service`;
  expect(load(service)).toHaveProperty([`hourglass.${service}.v1.${name}`]);
});

it("can be called by what a loader makes of it", async () => {
  const loaded = loadPackageDefinition(load("auth")) as unknown as {
    hourglass: { auth: { v1: { AuthService: ServiceClientConstructor } } };
  };
  const client = new loaded.hourglass.auth.v1.AuthService(new URL(server.grpcUrl).host, credentials.createInsecure());
  const call = client["SignIn"]?.bind(client) as unknown as (
    request: object,
    done: (error: Error | null, answer: { user?: { email: string } }) => void,
  ) => void;
  const answer = await new Promise<{ user?: { email: string } }>((resolve, reject) =>
    call({ user: { email: EMAIL, password: PASSWORD } }, (error, received) =>
      error === null ? resolve(received) : reject(error),
    ),
  );
  client.close();
  expect(answer.user?.email).toBe(EMAIL);
});

it("has what TypeScript imports, a README and the license, and nothing of the repository besides", async () => {
  const source = `import { AuthService } from "@hourglass/proto/auth/v1/auth_service"; console.log(AuthService.typeName);`;
  expect((await installation.run(source)).trim()).toBe("hourglass.auth.v1.AuthService");
  const files = readdirSync(packed(), { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => !/\.(ts|js|proto|json|md)$/.test(file) && file.includes("."))).toEqual([]);
  expect(files).toContain("README.md");
  expect(readFileSync(path.join(packed(), "LICENSE"), "utf8")).toBe(readFileSync(path.join(ROOT, "LICENSE"), "utf8"));
  expect(files.some((file) => file.endsWith(".tsbuildinfo") || file.startsWith("gen"))).toBe(false);
});
