import amqp from "amqplib";
import { MongoClient } from "mongodb";
import { expect, it, vi } from "vitest";
import { RabbitNode } from "./rabbitmq.js";
import { mongodbUrl, Secantus } from "./secantus.js";
import { Toxiproxy } from "./toxiproxy.js";

it("starts a broker that keeps its messages over kill -9", async () => {
  const node = await RabbitNode.start();
  try {
    const publisher = await amqp.connect(node.url);
    publisher.on("error", () => undefined);
    const channel = await publisher.createConfirmChannel();
    channel.on("error", () => undefined);
    // Not a quorum queue: RabbitMQ 3.10 does not restore one that was declared within a second before a kill -9.
    await channel.assertQueue("kept", { durable: true });
    channel.sendToQueue("kept", Buffer.from("a"), { persistent: true });
    await channel.waitForConfirms();
    await node.kill9();
    await node.startAgain();
    // The queue becomes available slightly later than the node.
    await vi.waitFor(async () => expect(await firstOf(node.url, "kept")).toBe("a"), { timeout: 30_000, interval: 200 });
  } finally {
    await node.remove();
  }
});

async function firstOf(url: string, queue: string): Promise<string | false> {
  const connection = await amqp.connect(url);
  connection.on("error", () => undefined);
  try {
    const channel = await connection.createChannel();
    channel.on("error", () => undefined);
    const message = await channel.get(queue, { noAck: true });
    return message && message.content.toString();
  } finally {
    await connection.close().catch(() => undefined);
  }
}

it("starts a database again that stands still, with all it held", async () => {
  const secantus = await Secantus.start();
  const client = new MongoClient(secantus.url);
  const things = client.db("a").collection("things");
  try {
    await things.insertOne({ what: "a" }, { writeConcern: { w: "majority", journal: true } });
    secantus.supervise(4000);
    secantus.freeze();
    await vi.waitFor(async () => expect(await things.countDocuments()).toBe(1), { timeout: 60_000 });
  } finally {
    await client.close();
    await secantus.remove();
  }
});

it("frees the documents of a transaction that nobody ends", async () => {
  const secantus = await Secantus.start();
  const client = new MongoClient(secantus.url);
  const things = client.db("a").collection("things");
  const session = client.startSession();
  try {
    await things.insertOne({ what: "a" });
    await secantus.endTransactions(500);
    session.startTransaction();
    await things.updateOne({ what: "a" }, { $set: { by: "nobody" } }, { session });
    const { modifiedCount } = await things.updateOne({ what: "a" }, { $set: { by: "somebody" } });
    expect(modifiedCount).toBe(1);
  } finally {
    await session.endSession();
    await client.close();
    await secantus.remove();
  }
});

it("starts a database that can be cut off", async () => {
  const [secantus, toxiproxy] = await Promise.all([Secantus.start(), Toxiproxy.start()]);
  const proxy = await toxiproxy.before(secantus.port);
  const client = new MongoClient(mongodbUrl(proxy.port), { serverSelectionTimeoutMS: 500 });
  try {
    const ping = () => client.db("a").command({ ping: 1 });
    await ping();
    await proxy.setOpen(false);
    await expect(ping()).rejects.toThrow();
    await proxy.heal();
    expect(await ping()).toMatchObject({ ok: 1 });
  } finally {
    await client.close();
    await Promise.all([secantus.remove(), toxiproxy.remove()]);
  }
});
