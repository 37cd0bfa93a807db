import {
  create,
  fromBinary,
  type DescMessage,
  type DescMethod,
  type DescMethodClientStreaming,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  type DescService,
  type Message,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import {
  Client as Channel,
  connectivityState,
  status,
  type ClientWritableStream,
  type ServiceError,
} from "@grpc/grpc-js";
import { AppError } from "../../errors/app-error.js";
import { CallLifetime, DEFAULT_TIMEOUT_MS } from "../call-lifetime.js";
import { clientOf } from "../method-kind.js";
import type { CallOptions, Client } from "../service.js";
import { peerAddresses } from "./addresses.js";
import { channelCredentials } from "./credentials.js";
import type { TlsFiles } from "../../tls-certificates.js";
import { MessageWriter } from "./messages/message-writer.js";
import { encode, MESSAGE_BYTES_MAX, unchanged } from "./messages/messages.js";
import { callMetadata, fromServiceError } from "./metadata.js";
import { RECEIVE_WINDOW_BYTES } from "./receive-window.js";
import { serviceConfig } from "./service-config.js";

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
  private turn = 0;

  constructor(private readonly channels: readonly Channel[]) {}

  async unary(path: string, method: DescMethodUnary, request: Init, options: CallOptions): Promise<Message> {
    const metadata = callMetadata(options);
    const deadline = callDeadline(options, DEFAULT_TIMEOUT_MS);
    const attempt = () =>
      this.answered(method, options, (done) => {
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
    return this.answered(method, options, (done, fail) => {
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

  private async answered(
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
   * The channels in turn. One that could not connect fails all calls until it tries again, after a pause of its own
   * length, so it is left out while another may do better: after an outage, one channel may be back seconds before.
   */
  private next(): Channel {
    this.turn = (this.turn + 1) % this.channels.length;
    const channel = this.channels[this.turn];
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
