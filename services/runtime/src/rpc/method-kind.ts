import type {
  DescMethod,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
} from "@bufbuild/protobuf";
import type { Client } from "./service.js";

/** One case for each kind of method. */
export interface KindCases<T> {
  unary: (method: DescMethodUnary) => T;
  clientStream: (method: DescMethodClientStreaming) => T;
  serverStream: (method: DescMethodServerStreaming) => T;
}

/** Selects a case by kind. Bidirectional streaming is not used; such a method would make the start fail here. */
export function byKind<T>(method: DescMethod, cases: KindCases<T>): T {
  switch (method.methodKind) {
    case "unary":
      return cases.unary(method as DescMethodUnary);
    case "client_streaming":
      return cases.clientStream(method as DescMethodClientStreaming);
    case "server_streaming":
      return cases.serverStream(method as DescMethodServerStreaming);
    case "bidi_streaming":
      throw new Error(`${method.toString()}: bidirectional streams are not supported`);
  }
}

/** A client whose methods are built by `cases`, by kind. */
export function clientOf<S extends DescService>(service: S, cases: KindCases<unknown>): Client<S> {
  const calls = service.methods.map((method) => [method.localName, byKind(method, cases)] as const);
  return Object.fromEntries(calls) as Client<S>;
}
