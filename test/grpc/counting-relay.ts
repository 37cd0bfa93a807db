import { once } from "node:events";
import net from "node:net";

/** Forwards connections to a local port, and counts them. */
export async function countingRelay(target: number) {
  let connections = 0;
  const relay = net.createServer((incoming) => {
    connections += 1;
    const outgoing = net.connect(target, "127.0.0.1");
    const end = () => {
      incoming.destroy();
      outgoing.destroy();
    };
    for (const socket of [incoming, outgoing]) socket.on("error", end).on("close", end);
    incoming.pipe(outgoing).pipe(incoming);
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const { port } = relay.address() as net.AddressInfo;
  return { port, connections: () => connections, close: () => relay.close() };
}
