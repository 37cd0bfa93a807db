import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer, type TestServer } from "../support/server.js";
import { type ApiDocument, Documented, type Media } from "./documented.js";

/** What client generators and readers take for true. */
describe("the examples of the OpenAPI document", () => {
  let server: TestServer;
  let document: ApiDocument;

  beforeAll(async () => {
    server = await startServer();
    document = (await server.send("GET", "/openapi.json")).body as ApiDocument;
  });
  afterAll(() => server.close());

  it("follow their schemas", () => {
    const documented = new Documented(document);
    const contents = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody, responses }]) =>
        [requestBody, ...Object.values(responses)].flatMap((part) =>
          Object.values(part?.content ?? {}).flatMap((media) =>
            examplesOf(media).map((example) => ({ of: `${method} ${path}`, example, schema: media.schema })),
          ),
        ),
      ),
    );
    expect(contents.length).toBeGreaterThan(10);
    const wrong = contents.flatMap(({ of, example, schema }) =>
      documented.differences(example, schema).map((difference) => `${of}: ${difference}`),
    );
    expect(wrong).toEqual([]);
  });

  it("show every answer that is a JSON object", () => {
    const without = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        ["200", "201"].flatMap((status) => {
          const media = responses[status]?.content?.["application/json"];
          return media === undefined || examplesOf(media).length > 0 ? [] : [`${method} ${path}`];
        }),
      ),
    );
    expect(without).toEqual(["get /openapi.json"]);
  });

  function examplesOf({ example, examples = {} }: Media): unknown[] {
    const named = Object.values(examples).map(({ value }) => value);
    return example === undefined ? named : [example, ...named];
  }
});
