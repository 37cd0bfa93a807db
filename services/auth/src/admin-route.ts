import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import {
  changesBetween,
  OPERATOR,
  roleOf,
  route,
  type ActDetails,
  type AuditChange,
  type AuditTrail,
  type Route,
} from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import { shownOfKey, type ApiKeys } from "./api-keys.js";
import { toMs } from "./auth-route.js";
import { shownOf, type ChangeOptions, type CompanyUsers } from "./company-users.js";
import { toApiKey, toCompany, toUserWithCompany } from "./messages.js";
import type { KeyRing } from "./signing-keys.js";

interface AdminRouteDeps {
  accounts: Accounts;
  apiKeys: ApiKeys;
  users: CompanyUsers;
  audit: AuditTrail;
  keys: KeyRing;
}

/** Fields of a user by which a person is known. */
const PERSONAL = ["email", "first_name", "last_name"];

interface Recorded {
  company_id: number;
  id: number;
}

/** Every method is open: the route is never served on a port, and those who can run the command already own the data. */
export function adminRoute({ accounts, apiKeys, users, audit, keys }: AdminRouteDeps): Route {
  const record = (action: string, { company_id: companyId, id: recordId }: Recorded, about: ActDetails) =>
    audit.record({ companyId, action, by: OPERATOR, recordId, about });
  return route(
    AdminService,
    {
      createCompany: async (request) => ({ company: toCompany(await accounts.createCompany(request)) }),
      listCompanies: async () => ({ companies: (await accounts.listCompanies()).map(toCompany) }),
      createUser: async (request) => {
        // Empty: admin, as the first user of a company has to be.
        const role = request.role === "" ? "admin" : roleOf(request.role);
        const account = await accounts.createUser({ ...request, role });
        const { email: recordName } = account.user;
        await record("user.create", account.user, { recordName, changes: changesBetween({}, shownOf(account.user)) });
        return { user: toUserWithCompany(account) };
      },
      setPassword: async ({ email, password, company }) => {
        const user = await accounts.setPassword(email, password, company);
        await record("user.change_password", user, { recordName: user.email });
        return {};
      },
      deleteUser: async ({ email, company }) => {
        const { company_id: companyId, id } = await accounts.requireUser(email, company);
        // Before the user is gone, since nobody would repeat it afterward; and of what they have done meanwhile.
        await audit.forgetUser(companyId, id, PERSONAL);
        const { user, ended } = await users.delete({ companyId, id }, { force: true });
        await audit.forgetUser(companyId, id, PERSONAL);
        await record("user.delete", user, {});
        return { keysEnded: ended.map(toApiKey) };
      },
      listUsers: async () => ({ users: (await accounts.listUsers()).map(toUserWithCompany) }),
      setRole: async ({ email, role, company }) => {
        const { id, company_id: companyId } = await accounts.requireUser(email, company);
        let changes: AuditChange[] = [];
        const announce: ChangeOptions["announce"] = (_, found) => {
          changes = found;
          return Promise.resolve();
        };
        const { user } = await users.change({ companyId, id }, { role: roleOf(role) }, { announce });
        await record("user.update", user, { recordName: user.email, changes });
        return { user: toUserWithCompany({ user, company: await accounts.companyOf(user) }) };
      },
      setProduct: async (request) => {
        const { uid, active } = request;
        const company = await accounts.setProduct(request);
        const changes = changesBetween({}, { [uid]: active });
        await record(
          "company.update",
          { company_id: company.id, id: company.id },
          { recordName: company.name, changes },
        );
        return { company: toCompany(company) };
      },
      rotateKeys: async () => ({ keyId: await keys.rotate() }),
      issueApiKey: async ({ company: companyName, name, scopes, readOnly, expiresAt }) => {
        const { id: companyId } = await accounts.companyNamed(companyName);
        const wanted = { companyId, name, scopes, readOnly, expiresAt: toMs(expiresAt, "expires_at"), createdBy: null };
        const { record: key, secret } = await apiKeys.create(wanted);
        await record("key.create", key, { recordName: key.name, changes: changesBetween({}, shownOfKey(key)) });
        return { key: toApiKey(key), secret };
      },
      listAllApiKeys: async () => ({ keys: (await apiKeys.listAll()).map(toApiKey) }),
      revokeApiKey: async ({ id }) => {
        const key = await apiKeys.get(Number(id));
        await apiKeys.delete(key);
        await record("key.delete", key, { recordName: key.name, changes: changesBetween(shownOfKey(key), {}) });
        return {};
      },
    },
    { open: true },
  );
}
