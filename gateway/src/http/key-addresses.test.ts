import { beforeEach, describe, expect, it } from "vitest";
import { KeyAddresses } from "./key-addresses.js";

const MINUTE_MS = 60_000;

let now: number;
let told: object[];
beforeEach(() => {
  now = 0;
  told = [];
});

const log = { warn: (fields: object) => void told.push(fields) };
const keyOf = (id: number) => ({ companyId: 3, key: { id, name: "Feed", scopes: ["insights"], readOnly: true } });
const open = (options: ConstructorParameters<typeof KeyAddresses>[0] = {}) =>
  new KeyAddresses({ now: () => now, ...options });
const address = (n: number) => `192.0.2.${n}`;

describe("the addresses of API keys", () => {
  it("are counted by key, each once, for an hour since they were last seen", () => {
    const addresses = open();
    for (const n of [1, 2, 2, 1]) addresses.note({ principal: keyOf(7), clientAddress: address(n), log });
    addresses.note({ principal: keyOf(8), clientAddress: address(3), log });
    expect(addresses.largest()).toBe(2);
    now += 59 * MINUTE_MS;
    addresses.note({ principal: keyOf(7), clientAddress: address(1), log });
    now += 2 * MINUTE_MS;
    expect(addresses.largest()).toBe(1);
    now += 60 * MINUTE_MS;
    expect(addresses.largest()).toBe(0);
  });

  it("are networks of IPv6, which one household has whole", () => {
    const addresses = open();
    for (const end of ["1", "2", "3"])
      addresses.note({ principal: keyOf(7), clientAddress: `2001:db8:0:1::${end}`, log });
    addresses.note({ principal: keyOf(7), clientAddress: "2001:db8:0:2::1", log });
    expect(addresses.largest()).toBe(2);
  });

  it("are none of users, nor of connections that are closed already", () => {
    const addresses = open();
    addresses.note({ principal: { companyId: 3 }, clientAddress: address(1), log });
    addresses.note({ principal: keyOf(7), clientAddress: "", log });
    expect(addresses.largest()).toBe(0);
  });

  it("are logged with the id of the key once there are many, and again after an hour", () => {
    const addresses = open({ many: 3 });
    const use = () => {
      for (const n of [1, 2, 3, 4, 5]) addresses.note({ principal: keyOf(7), clientAddress: address(n), log });
    };
    use();
    expect(told).toEqual([{ key_id: 7, companyId: 3, addresses: 4 }]);
    now += 30 * MINUTE_MS;
    use();
    expect(told).toHaveLength(1);
    now += 31 * MINUTE_MS;
    use();
    expect(told).toHaveLength(2);
  });

  it("take bounded memory: of one key, and of all, of which those used longest ago are forgotten", () => {
    const addresses = open({ ofKeyMax: 10, max: 25 });
    const use = (id: number, count: number) => {
      for (let n = 1; n <= count; n += 1) addresses.note({ principal: keyOf(id), clientAddress: address(n), log });
    };
    use(1, 200);
    expect(addresses.largest()).toBe(10);
    use(2, 8);
    use(3, 9);
    expect(addresses.largest()).toBe(9);
  });
});
