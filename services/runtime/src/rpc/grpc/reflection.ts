import { toBinary, type DescFile, type DescService } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Server } from "@grpc/grpc-js";
import { ReflectionService } from "@grpc/reflection";
import { file_google_rpc_error_details } from "@hourglass/proto/google/rpc/error_details";

/** Lets clients such as grpcurl ask which services and messages there are, and what the details of a failure mean. */
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
 * The service reads the descriptors of a package and nothing else of it. Handing it ours, instead of what proto-loader
 * makes of them, keeps files and their names as they stand in proto/.
 */
function packageOf(fileDescriptorProtos: Buffer[]): ConstructorParameters<typeof ReflectionService>[0] {
  return { files: { format: "Protocol Buffer 3 EnumDescriptorProto", type: {}, fileDescriptorProtos } };
}
