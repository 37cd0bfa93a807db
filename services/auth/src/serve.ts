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
      showPassword(await auth.bootstrap());
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

/** A generated password is shown only here; the log redacts it. */
function showPassword(bootstrapped: Bootstrapped | undefined): void {
  if (bootstrapped?.generated !== true) return;
  const { email, password } = bootstrapped;
  process.stdout.write(`First user ${email}, password ${password} (shown once, keep it)\n`);
}
