import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import { OPERATOR, roleOf, route, type AuditTrail, type Route } from "@hourglass/runtime";
import type { Accounts } from "./accounts.js";
import type { ApiKeys } from "./api-keys.js";
import { toMs } from "./auth-route.js";
import type { CompanyUsers } from "./company-users.js";
import { toApiKey, toCompany, toUserWithCompany } from "./messages.js";
import type { KeyRing } from "./signing-keys.js";

interface AdminRouteDeps {
  accounts: Accounts;
  apiKeys: ApiKeys;
  users: CompanyUsers;
  audit: AuditTrail;
  keys: KeyRing;
}

/** Every method is open: the route is never served on a port, and those who can run the command already own the data. */
export function adminRoute({ accounts, apiKeys, users, audit, keys }: AdminRouteDeps): Route {
  const record = (action: string, { company_id: companyId, id: recordId }: { company_id: number; id: number }) =>
    audit.record({ companyId, action, by: OPERATOR, recordId });
  return route(
    AdminService,
    {
      createCompany: async (request) => ({ company: toCompany(await accounts.createCompany(request)) }),
      listCompanies: async () => ({ companies: (await accounts.listCompanies()).map(toCompany) }),
      createUser: async (request) => {
        const account = await accounts.createUser({ ...request, role: roleOf(request.role) });
        await record("user.create", account.user);
        return { user: toUserWithCompany(account) };
      },
      setPassword: async ({ email, password }) => {
        await record("user.change_password", await accounts.setPassword(email, password));
        return {};
      },
      deleteUser: async ({ email }) => {
        await record("user.delete", await accounts.deleteUser(email));
        return {};
      },
      listUsers: async () => ({ users: (await accounts.listUsers()).map(toUserWithCompany) }),
      setRole: async ({ email, role }) => {
        const { id, company_id: companyId } = await accounts.requireUser(email);
        const user = await users.change(companyId, id, { role: roleOf(role) });
        await record("user.update", user);
        return { user: toUserWithCompany({ user, company: await accounts.companyOf(user) }) };
      },
      setProduct: async (request) => ({ company: toCompany(await accounts.setProduct(request)) }),
      rotateKeys: async () => ({ keyId: await keys.rotate() }),
      issueApiKey: async ({ company: companyName, name, scopes, readOnly, expiresAt }) => {
        const { id: companyId } = await accounts.companyNamed(companyName);
        const wanted = { companyId, name, scopes, readOnly, expiresAt: toMs(expiresAt), createdBy: null };
        const { record: key, secret } = await apiKeys.create(wanted);
        await record("key.create", key);
        return { key: toApiKey(key), secret };
      },
      listAllApiKeys: async () => ({ keys: (await apiKeys.listAll()).map(toApiKey) }),
      revokeApiKey: async ({ id }) => {
        await record("key.delete", await apiKeys.delete(Number(id)));
        return {};
      },
    },
    { open: true },
  );
}
