import { UpstreamServer } from "@hourglass/demo";
import { createHttpClient } from "@hourglass/runtime";
import { afterEach, beforeEach, expect, it } from "vitest";
import { askJson, Moved } from "./ask-json.js";

let server: UpstreamServer;
beforeEach(async () => {
  server = await UpstreamServer.start(() => ({ body: { ok: true } }));
});
afterEach(() => server.close());

const ask = async (method: string) => {
  const http = createHttpClient({ trustedOrigins: [server.origin] });
  try {
    return await askJson(http, { url: `${server.origin}/token`, method, service: "The platform" });
  } finally {
    http.close();
  }
};

it.each(["GET", "POST"])("a %s that is redirected to a sign-in page says where to", async (method) => {
  server.failNext({ kind: "sign-in-page" });
  const error: unknown = await ask(method).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Moved);
  expect(error).toMatchObject({ kind: "auth", to: { pathname: "/sign-in" } });
});

it("an answer that is no redirect is given with its status", async () => {
  server.failNext({ kind: "status", status: 304 });
  expect(await ask("GET")).toMatchObject({ status: 304 });
  expect(await ask("POST")).toMatchObject({ status: 200, body: { ok: true } });
});
