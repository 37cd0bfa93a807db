import { toBinary, type DescFile, type DescService } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Server } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";
import { file_google_rpc_error_details } from "@hourglass/proto/google/rpc/error_details";

/** Lets clients such as grpcurl list services and messages, and decode the details of a failure. */
export function addReflection(server: Server, services: readonly DescService[]): void {
  const files = new Map<string, Buffer>();
  for (const service of services) collect(service.file, files);
  collect(file_google_rpc_error_details, files);
  new ReflectionService(packageOf([...files.values()]), {
    services: services.map(({ typeName }) => typeName),
  }).addToServer(server);
}

function collect(file: DescFile, files: Map<string, Buffer>): void {
  const name = file.proto.name;
  if (files.has(name)) return;
  files.set(name, Buffer.from(toBinary(FileDescriptorProtoSchema, file.proto)));
  for (const dependency of file.dependencies) collect(dependency, files);
}

/**
 * The reflection service reads only the descriptors of a package. Passing ours, instead of those that proto-loader
 * generates, keeps files and their names as in proto/.
 */
function packageOf(fileDescriptorProtos: Buffer[]): ConstructorParameters<typeof ReflectionService>[0] {
  return { files: { format: "Protocol Buffer 3 EnumDescriptorProto", type: {}, fileDescriptorProtos } };
}
