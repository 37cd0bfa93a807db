import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { route, SERVICE_TOKEN_TTL_SECONDS, unauthenticated, type Principal, type Route } from "@hourglass/runtime";
import { toPrincipal, type Account } from "./accounts/accounts.js";
import { productsOf, type CompanyRecord } from "./accounts/company.js";
import type { NewCompany } from "./accounts/create-company.js";
import type { NewUser } from "./accounts/create-user.js";
import type { IssueServiceToken } from "./tokens/issue-service-token.js";
import type { SigningKey } from "./keys/signing-key.js";
import type { ProductSwitch } from "./accounts/set-product.js";
import type { Session, SignInAttempt } from "./sign-in/sign-in.js";

/** The use cases of AuthService, in plain values. */
export interface AuthWork {
  signIn(attempt: SignInAttempt): Promise<Session>;
  listKeys(): SigningKey[];
  issueServiceToken: IssueServiceToken;
}

/** The use cases of AdminService, in plain values. */
export interface AdminWork {
  createCompany(company: NewCompany): Promise<CompanyRecord>;
  listCompanies(): Promise<CompanyRecord[]>;
  createUser(user: NewUser): Promise<Account>;
  setPassword(email: string, password: string): Promise<void>;
  deleteUser(email: string): Promise<void>;
  listUsers(): Promise<Account[]>;
  setProduct(change: ProductSwitch): Promise<CompanyRecord>;
  rotateKeys(): Promise<string>;
}

export function authRoute(work: AuthWork): Route {
  return route(AuthService, {
    signIn: async ({ user, clientAddress }, { signal }) => {
      const { email = "", password = "" } = user ?? {};
      const session = await work.signIn({ email, password, address: clientAddress, signal });
      const expiresAt = timestampFromMs(session.expiresAt * 1000);
      return { user: toUser(toPrincipal(session)), token: session.token, expiresAt };
    },
    getUser: (_, { principal }) => {
      if (!("userId" in principal)) return Promise.reject(unauthenticated());
      return Promise.resolve({ user: toUser(principal) });
    },
    listKeys: () => Promise.resolve({ keys: work.listKeys().map(({ id, publicJwk }) => ({ id, jwkJson: publicJwk })) }),
    issueServiceToken: async ({ service, companyId, secret }) => {
      const { token, company } = await work.issueServiceToken({ service, companyId: Number(companyId), secret });
      return { token, expiresInSeconds: SERVICE_TOKEN_TTL_SECONDS, company: toCompany(company) };
    },
  });
}

/** Every method is open: the route is never served on a port, and whoever can run the command already owns the data. */
export function adminRoute(work: AdminWork): Route {
  return route(
    AdminService,
    {
      createCompany: async (request) => ({ company: toCompany(await work.createCompany(request)) }),
      listCompanies: async () => ({ companies: (await work.listCompanies()).map(toCompany) }),
      createUser: async (request) => ({ user: toUser(toPrincipal(await work.createUser(request))) }),
      setPassword: async ({ email, password }) => {
        await work.setPassword(email, password);
        return {};
      },
      deleteUser: async ({ email }) => {
        await work.deleteUser(email);
        return {};
      },
      listUsers: async () => ({ users: (await work.listUsers()).map((account) => toUser(toPrincipal(account))) }),
      setProduct: async (request) => ({ company: toCompany(await work.setProduct(request)) }),
      rotateKeys: async () => ({ keyId: await work.rotateKeys() }),
    },
    { open: true },
  );
}

function toUser({ userId, companyId, companyName, email, firstName, lastName, products }: Principal) {
  const company = { id: BigInt(companyId), name: companyName, products: products.map((product) => ({ ...product })) };
  return { id: BigInt(userId), email, firstName, lastName, company };
}

function toCompany(company: CompanyRecord) {
  return { id: BigInt(company.id), name: company.name, products: productsOf(company) };
}
