import type {
  DescMethod,
  DescMethodClientStreaming,
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
} from "@bufbuild/protobuf";
import type { Client } from "./service.js";

/** What to do with a method of each kind. */
export interface KindCases<T> {
  unary: (method: DescMethodUnary) => T;
  clientStream: (method: DescMethodClientStreaming) => T;
  serverStream: (method: DescMethodServerStreaming) => T;
}

/** Picks by kind. No method of ours streams both ways; one that did would stop the start here. */
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

/** A client whose method of each kind is what `cases` makes of it. */
export function clientOf<S extends DescService>(service: S, cases: KindCases<unknown>): Client<S> {
  const calls = service.methods.map((method) => [method.localName, byKind(method, cases)] as const);
  return Object.fromEntries(calls) as Client<S>;
}
