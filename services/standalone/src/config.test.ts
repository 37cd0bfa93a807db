import path from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError } from "@hourglass/runtime";
import { readStandaloneConfig as readConfig } from "./config.js";

describe("readStandaloneConfig", () => {
  it("fills in the documented defaults", () => {
    const config = readConfig({});
    expect(config.host).toBe("127.0.0.1");
    expect(config.gateway).toMatchObject({ port: 8080, rateLimitPerMinute: 600, uploadBytesMax: 104_857_600 });
    expect(config.dataDir).toBe(path.resolve("./data"));
    expect(config.auth).toMatchObject({ tokenTtlSeconds: 86_400, signInAttemptsPerMinute: 10 });
    expect(config.auth.bootstrap).toEqual({ email: "admin@example.com", password: undefined, company: "Example" });
    expect(config.media.uploadBytesMax).toBe(104_857_600);
  });

  it("keeps models in the data folder unless configured otherwise", () => {
    expect(readConfig({ DATA_DIR: "/srv/h" }).analysis.modelsDir).toBe("/srv/h/models");
    expect(readConfig({ DATA_DIR: "/srv/h", MODELS_DIR: "/opt/m" }).analysis.modelsDir).toBe("/opt/m");
  });

  it("passes on the engines that are set, and no others", () => {
    const { engines, models } = readConfig({ ENGINE_TOPIC: "models", MODEL_TOPIC: "owner/name@v1" }).analysis;
    expect({ engines, models }).toEqual({ engines: { topic: "models" }, models: { topic: "owner/name@v1" } });
  });

  it("refuses an engine or a model that there cannot be", () => {
    expect(() => readConfig({ ENGINE_TOPIC: "builtin" })).toThrow(/"builtin", allowed: fast, accurate, models/);
    expect(() => readConfig({ ENGINE_PERSONALITY_MB: "accurate" })).toThrow(/ENGINE_PERSONALITY_MB .*allowed: fast$/);
    expect(() => readConfig({ MODEL_TOPIC: "../etc" })).toThrow(/MODEL_TOPIC .*owner\/name/);
  });

  it("still accepts LINKEDIN_ORGANISATIONS, the earlier spelling of LINKEDIN_ORGANIZATIONS", () => {
    const { platforms } = readConfig({ LINKEDIN_ORGANISATIONS: "5515715" }).insight;
    expect(platforms).toMatchObject({ LINKEDIN_ORGANIZATIONS: ["5515715"] });
  });

  it("takes an empty variable for an unset one", () => {
    expect(readConfig({ PORT: "", AMQP_URL: "" })).toMatchObject({ gateway: { port: 8080 }, amqpUrl: undefined });
  });

  it("names every bad variable, its value and what is allowed, in one line", () => {
    const read = () => readConfig({ PORT: "eighty", JWT_TTL_SECONDS: "0", LOG_LEVEL: "loud" });
    expect(read).toThrow(ConfigError);
    try {
      read();
    } catch (error) {
      const message = (error as Error).message;
      expect(message).toContain('PORT is "eighty", allowed: a whole number from 0 to 65535');
      expect(message).toContain('JWT_TTL_SECONDS is "0", allowed: a whole number from 1');
      expect(message).toContain('LOG_LEVEL is "loud", allowed: one of trace, debug');
      expect(message).not.toContain("\n");
    }
  });

  it("never shows a secret", () => {
    expect(() => readConfig({ BOOTSTRAP_PASSWORD: "hunter2" })).toThrow(/BOOTSTRAP_PASSWORD is \(not shown\)/);
    expect(() => readConfig({ MONGODB_URL: "http://user:hunter2@db" })).toThrow(/^(?!.*hunter2).*MONGODB_URL/);
  });

  it.each(["-1", "1.5", "1e3", "0x10", " 80", "65536", "８０"])("refuses %j as a port", (PORT) => {
    expect(() => readConfig({ PORT })).toThrow(/PORT is/);
  });

  it("trusts only the configured proxies", () => {
    const proxiesOf = (text: string) => readConfig({ TRUSTED_PROXIES: text }).gateway.trustedProxies;
    expect(proxiesOf("")).toEqual({ hops: 0 });
    expect(proxiesOf("2")).toEqual({ hops: 2 });
    expect(proxiesOf("192.0.2.7, 10.0.0.0/8")).toEqual({ networks: ["192.0.2.7/32", "10.0.0.0/8"] });
    expect(() => proxiesOf("proxy.example")).toThrow(
      /^Wrong configuration: TRUSTED_PROXIES is "proxy.example", allowed: a number of proxies/,
    );
  });

  it("arms failpoints under NODE_ENV=test only", () => {
    expect(readConfig({ FAILPOINTS: "a=1" }).failpoints).toBe("");
    expect(readConfig({ FAILPOINTS: "a=1", NODE_ENV: "production" }).failpoints).toBe("");
    expect(readConfig({ FAILPOINTS: "a=1", NODE_ENV: "test" }).failpoints).toBe("a=1");
  });

  it("ignores variables it does not know", () => {
    expect(readConfig({ SOMETHING_ELSE: "x", PATH: "/bin" }).gateway.port).toBe(8080);
  });

  it("refuses a role that no service exports, and names the roles that there are", () => {
    expect(() => readConfig({ WORKER_ROLES: "operation.run,operation.rum" })).toThrow(
      'WORKER_ROLES is "operation.run,operation.rum", allowed: some of operation.run,operation.sweep,insight.collect,insight.analyse,insight.sweep,export.run,export.sweep, with commas between',
    );
  });

  it("gives child processes what programs need to run at all, and none of the secrets", () => {
    const { childEnvironment, analysis } = readConfig({ PATH: "/bin", SERVICE_SECRET: "0123456789abcdef" });
    expect(childEnvironment).toEqual({ PATH: "/bin" });
    expect(analysis.media.environment).toEqual({ PATH: "/bin" });
  });
});
