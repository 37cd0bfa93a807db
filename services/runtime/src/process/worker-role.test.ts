import { expect, it } from "vitest";
import { createLogger } from "../log/logger.js";
import { Lifecycle } from "./lifecycle.js";
import { startRoles, type WorkerRole } from "./worker-role.js";

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
