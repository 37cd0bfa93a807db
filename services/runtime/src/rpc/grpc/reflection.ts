import { createRequire } from "node:module";
import { toBinary, type DescFile, type DescService } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type {
  handleBidiStreamingCall,
  Server,
  ServerDuplexStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from "@grpc/grpc-js";
import type { ReflectionService } from "@grpc/reflection";
import { file_google_rpc_error_details } from "@hourglass/proto/google/rpc/error_details";

const require = createRequire(import.meta.url);

/** Both versions of reflection have this one method. */
const PATHS = ["v1", "v1alpha"].map((version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`);

/**
 * Lets clients such as grpcurl list services and messages, and decode the details of a failure. The library is loaded
 * when the first of them calls: it takes longer than everything else that a gRPC port needs, and few ports are asked.
 */
export function addReflection(server: Server, services: readonly DescService[]): void {
  let methods: ReadonlyMap<string, Method> | undefined;
  const method = (path: string): Method => {
    const found = (methods ??= methodsOf(services)).get(path);
    if (found === undefined) throw new Error(`${path} is not part of reflection`);
    return found;
  };
  for (const path of PATHS) {
    server.register(
      path,
      (call: ServerDuplexStream<unknown, unknown>) => method(path).handle(call),
      (response: unknown) => method(path).serialize(response),
      (request: Buffer) => method(path).deserialize(request),
      "bidi",
    );
  }
}

interface Method {
  handle: handleBidiStreamingCall<unknown, unknown>;
  serialize: (response: unknown) => Buffer;
  deserialize: (request: Buffer) => unknown;
}

/** The methods that the library would register, by their paths. */
function methodsOf(services: readonly DescService[]): ReadonlyMap<string, Method> {
  const { ReflectionService: Service } = require("@grpc/reflection") as { ReflectionService: typeof ReflectionService };
  const files = new Map<string, Buffer>();
  for (const service of services) collect(service.file, files);
  collect(file_google_rpc_error_details, files);
  const names = services.map(({ typeName }) => typeName);
  const methods = new Map<string, Method>();
  const addService = (definition: ServiceDefinition, implementation: UntypedServiceImplementation) => {
    for (const [name, { path, responseSerialize, requestDeserialize }] of Object.entries(definition)) {
      const handle = implementation[name] as Method["handle"];
      methods.set(path, { handle, serialize: responseSerialize, deserialize: requestDeserialize });
    }
  };
  new Service(packageOf([...files.values()]), { services: names }).addToServer({ addService });
  return methods;
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
