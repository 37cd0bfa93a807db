import { AppError } from "@hourglass/runtime";
import { afterEach, expect, it } from "vitest";
import { GatewayClient } from "./testing/gateway-under-test.js";

const gateway = new GatewayClient();
const OPERATIONS = "/api/v2/products/api/operations";

afterEach(() => gateway.stop());

it("tells of the requests that it refuses because of too much to do, by the code of the answer", async () => {
  const shed: string[] = [];
  const config = { bodyBytesMax: 20_971_520, rateLimitPerMinute: 1 };
  await gateway.start({}, { config, onShed: (code) => shed.push(code) });
  await gateway.get(OPERATIONS);
  const refused = await gateway.get(OPERATIONS);
  const { code } = (await refused.json()) as { code: string };
  expect(refused.status).toBe(429);
  expect(shed).toEqual([code]);
});

it("leaves what a service refuses to the metrics of the service", async () => {
  const shed: string[] = [];
  const listOperations = () => Promise.reject(new AppError("too-many", "Too many.", { retryAfterMs: 1000 }));
  await gateway.start({ operation: { listOperations } }, { onShed: (code) => shed.push(code) });
  expect((await gateway.get(OPERATIONS)).status).toBe(429);
  expect(shed).toEqual([]);
});
