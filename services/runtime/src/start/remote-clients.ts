import type { DescService } from "@bufbuild/protobuf";
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
