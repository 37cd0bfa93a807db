import { connect } from "amqplib";

// The tests of this process find RabbitMQ 4 where they look for the broker.
const url = process.env["TEST_AMQP4_URL"] ?? "";
process.env["TEST_AMQP_URL"] = url;
process.env["RABBITMQ_SCRIPTS"] = process.env["RABBITMQ4_SCRIPTS"];

const connection = await connect(url);
const { version } = connection.connection.serverProperties;
await connection.close();
if (!version.startsWith("4."))
  throw new Error(`${url} is RabbitMQ ${version}: set RABBITMQ4_SCRIPTS to those of a RabbitMQ 4.`);
