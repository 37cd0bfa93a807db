import type { DescService } from "@bufbuild/protobuf";
import {
  createGrpcClient,
  createGrpcServer,
  createInProcessClient,
  createLogger,
  type Client,
} from "@hourglass/runtime";
import type { FakeServices } from "./fake-services.js";

/** Fake services behind one of the two transports. */
export interface Connected {
  client: <S extends DescService>(service: S) => Promise<Client<S>>;
  close: () => Promise<void>;
}

export type Connect = (fake: FakeServices) => Promise<Connected>;

export function connectInProcess(fake: FakeServices): Promise<Connected> {
  return Promise.resolve({
    client: (service) => {
      const found = fake.routes.find((route) => route.service.typeName === service.typeName);
      if (found === undefined) throw new Error(`${service.typeName} is not among the fakes`);
      return Promise.resolve(createInProcessClient(service, found, fake.dispatcher));
    },
    close: () => Promise.resolve(),
  });
}

export async function connectOverPort(fake: FakeServices): Promise<Connected & { port: number }> {
  const { routes, dispatcher } = fake;
  const server = await createGrpcServer({ routes, dispatcher, log: createLogger("silent") });
  const port = await server.listen({ port: 0 });
  const closers: (() => void)[] = [];
  return {
    port,
    client: async (service) => {
      const { client, close } = await createGrpcClient(service, `127.0.0.1:${port}`, { channels: 1 });
      closers.push(close);
      return client;
    },
    close: async () => {
      for (const close of closers) close();
      await server.stop(1000);
    },
  };
}

/** Waits until a condition is true; fails with the test's own time limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
