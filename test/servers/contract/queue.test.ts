import { queueContract } from "../../contract/queue-contract.js";
import { openRabbitWorld } from "./rabbitmq-world.js";

queueContract("rabbitmq", openRabbitWorld);
