import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { describe, expect, it } from "vitest";
import type { Principal } from "./context.js";
import { Dispatcher } from "./dispatch.js";
import { createInProcessClient } from "./in-process.js";
import { route } from "./service.js";
import { good } from "../auth/testing/forgeries.js";
import { goodOfService } from "../auth/testing/service-forgeries.js";
import { unauthenticated } from "../auth/tokens.js";

const SOMEBODY: Principal = {
  userId: 1,
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

  it("for services refuses the token of a user", async () => {
    const { seen, claim } = subject();
    await expect(claim(good)).rejects.toMatchObject(REFUSED);
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
