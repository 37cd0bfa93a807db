import { readFileSync } from "node:fs";
import { createLogger, openRabbitQueue } from "@hourglass/runtime";
import { expect, it, vi } from "vitest";
import { RabbitNode } from "../control/rabbitmq.js";

const FILE = new URL("../../../services/deploy/compose/rabbitmq.conf", import.meta.url);
/** The node of the test has its own limit for the disk. */
const SETTINGS = readFileSync(FILE, "utf8")
  .split("\n")
  .filter((line) => line.includes("=") && !line.startsWith("#") && !line.startsWith("disk_free_limit"));

it("the broker of compose gives the product what it needs, and no administration", async () => {
  const node = await RabbitNode.start([...SETTINGS, "default_user = hourglass", "default_pass = secret"]);
  const url = `amqp://hourglass:secret@127.0.0.1:${node.port}`;
  const queue = await openRabbitQueue({ url, prefix: "hourglass", log: createLogger("silent") });
  try {
    await vi.waitFor(() => queue.ping(), { timeout: 30_000, interval: 100 });
    const body = await new Promise<string>((resolve, reject) => {
      const handle = (message: { body: Uint8Array }) => {
        resolve(Buffer.from(message.body).toString());
        return Promise.resolve({ kind: "done" as const });
      };
      queue
        .consume("operation.run", { prefetch: 1 }, handle)
        .then(() => queue.publish("operation.run", Buffer.from("7")))
        .catch(reject);
    });
    expect(body).toBe("7");
    expect((await node.ctl("list_users")).trim()).toMatch(/hourglass\s+\[\]$/);
    expect(await node.ctl("environment")).toMatch(/vm_memory_high_watermark,\s*\{absolute,"600MiB"\}/);
    await expect(node.ctl("list_permissions")).resolves.toContain("^hourglass\\.");
  } finally {
    await queue.close();
    await node.remove();
  }
});
