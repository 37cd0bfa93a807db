import { AuthService } from "@hourglass/proto/auth/v1/auth_service";
import { runPart } from "@hourglass/runtime";
import type { Bootstrapped } from "./accounts.js";
import { authSettings } from "./config.js";
import { AUTH_DATA, buildAuthService } from "./service.js";

/** Entry point of the process that serves Auth. */
runPart({
  name: "auth",
  settings: { auth: authSettings },
  grpcPort: 50_051,
  opsPort: 9101,
  services: [AuthService],
  storage: ["store"],
  keeps: { data: () => [AUTH_DATA], whole: true },
  needsServiceSecret: true,
  build: async ({ storage, config, log, lifecycle }) => {
    const auth = await buildAuthService({ store: storage.store, config, serviceSecret: config.serviceSecret, log });
    try {
      showFirstUser(await auth.bootstrap());
    } catch (error) {
      auth.close();
      throw error;
    }
    const start = () => {
      lifecycle.add("auth", () => {
        auth.close();
      });
    };
    return { routes: auth.routes, authenticate: auth.authenticate, start };
  },
});

/** A generated password is in a file, since standard output is kept by whatever collects logs. */
function showFirstUser(bootstrapped: Bootstrapped | undefined): void {
  if (bootstrapped?.file === undefined) return;
  process.stdout.write(
    `First user ${bootstrapped.email}, password in ${bootstrapped.file}: read it, then delete the file\n`,
  );
}
