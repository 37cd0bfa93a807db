import { createPublicKey, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { writeFileSync } from "node:fs";
import { isIP } from "node:net";
import path from "node:path";

const HOUR_MS = 3_600_000;

/** A certificate authority that writes PEM files, valid for an hour, into a folder. */
export interface Authority {
  readonly caFile: string;
  /** A certificate for hosts, with its key. */
  certify: (name: string, hosts: readonly string[], lastsMs?: number) => { certFile: string; keyFile: string };
}

/** Encodes certificates itself: Node can read but not create them, and openssl is not installed everywhere. */
export function createAuthority(folder: string, name: string): Authority {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const write = (file: string, contents: string) => {
    writeFileSync(path.join(folder, file), contents);
    return path.join(folder, file);
  };
  const issue = (subject: string, key: KeyObject, extensions: Buffer[], lastsMs = HOUR_MS) =>
    pem("CERTIFICATE", certificate({ subject, issuer: name, key, signer: authority.privateKey, extensions, lastsMs }));
  return {
    caFile: write(`${name}.pem`, issue(name, authority.publicKey, [IS_AUTHORITY])),
    certify: (subject, hosts, lastsMs = HOUR_MS) => {
      const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      return {
        certFile: write(
          `${subject}.pem`,
          issue(subject, createPublicKey(privateKey), [alternativeNames(hosts)], lastsMs),
        ),
        keyFile: write(`${subject}.key`, privateKey.export({ type: "pkcs8", format: "pem" }).toString()),
      };
    },
  };
}

interface Certificate {
  subject: string;
  issuer: string;
  key: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
  lastsMs: number;
}

/** RFC 5280, in DER. */
function certificate({ subject, issuer, key, signer, extensions, lastsMs }: Certificate): Buffer {
  const algorithm = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)); // ecdsa-with-SHA256
  const now = Date.now();
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])), // serial number
    algorithm,
    distinguishedName(issuer),
    sequence(time(now - HOUR_MS), time(now + lastsMs)),
    distinguishedName(subject),
    key.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(...extensions)),
  );
  return sequence(content, algorithm, bits(sign("sha256", content, signer)));
}

const IS_AUTHORITY = sequence(objectId(0x55, 0x1d, 0x13), tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))));

function alternativeNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? tagged(0x87, Buffer.from(host.split(".").map(Number))) : tagged(0x82, Buffer.from(host)),
  );
  return sequence(objectId(0x55, 0x1d, 0x11), tagged(0x04, sequence(...names)));
}

function distinguishedName(commonName: string): Buffer {
  return sequence(tagged(0x31, sequence(objectId(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(commonName)))));
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return tagged(0x18, Buffer.from(`${digits}Z`));
}

function objectId(...bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function bits(bytes: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function tagged(tag: number, contents: Buffer): Buffer {
  const { length } = contents;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), contents]);
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").replaceAll(/.{64}/g, "$&\n");
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}
