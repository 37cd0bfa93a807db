import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials } from "@grpc/grpc-js";
import {
  GetOperationRequestSchema,
  GetOperationResponseSchema,
  OperationService,
  type GetOperationRequest,
  type GetOperationResponse,
} from "@hourglass/proto/operation/v1/operation_service";
import express from "express";
import { OPERATION } from "./finished-operation.js";

/**
 * Express that asks a plain grpc-js server in another process before it answers: what separate processes cost by the same
 * libraries on this processor. SERVICE_ADDRESS names that server.
 */
const { name, parent } = OperationService.method.getOperation;
const path = `/${parent.typeName}/${name}`;
const client = new Client(process.env["SERVICE_ADDRESS"] ?? "", credentials.createInsecure());
const serialize = (request: GetOperationRequest) => Buffer.from(toBinary(GetOperationRequestSchema, request));
const deserialize = (bytes: Buffer) => fromBinary(GetOperationResponseSchema, bytes);

function getOperation(request: GetOperationRequest): Promise<GetOperationResponse | undefined> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, serialize, deserialize, request, (error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}

const app = express();
app.get("/", (_req, res) => {
  res.json({});
});
app.get("/api/v2/products/api/operations/:id", (req, res, next) => {
  const request = { $typeName: GetOperationRequestSchema.typeName, id: BigInt(req.params.id), wait: 0 };
  getOperation(request).then(() => res.json(OPERATION), next);
});
app.listen(Number(process.env["PORT"]), "127.0.0.1");
