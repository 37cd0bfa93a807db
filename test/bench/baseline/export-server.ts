import { createServer } from "node:http";
import { ExportService } from "@hourglass/proto/export/v1/export_service";
import { createGrpcServer, createLogger, Dispatcher, openFileBlobs, route } from "@hourglass/runtime";
import { CALLER, servedExport } from "../served-export.js";

/** Serves the export in FOLDER over gRPC; PORT tells the port of it. */
const blobs = await openFileBlobs({ folder: process.env["FOLDER"] ?? "" });
const served = route(ExportService, await servedExport(blobs));
const dispatcher = new Dispatcher({ authenticate: () => Promise.resolve(CALLER), reportFailure: () => undefined });
const grpc = await createGrpcServer({ routes: [served], dispatcher, log: createLogger("silent") });
const ports = JSON.stringify({ grpcPort: await grpc.listen({ port: 0 }) });
createServer((_req, res) => res.end(ports)).listen(Number(process.env["PORT"]), "127.0.0.1");
