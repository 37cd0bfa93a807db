import type { DescMethod } from "@bufbuild/protobuf";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { authorOf, type Caller, callerIdOf, requireAccess, requirementOf, roleOf } from "./access.js";

const { method: insight } = InsightService;
const { method: auth } = AuthService;

function key(scopes: string[], readOnly = false): Caller {
  return { userId: 1, role: readOnly ? "viewer" : "member", key: { id: 5, name: "k", scopes, readOnly } };
}

const user = (role: Caller["role"]): Caller => ({ userId: 1, role });

/** The code of the refusal, or "ok". */
function outcome(caller: Caller, method: DescMethod): string {
  try {
    requireAccess(caller, method);
    return "ok";
  } catch (error) {
    expect(AppError.from(error).kind).toBe("forbidden");
    return AppError.from(error).code;
  }
}

describe("access", () => {
  it.each([
    ["an admin", user("admin"), ["ok", "ok", "ok", "ok", "ok"]],
    ["a member", user("member"), ["ok", "ok", "admin_needed", "ok", "ok"]],
    ["a viewer", user("viewer"), ["ok", "read_only_role", "admin_needed", "ok", "ok"]],
    ["a key", key(["insights"]), ["ok", "ok", "no_api_keys", "no_api_keys", "ok"]],
    ["a read-only key", key(["insights"], true), ["ok", "read_only_key", "no_api_keys", "no_api_keys", "ok"]],
    [
      "a key whose maker became a viewer",
      { ...key(["insights"]), role: "viewer" } as const,
      ["ok", "read_only_role", "no_api_keys", "no_api_keys", "ok"],
    ],
    [
      "a key without the scope",
      key(["exports"]),
      ["scope_missing", "scope_missing", "no_api_keys", "no_api_keys", "ok"],
    ],
  ])("of %s", (_, caller, expected) => {
    const methods = [insight.getInsight, insight.deleteInsight, auth.listCompanyUsers, auth.signOut, auth.getUser];
    expect(methods.map((method) => outcome(caller, method))).toEqual(expected);
  });

  it("lets a key for exports alone look up the insights that it exports", () => {
    expect(outcome(key(["exports"]), insight.lookUpInsights)).toBe("ok");
    expect(outcome(key(["operations"]), insight.lookUpInsights)).toBe("scope_missing");
  });

  it("lets a read-only key ask what a search would do", () => {
    expect(outcome(key(["insights"], true), insight.checkInsight)).toBe("ok");
  });

  it("needs a scope in every service but Auth", () => {
    for (const service of [OperationService, MediaService, InsightService, ExportService]) {
      for (const method of service.methods) expect(requirementOf(method).scopes, method.name).not.toEqual([]);
    }
    for (const method of AuthService.methods) expect(requirementOf(method).scopes, method.name).toEqual([]);
  });

  it("names what is recorded by the kind of record", () => {
    const services = [AuthService, OperationService, MediaService, InsightService, ExportService];
    const names = services.flatMap(({ methods }) => methods.flatMap((method) => requirementOf(method).audit || []));
    expect(names.filter((name) => !/^(user|key|operation|file|insight|posting|export)\.[a-z_]+$/.test(name))).toEqual(
      [],
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("a role", () => {
  it("is the least for a name of a later release", () => {
    expect(["admin", "member", "owner"].map(roleOf)).toEqual(["admin", "member", "viewer"]);
  });
});

describe("a caller", () => {
  it("is a user, or an API key with its maker", () => {
    const ann = { email: "ann@example.com", firstName: "Ann", lastName: "Lee" };
    const nobody = { email: "", firstName: "", lastName: "" };
    expect(authorOf({ ...user("member"), ...ann })).toEqual({ userId: 1, keyId: null, name: "Ann Lee" });
    expect(authorOf({ ...key([]), ...ann, firstName: "", lastName: "" })).toEqual({
      userId: 1,
      keyId: 5,
      name: "ann@example.com",
    });
    expect(authorOf({ ...key([]), ...nobody, userId: undefined })).toEqual({ userId: null, keyId: 5, name: "k" });
    expect(callerIdOf(key([]))).not.toBe(callerIdOf(user("admin")));
  });
});
