import { create, toBinary } from "@bufbuild/protobuf";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import { VIOLATIONS_MAX } from "@hourglass/runtime";
import { afterEach, describe, expect, it } from "vitest";
import { AUTHORIZATION, GatewayClient } from "../testing/gateway-under-test.js";

const OPERATIONS = "/api/v2/products/api/operations";
const RPC = "/hourglass.operation.v1.OperationService/CreateOperation";
const FURTHER = `At least another ${VIOLATIONS_MAX} fields are wrong too, not all of which are listed: see the details.`;

describe("a request with a thousand wrong fields", () => {
  const client = new GatewayClient();
  afterEach(() => client.stop());

  async function refusal(path: string, type: string, body: string | Buffer): Promise<Record<string, unknown>> {
    await client.start();
    const headers = { authorization: AUTHORIZATION, "content-type": type };
    const response = await fetch(client.url + path, { method: "POST", headers, body });
    expect(response.status).toBe(400);
    return (await response.json()) as Record<string, unknown>;
  }

  it.each([
    ["of another type", 5],
    ["that break a rule", ""],
  ])("is answered with some of them by REST: %s", async (_, content) => {
    const body = { type: "text", analyses: ["topic"], contents: Array(1000).fill(content) };
    const { error, details } = await refusal(OPERATIONS, "application/json", JSON.stringify(body));
    expect(error).toContain(FURTHER);
    expect(details).toHaveLength(VIOLATIONS_MAX);
  });

  const contents = Array.from({ length: 1000 }, () => ({}));
  const request = { type: OperationType.TEXT, analyses: [AnalysisType.TOPIC], contents };

  it.each([
    ["application/json", JSON.stringify(request)],
    [
      "application/proto",
      Buffer.from(toBinary(CreateOperationRequestSchema, create(CreateOperationRequestSchema, request))),
    ],
  ])("is answered with some of them by Connect: %s", async (type, body) => {
    const { message } = await refusal(RPC, type, body);
    expect(message).toBe(`contents[0].value: give exactly one of these: text, file_id, url. ${FURTHER}`);
  });
});
