import { EventEmitter, once } from "node:events";
import { describe, expect, it } from "vitest";
import { createLogger } from "../log.js";
import { Lifecycle, startRoles, type WorkerRole } from "./lifecycle.js";

const log = createLogger("silent");

describe("Lifecycle", () => {
  it("stops parts in the reverse of their start", async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(log);
    for (const name of ["store", "service", "gateway"]) lifecycle.add(name, () => void stopped.push(name));
    await lifecycle.stop(1000);
    expect(stopped).toEqual(["gateway", "service", "store"]);
  });

  it("stops the others when one fails", async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(log);
    lifecycle.add("store", () => void stopped.push("store"));
    lifecycle.add("broken", () => Promise.reject(new Error("stuck")));
    await lifecycle.stop(1000);
    expect(stopped).toEqual(["store"]);
  });

  it("stops once however often it is asked", async () => {
    let count = 0;
    const lifecycle = new Lifecycle(log);
    lifecycle.add("part", () => void count++);
    await Promise.all([lifecycle.stop(1000), lifecycle.stop(1000)]);
    expect(count).toBe(1);
  });

  it("stops entrances before all other parts, however early they were opened", async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(log);
    lifecycle.addEntrance("port", () => void stopped.push("port"));
    for (const name of ["store", "worker"]) lifecycle.add(name, () => void stopped.push(name));
    await lifecycle.stop(1000);
    expect(stopped).toEqual(["port", "worker", "store"]);
  });

  it("says at every port that it closes, and whether somebody used one", () => {
    const lifecycle = new Lifecycle(log);
    const told: string[] = [];
    const port = (name: string, isUsed: boolean) =>
      lifecycle.addEntrance(
        name,
        () => undefined,
        () => {
          told.push(name);
          return isUsed;
        },
      );
    port("idle", false);
    expect(lifecycle.leave()).toBe(false);
    port("busy", true);
    port("quiet", false);
    expect(lifecycle.leave()).toBe(true);
    expect(told).toEqual(["idle", "idle", "busy", "quiet"]);
    expect(lifecycle.signal.aborted).toBe(false);
  });

  it("stops work between the entrances and the parts, each with the whole of the time left", async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(log);
    const quick = new EventEmitter();
    lifecycle.addWork("slow", async (graceMs) => {
      await once(quick, "stopped");
      stopped.push(`slow ${graceMs > 500}`);
    });
    lifecycle.addWork("quick", (graceMs) => {
      stopped.push(`quick ${graceMs > 500}`);
      quick.emit("stopped");
    });
    lifecycle.addEntrance("port", () => void stopped.push("port"));
    lifecycle.add("store", () => void stopped.push("store"));
    await lifecycle.stop(1000);
    expect(stopped).toEqual(["port", "quick true", "slow true", "store"]);
  });

  it("keeps half of the grace period for work", async () => {
    const graces: number[] = [];
    const lifecycle = new Lifecycle(log);
    lifecycle.addEntrance("port", (graceMs) => void graces.push(graceMs));
    lifecycle.addWork("worker", () => undefined);
    await lifecycle.stop(1000);
    expect(graces[0]).toBeLessThanOrEqual(500);
  });

  it("tells by its signal that stopping has begun, before the first part is stopped", async () => {
    const lifecycle = new Lifecycle(log);
    const told: boolean[] = [lifecycle.signal.aborted];
    lifecycle.addEntrance("port", () => void told.push(lifecycle.signal.aborted));
    await lifecycle.stop(1000);
    expect(told).toEqual([false, true]);
  });

  it("gives all parts one grace period together", async () => {
    const graces: number[] = [];
    const lifecycle = new Lifecycle(log);
    lifecycle.add("last", (graceMs) => void graces.push(graceMs));
    lifecycle.add("first", (graceMs) => void graces.push(graceMs));
    await lifecycle.stop(500);
    expect(graces.every((grace) => grace <= 500)).toBe(true);
    expect(graces[1]).toBeLessThanOrEqual(graces[0] ?? 0);
  });
});

it("starts the roles that are wanted and no others, and the lifecycle stops them", async () => {
  const events: string[] = [];
  const roleOf = (role: string): WorkerRole<string> => ({
    role,
    start: (service) => {
      events.push(`${role} of ${service} starts`);
      return {
        stop: (graceMs) => {
          events.push(`${role} stops within ${graceMs > 0 ? "its grace" : "nothing"}`);
          return Promise.resolve();
        },
      };
    },
  });
  const lifecycle = new Lifecycle(createLogger("silent"));
  const roles = [roleOf("toys.make"), roleOf("toys.sweep")];
  startRoles(roles, "toys", { wanted: ["toys.sweep", "others.run"], lifecycle });
  await lifecycle.stop(1000);
  expect(events).toEqual(["toys.sweep of toys starts", "toys.sweep stops within its grace"]);
});
