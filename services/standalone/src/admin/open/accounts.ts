import { buildAuthService } from "@hourglass/auth";
import { AdminService } from "@hourglass/proto/auth/v1/admin_service";
import { createInProcessClient, Dispatcher, openStorage, type Client } from "@hourglass/runtime";
import type { Opening } from "./opening.js";

/** Opens companies, users and keys. */
export async function openAccounts({ config, log, lifecycle }: Opening): Promise<Client<typeof AdminService>> {
  const { store } = await openStorage({ config, log, lifecycle, parts: ["store"] });
  const auth = await buildAuthService({ store, config, log, serving: false });
  const dispatcher = new Dispatcher({ authenticate: auth.authenticate, reportFailure: () => undefined });
  return createInProcessClient(AdminService, auth.adminRoute, dispatcher);
}
