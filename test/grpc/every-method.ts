import { readdir } from "node:fs/promises";
import path from "node:path";
import type { DescService } from "@bufbuild/protobuf";
import { frame, RawClient } from "./raw-call.js";

const PROTO = path.resolve(import.meta.dirname, "../../proto/hourglass");
const SERVICE_FILE = /^(.+_service)\.proto$/;

/** Every service described in proto/hourglass. */
export async function describedServices(): Promise<DescService[]> {
  const files = await readdir(PROTO, { recursive: true });
  const names = files.flatMap((file) => SERVICE_FILE.exec(file.replaceAll(path.sep, "/"))?.[1] ?? []);
  const modules = await Promise.all(names.map((name) => import(`@hourglass/proto/${name}`) as Promise<object>));
  return modules.flatMap((module) => Object.values(module).filter(isService));
}

function isService(value: unknown): value is DescService {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "service";
}

/** The gRPC status of every method of the services at a port, each called with an empty message and no token. */
export async function statusesWithoutToken(
  port: number,
  services: readonly DescService[],
): Promise<Map<string, number>> {
  const raw = new RawClient(port);
  const paths = services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `/${typeName}/${name}`));
  const statuses = new Map<string, number>();
  for (const path of paths) statuses.set(path, (await raw.call(path, [frame(Buffer.alloc(0))])).status);
  raw.close();
  return statuses;
}
