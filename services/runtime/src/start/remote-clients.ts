import type { DescService } from "@bufbuild/protobuf";
import type { ServiceTokens } from "../auth/service-tokens.js";
import type { ProcessConfig } from "../config/process-config.js";
import { createGrpcClient } from "../rpc/grpc.js";
import type { Client } from "../rpc/service.js";
import type { Foundation } from "./run-process.js";

/** Creates a client of another part's service, at its configured addresses; that part need not be running yet. */
export type RemoteClients = <S extends DescService>(
  service: S,
  part: keyof ProcessConfig["addresses"],
) => Promise<Client<S>>;

/** Creates clients that the lifecycle closes. */
export function remoteClients({ config, lifecycle }: Pick<Foundation, "config" | "lifecycle">): RemoteClients {
  return async (service, part) => {
    const { tls } = config;
    const options = tls === undefined ? {} : { tls };
    const { client, close } = await createGrpcClient(service, config.addresses[part], options);
    lifecycle.add(`client of ${service.typeName}`, () => {
      close();
    });
    return client;
  };
}

/** A service of another part, and the tokens for calling it on this process's own behalf. */
export async function connectService<S extends DescService>(
  { client, serviceTokens }: { client: RemoteClients; serviceTokens: () => Promise<ServiceTokens> },
  service: S,
  part: keyof ProcessConfig["addresses"],
): Promise<{ client: Client<S>; serviceTokens: ServiceTokens }> {
  return { client: await client(service, part), serviceTokens: await serviceTokens() };
}
