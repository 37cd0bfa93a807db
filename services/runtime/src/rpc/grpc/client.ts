import { isIP } from "node:net";
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import { MethodOptions_IdempotencyLevel as Level } from "@bufbuild/protobuf/wkt";
import {
  type ChannelOptions,
  Client as Channel,
  type ClientWritableStream,
  connectivityState,
  experimental,
  type ServiceError,
  status,
} from "@grpc/grpc-js";
import { AppError } from "../../errors/app-error.js";
import type { TlsFiles } from "../../tls-certificates.js";
import { CallLifetime, DEFAULT_TIMEOUT_MS } from "../call-lifetime.js";
import { type CallOptions, type Client, clientOf } from "../service.js";
import { channelCredentials } from "./credentials.js";
import {
  callMetadata,
  encode,
  fromServiceError,
  MESSAGE_BYTES_MAX,
  MessageWriter,
  RECEIVE_WINDOW_BYTES,
  unchanged,
} from "./wire.js";

export interface GrpcClientOptions {
  /** Connections per replica. Default 2: with one, calls wait until earlier ones are written; more bring no benefit. */
  channels?: number;
  /** Largest accepted response; default 64 MiB. */
  maxMessageBytes?: number;
  /** Plaintext if absent. */
  tls?: TlsFiles | undefined;
}

export interface GrpcClient<S extends DescService> {
  readonly client: Client<S>;
  /** Closes the connections; calls in progress fail. */
  close: () => void;
}

type Init = MessageInitShape<DescMessage>;

/**
 * A replica that stops or renews a connection refuses the calls in transit to it. No handler has seen such a call, so
 * any call may be sent again. grpc-js does that once, which is not enough when many connections end at the same time.
 */
const REFUSALS_MAX = 3;
const REFUSED = "Stream refused by server";

export async function buildGrpcClient<S extends DescService>(
  service: S,
  addresses: string | readonly string[],
  options: GrpcClientOptions,
): Promise<GrpcClient<S>> {
  const peer = new Peer(await openChannels(service, addresses, options));
  const path = ({ name }: { name: string }) => `/${service.typeName}/${name}`;
  return {
    client: clientOf(service, {
      unary: (method) => {
        return (request: Init, call: CallOptions = {}) => peer.unary(path(method), method, request, call);
      },
      clientStream: (method) => {
        return (requests: AsyncIterable<Init>, call: CallOptions = {}) =>
          peer.clientStream(path(method), method, requests, call);
      },
      serverStream: (method) => {
        return (request: Init, call: CallOptions = {}) => peer.serverStream(path(method), method, request, call);
      },
    }),
    close: () => peer.close(),
  };
}

async function openChannels(
  service: DescService,
  addresses: string | readonly string[],
  options: GrpcClientOptions,
): Promise<Channel[]> {
  const { target, authority, hosts } = peerAddresses(addresses);
  const credentials = await channelCredentials(options.tls, hosts);
  const settings = {
    "grpc.default_authority": authority,
    // Otherwise all channels to an address share one connection.
    "grpc.use_local_subchannel_pool": 1,
    // Replicas are reached directly, not through the machine's internet proxy.
    "grpc.enable_http_proxy": 0,
    "grpc.service_config": serviceConfig(service),
    "grpc.service_config_disable_resolution": 1,
    "grpc.max_receive_message_length": options.maxMessageBytes ?? MESSAGE_BYTES_MAX,
    "grpc.max_send_message_length": -1,
    "grpc-node.flow_control_window": RECEIVE_WINDOW_BYTES,
    ...(service.methods.some(isSentInPieces) ? { "grpc.per_rpc_retry_buffer_size": PIECES_RETRY_BYTES } : {}),
    // Detects a peer that disappeared without closing the connection. Only during calls: idle connections do no harm.
    "grpc.keepalive_time_ms": 10_000,
    "grpc.keepalive_timeout_ms": 5_000,
    "grpc.keepalive_permit_without_calls": 0,
    // A restarted service is found again soon, even at another IP address.
    "grpc.initial_reconnect_backoff_ms": 200,
    "grpc.max_reconnect_backoff_ms": 5_000,
    "grpc.dns_min_time_between_resolutions_ms": 5_000,
    "grpc.enable_channelz": 0,
  };
  return Array.from({ length: options.channels ?? 2 }, () => new Channel(target, credentials, settings));
}

/**
 * Retry buffer per call, in bytes, for services with client streams. Files are not retried, and the default of one
 * mebibyte per upload causes more garbage collection than everything else; the other calls of such a service are short.
 */
const PIECES_RETRY_BYTES = 65_536;

function isSentInPieces({ methodKind }: DescMethod): boolean {
  return methodKind === "client_streaming";
}

class Peer {
  private nextIndex = 0;

  constructor(private readonly channels: readonly Channel[]) {}

  async unary(path: string, method: DescMethodUnary, request: Init, options: CallOptions): Promise<Message> {
    const metadata = callMetadata(options);
    const deadline = callDeadline(options, DEFAULT_TIMEOUT_MS);
    const attempt = () =>
      this.exchange(method, options, (done) => {
        const bytes = encode(method.input, create(method.input, request));
        return this.next().makeUnaryRequest(path, unchanged, unchanged, bytes, metadata, deadline, done);
      });
    for (let left = REFUSALS_MAX; ; left -= 1) {
      try {
        return await attempt();
      } catch (error) {
        if (left === 0 || !wasRefused(error)) throw error;
      }
    }
  }

  clientStream(
    path: string,
    method: DescMethodClientStreaming,
    requests: AsyncIterable<Init>,
    options: CallOptions,
  ): Promise<Message> {
    return this.exchange(method, options, (done, fail) => {
      const metadata = callMetadata(options);
      const deadline = callDeadline(options);
      const call = this.next().makeClientStreamRequest(path, unchanged, unchanged, metadata, deadline, done);
      sendAll(call, method.input, requests).catch((error: unknown) => {
        fail(error);
        call.cancel();
      });
      return call;
    });
  }

  async *serverStream(
    path: string,
    method: DescMethodServerStreaming,
    request: Init,
    options: CallOptions,
  ): AsyncGenerator<Message, void, undefined> {
    if (options.signal?.aborted === true) throw callerLeft(options.signal);
    const bytes = encode(method.input, create(method.input, request));
    const metadata = callMetadata(options);
    const deadline = callDeadline(options);
    const call = this.next().makeServerStreamRequest(path, unchanged, unchanged, bytes, metadata, deadline);
    const cancel = () => call.cancel();
    options.signal?.addEventListener("abort", cancel, { once: true });
    try {
      for await (const bytes of call as AsyncIterable<Buffer>) yield fromBinary(method.output, bytes);
    } catch (error) {
      throw toAppError(error, options);
    } finally {
      options.signal?.removeEventListener("abort", cancel);
      call.cancel(); // the reader may have stopped early; cancelling a finished call has no effect
    }
  }

  close(): void {
    for (const channel of this.channels) channel.close();
  }

  private async exchange(
    method: DescMethodUnary | DescMethodClientStreaming,
    options: CallOptions,
    start: (done: Done, fail: (error: unknown) => void) => { cancel(): void },
  ): Promise<Message> {
    const { signal } = options;
    if (signal?.aborted === true) throw callerLeft(signal);
    let cancel: (() => void) | undefined;
    try {
      const bytes = await new Promise<Buffer>((resolve, reject) => {
        const done: Done = (error, bytes) =>
          bytes === undefined ? reject(error ?? new Error("neither an answer nor a failure")) : resolve(bytes);
        const call = start(done, reject);
        if (signal === undefined) return;
        cancel = () => call.cancel();
        signal.addEventListener("abort", cancel, { once: true });
      });
      return fromBinary(method.output, bytes);
    } catch (error) {
      throw toAppError(error, options);
    } finally {
      if (cancel !== undefined) signal?.removeEventListener("abort", cancel);
    }
  }

  /**
   * The channels round-robin. One that could not connect fails all calls until its next attempt, whose delay differs
   * between channels, so it is left out while another may do better: after an outage, one channel may be back seconds
   * before.
   */
  private next(): Channel {
    this.nextIndex = (this.nextIndex + 1) % this.channels.length;
    const channel = this.channels[this.nextIndex];
    if (channel === undefined) throw new Error("a client needs at least one channel");
    if (!cannotConnect(channel)) return channel;
    return this.channels.find((other) => !cannotConnect(other)) ?? channel;
  }
}

const cannotConnect = (channel: Channel): boolean =>
  channel.getChannel().getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE;

type Done = (error: ServiceError | null, bytes?: Buffer) => void;

/** Sends until the call ends. The server may answer before everything is sent, and reads no further then. */
async function sendAll(
  call: ClientWritableStream<Buffer>,
  schema: DescMessage,
  requests: AsyncIterable<Init>,
): Promise<void> {
  const lifetime = new CallLifetime();
  const writer = new MessageWriter(call, lifetime.signal);
  call.once("status", () => lifetime.cancel());
  for await (const init of lifetime.stream(requests)) await writer.write(encode(schema, create(schema, init)));
  call.end();
}

function callDeadline({ timeoutMs }: CallOptions, defaultMs?: number): { deadline?: number } {
  const ms = timeoutMs ?? defaultMs;
  return ms === undefined ? {} : { deadline: Date.now() + ms };
}

function toAppError(error: unknown, { signal }: CallOptions): AppError {
  if (!isServiceError(error)) return AppError.from(error);
  if (error.code === status.CANCELLED && signal?.aborted === true) return callerLeft(signal);
  return fromServiceError(error);
}

/** In grpc-js, only the text distinguishes a refusal from a call that may have been executed. */
function wasRefused(error: unknown): boolean {
  return error instanceof AppError && isServiceError(error.cause) && error.cause.details === REFUSED;
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && "code" in error && typeof error.code === "number" && "metadata" in error;
}

/** The reason of an outer call that has ended, for example a passed deadline, if there is one. */
function callerLeft({ reason }: AbortSignal): AppError {
  return reason instanceof AppError ? reason : new AppError("cancelled", "The caller gave up waiting.");
}

/** A custom scheme, because grpc-js supports lists of IP addresses but not lists of names. */
const SCHEME = "hourglass";

/** Location of a peer: one address or several equivalent ones. */
interface PeerAddresses {
  /** The target of the grpc-js channel. */
  readonly target: string;
  /** Value of the `:authority` header. */
  readonly authority: string;
  readonly hosts: readonly string[];
}

/**
 * Parses addresses, each `host:port` or `dns:///host:port`; a host is an IP address, or a name that resolves to one or
 * more. Throws TypeError if an address is invalid or the list is empty.
 */
function peerAddresses(addresses: string | readonly string[]): PeerAddresses {
  const read = [addresses].flat().map(hostAndPort);
  const [first] = read;
  if (first === undefined) throw new TypeError("A client needs at least one address.");
  return {
    target: `${SCHEME}:///${read.map(({ text }) => text).join(",")}`,
    authority: first.text,
    hosts: read.map(({ host }) => host),
  };
}

function hostAndPort(address: string): { host: string; text: string } {
  const text = address.replace(/^dns:(\/\/\/)?/, "");
  const parts = /[,/\s]/.test(text) ? null : experimental.splitHostPort(text);
  if (parts?.port === undefined || parts.host === "") {
    throw new TypeError(`"${address}" is not an address; write host:port or dns:///host:port.`);
  }
  return { host: parts.host, text };
}

type Found = experimental.StatusOr<experimental.Endpoint[]>;

/**
 * Resolves every name of a list and reports the results as the endpoints of one peer. A name that cannot be resolved
 * does not affect the others, and its previous addresses are kept.
 */
class AddressListResolver implements experimental.Resolver {
  private readonly names: readonly experimental.Resolver[];
  private readonly found = new Map<string, Found>();

  constructor(
    target: experimental.GrpcUri,
    private readonly listener: experimental.ResolverListener,
    options: ChannelOptions,
  ) {
    const take = (path: string) => (found: Found) => {
      if (found.ok || this.found.get(path)?.ok !== true) this.found.set(path, found);
      return this.tell();
    };
    this.names = target.path
      .split(",")
      .map((path) => experimental.createResolver({ scheme: "dns", path }, take(path), options));
  }

  updateResolution(): void {
    for (const name of this.names) name.updateResolution();
  }

  destroy(): void {
    for (const name of this.names) name.destroy();
  }

  /** Reports the addresses known so far, so that a slow name server does not delay calls to other addresses. */
  private tell(): boolean {
    const found = [...this.found.values()];
    const endpoints = found.flatMap((one) => (one.ok ? one.value : []));
    if (endpoints.length > 0) return this.listener({ ok: true, value: endpoints }, {}, null, "");
    const [failure] = found;
    if (failure === undefined || found.length < this.names.length) return true;
    return this.listener(failure, {}, null, "");
  }

  /** The server name for TLS (SNI), which may not be an IP address. The credentials decide which peer is accepted. */
  static getDefaultAuthority(target: experimental.GrpcUri): string {
    const hosts = target.path.split(",").map((path) => experimental.splitHostPort(path)?.host ?? "");
    return hosts.find((host) => isIP(host) === 0) ?? "localhost";
  }
}

experimental.registerResolver(SCHEME, AddressListResolver);

/**
 * Retries calls that failed before or while a replica accepted them, at most twice, within the deadline of the call.
 * The first delay is 50 ms ± 20 %, the second three times that. No call is retried once its response has begun.
 */
const RETRY_POLICY = {
  maxAttempts: 3,
  initialBackoff: "0.05s",
  maxBackoff: "1s",
  backoffMultiplier: 3,
  retryableStatusCodes: ["UNAVAILABLE"],
};

/**
 * Retry budget of all calls to one peer, so that an overloaded service does not get three times the load: a failed
 * attempt costs one token, a successful call returns a tenth, and nothing is retried while half of the tokens are gone.
 * A replica may die with 200 calls in progress, but in the long run at most one call in ten is retried.
 */
const RETRY_BUDGET = { maxTokens: 400, tokenRatio: 0.1 };

/** The grpc-js service config: load balancing over the replicas, and the methods that are retried. */
function serviceConfig(service: DescService): string {
  const names = service.methods
    .filter(mayRunTwice)
    .map((method) => ({ service: service.typeName, method: method.name }));
  return JSON.stringify({
    loadBalancingConfig: [{ round_robin: {} }],
    methodConfig: names.length === 0 ? [] : [{ name: names, retryPolicy: RETRY_POLICY }],
    retryThrottling: RETRY_BUDGET,
  });
}

/** Whether the method's `idempotency_level` in proto/ allows a retry. */
function mayRunTwice({ idempotency }: DescMethod): boolean {
  return idempotency === Level.NO_SIDE_EFFECTS || idempotency === Level.IDEMPOTENT;
}
