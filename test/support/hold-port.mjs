// Claims the port of the first argument as `freePort` does, until it is killed.
import { createSocket } from "node:dgram";

const socket = createSocket("udp4");
socket.bind({ port: Number(process.argv[2]), address: "127.0.0.1", exclusive: true }, () => process.send("claimed"));
