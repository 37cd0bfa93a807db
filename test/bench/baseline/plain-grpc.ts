import { createServer } from "node:http";
import { fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { Server, ServerCredentials, type UntypedHandleCall } from "@grpc/grpc-js";
import {
  GetOperationRequestSchema,
  GetOperationResponseSchema,
  OperationService,
} from "@hourglass/proto/operation/v1/operation_service";

/** Reads of one operation on a plain grpc-js server: no checks, tokens or metrics. PORT tells the port of gRPC. */
const response = fromJson(GetOperationResponseSchema, {
  operation: {
    id: "1",
    status: "OPERATION_STATUS_DONE",
    query: {
      type: "OPERATION_TYPE_TEXT",
      analyses: ["ANALYSIS_TYPE_SENTIMENT_SIMPLE"],
      contents: [{ text: "I love it" }],
    },
    data: {
      contents: [
        {
          type: "OPERATION_TYPE_TEXT",
          content: { text: "I love it" },
          dimensions: ["DIMENSION_TEXTUAL"],
          analysisTypes: ["ANALYSIS_TYPE_SENTIMENT_SIMPLE"],
          analyses: [
            {
              source: "SOURCE_CONTENT",
              type: "ANALYSIS_TYPE_SENTIMENT_SIMPLE",
              dimension: "DIMENSION_TEXTUAL",
              classification: { value: "positive", prob: 0.9734 },
              model: { id: "sentiment-simple-encoder", version: "0a1b2c3d" },
              language: "en",
              supported: true,
            },
          ],
        },
      ],
    },
    progress: { done: 1, total: 1 },
    createdAt: "2026-01-01T00:00:00Z",
    finishedAt: "2026-01-01T00:00:00.100Z",
  },
});
const { name, parent } = OperationService.method.getOperation;
const definition = {
  [name]: {
    path: `/${parent.typeName}/${name}`,
    requestStream: false,
    responseStream: false,
    requestDeserialize: (bytes: Buffer) => fromBinary(GetOperationRequestSchema, bytes),
    requestSerialize: (request: Buffer) => request,
    responseSerialize: (message: typeof response) => Buffer.from(toBinary(GetOperationResponseSchema, message)),
    responseDeserialize: (bytes: Buffer) => bytes,
  },
};
const answer: UntypedHandleCall = (_call: unknown, done: (error: null, message: typeof response) => void) => {
  done(null, response);
};

const server = new Server();
server.addService(definition, { [name]: answer });
const port = await new Promise<number>((resolve, reject) => {
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
    if (error === null) resolve(bound);
    else reject(error);
  });
});
createServer((_req, res) => res.end(String(port))).listen(Number(process.env["PORT"]), "127.0.0.1");
