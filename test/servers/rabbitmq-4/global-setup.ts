import { RabbitNode } from "../control/rabbitmq.js";

/**
 * What RabbitMQ 4.0 still permits and announces to remove. The node refuses it, so that the product is known not to use it.
 * Queues that nodes mirror are gone already.
 */
const DEPRECATED = ["transient_nonexcl_queues", "global_qos", "queue_master_locator", "ram_node_type"].map(
  (feature) => `deprecated_features.permit.${feature} = false`,
);

let node: RabbitNode | undefined;

/** Starts a RabbitMQ 4 for the tests of this project, beside the broker of the others. */
export async function setup(): Promise<void> {
  node = await RabbitNode.start(DEPRECATED, process.env["RABBITMQ4_SCRIPTS"]);
  process.env["TEST_AMQP4_URL"] = node.url;
}

export async function teardown(): Promise<void> {
  await node?.remove();
}
