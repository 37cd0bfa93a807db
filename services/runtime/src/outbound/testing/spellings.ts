/** Spellings of an IPv4 address as URL host that some programs are known to parse as that address. */
export function spellingsOf(address: string): string[] {
  const bytes = address.split(".").map(Number) as [number, number, number, number];
  const [a, b, c, d] = bytes;
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = whole.toString(16).padStart(8, "0");
  const groups = `${hex.slice(0, 4)}:${hex.slice(4)}`;
  const octal = bytes.map((byte) => `0${byte.toString(8)}`);
  return [
    address,
    `${address}.`,
    `${address}..`,
    String(whole),
    `0x${hex}`,
    `0X${hex.toUpperCase()}`,
    `0${whole.toString(8)}`,
    octal.join("."),
    bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
    `${a}.${String((b * 256 + c) * 256 + d)}`,
    `${a}.${b}.${String(c * 256 + d)}`,
    `0x${a.toString(16)}.${octal[1] ?? ""}.${String(c * 256 + d)}`,
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll(".", "。"),
    `[::ffff:${address}]`,
    `[0:0:0:0:0:FFFF:${groups}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:ff9b:1::${groups}]`,
    `[2002:${groups}::1]`,
    `[2001:0:${groups}::1]`,
    `visitor@${address}`,
    `public.example:80@${address}`,
    `public.example%2f@${address}`,
  ];
}
