import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { describe, expect, it } from "vitest";
import { AppError, type ErrorKind } from "../errors/app-error.js";
import { createInProcessClient, Dispatcher } from "../rpc/dispatch.js";
import { type Handlers, type Principal, route } from "../rpc/service.js";
import { type Act, type AuditTrail, changesBetween } from "./audit-trail.js";

const CALLER: Principal = {
  userId: 4,
  role: "member",
  key: { id: 9, name: "k", scopes: ["exports"], readOnly: false },
  companyId: 3,
  companyName: "Acme",
  email: "a@example.com",
  firstName: "",
  lastName: "",
  products: [],
};
const AS = { token: "t", requestId: "r-1", clientAddress: "192.0.2.7" };
const BY = { userId: 4, keyId: 9, name: "a@example.com" };
const FROM = { email: "a@example.com", requestId: "r-1", clientAddress: "192.0.2.7" };

/** A trail that notes its calls, in order, and fails where it should. */
class NotedTrail implements Pick<AuditTrail, "begin"> {
  readonly notes: unknown[] = [];
  failing: "begin" | "done" | undefined;

  begin(act: Act) {
    if (this.failing === "begin") return Promise.reject(new AppError("unavailable", "The store is away."));
    this.notes.push(act);
    return Promise.resolve({
      describe: (details: unknown) => {
        this.notes.push(details);
        return Promise.resolve();
      },
      done: (recordId?: number) => {
        if (this.failing === "done") return Promise.reject(new AppError("unavailable", "The store is away."));
        this.notes.push(`done ${recordId}`);
        return Promise.resolve();
      },
      drop: () => {
        this.notes.push("dropped");
        return Promise.resolve();
      },
    });
  }
}

function subject(handlers: Handlers<typeof ExportService>) {
  const audit = new NotedTrail();
  const dispatcher = new Dispatcher({
    authenticate: () => Promise.resolve(CALLER),
    audit,
    reportFailure: () => undefined,
  });
  return {
    audit,
    exports: createInProcessClient(ExportService, route(ExportService, handlers), dispatcher),
    dispatcher,
  };
}

const NEW_EXPORT = { insightSearchIds: [1n], startDate: "2026-01-01", endDate: "2026-01-02" };

describe("an act that is recorded", () => {
  it("is so before it is done, with the record that it is about or makes", async () => {
    const { audit, exports } = subject({
      createExport: () => {
        audit.notes.push("creating");
        return Promise.resolve({ id: 6n });
      },
      deleteExport: () => Promise.resolve({}),
    });
    await exports.createExport(NEW_EXPORT, AS);
    await exports.deleteExport({ id: 6n }, AS);
    expect(audit.notes).toEqual([
      { companyId: 3, action: "export.create", by: BY, recordId: null, ...FROM },
      "creating",
      "done 6",
      { companyId: 3, action: "export.delete", by: BY, recordId: 6, ...FROM },
      "done undefined",
    ]);
  });

  it("has what its handler says of it, before it is done", async () => {
    const { audit, exports } = subject({
      deleteExport: async (_, context) => {
        await context.describeAct({ recordName: "March" });
        audit.notes.push("deleting");
        return {};
      },
    });
    await exports.deleteExport({ id: 6n }, AS);
    expect(audit.notes.slice(1, 3)).toEqual([{ recordName: "March" }, "deleting"]);
  });

  it.each([
    ["not-found", true],
    ["invalid", true],
    ["forbidden", true],
    ["unavailable", false],
    ["deadline", false],
    ["internal", false],
  ] as const)("is forgotten after a failure that is %s: %s", async (kind: ErrorKind, isForgotten) => {
    const { audit, exports } = subject({ deleteExport: () => Promise.reject(new AppError(kind, "No.")) });
    await expect(exports.deleteExport({ id: 6n }, AS)).rejects.toMatchObject({ kind });
    expect(audit.notes.includes("dropped")).toBe(isForgotten);
  });

  it("is not done when it cannot be recorded, and stays done when only its end cannot", async () => {
    let deletions = 0;
    const { audit, exports } = subject({
      deleteExport: () => {
        deletions += 1;
        return Promise.resolve({});
      },
    });
    audit.failing = "begin";
    await expect(exports.deleteExport({ id: 6n }, AS)).rejects.toMatchObject({ kind: "unavailable" });
    expect(deletions).toBe(0);
    audit.failing = "done";
    await expect(exports.deleteExport({ id: 6n }, AS)).resolves.toBeDefined();
    expect(deletions).toBe(1);
  });

  it("is none that only reads, or is refused before it begins", async () => {
    const { audit, exports } = subject({ getExport: () => Promise.resolve({}) });
    await exports.getExport({ id: 6n }, AS);
    await expect(exports.deleteExport({ id: 0n }, AS)).rejects.toMatchObject({ kind: "invalid" });
    expect(audit.notes).toEqual([]);
  });
});

describe("changes", () => {
  it("are the fields that differ, as JSON, and long values are cut", () => {
    const before = { role: "member", active: true, tags: ["a"], note: null };
    const after = { role: "viewer", active: true, tags: ["a"], note: "n".repeat(1000) };
    expect(changesBetween(before, after)).toEqual([
      { field: "role", from: '"member"', to: '"viewer"' },
      { field: "note", from: null, to: `"${"n".repeat(500)}…"` },
    ]);
    expect(changesBetween({ role: "member" }, {})).toEqual([{ field: "role", from: '"member"', to: null }]);
  });
});
