import { afterEach, expect, it, vi } from "vitest";
import { armFailpoints, failpoint } from "./failpoint.js";

afterEach(() => {
  armFailpoints("");
  vi.restoreAllMocks();
});

it("does nothing unless armed", () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  failpoint("operation.before_publish");
  expect(kill).not.toHaveBeenCalled();
});

it("kills at the passing that was named, not before", () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  vi.spyOn(Atomics, "wait").mockReturnValue("ok");
  armFailpoints("worker.mid=3,worker.before_done");
  failpoint("worker.mid");
  failpoint("worker.mid");
  expect(kill).not.toHaveBeenCalled();
  failpoint("worker.mid");
  expect(kill).toHaveBeenCalledWith(process.pid, "SIGKILL");
});
