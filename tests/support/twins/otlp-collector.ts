/** Receives traces like an OpenTelemetry collector (OTLP over HTTP with protobuf). */
import { once } from "node:events";
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

export type ReceivedSpan = {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  /** Null for a trace's first span. */
  parentId: string | null;
  kind: "internal" | "server" | "consumer" | null;
  /** Since 1970. */
  startedNs: bigint;
  /** 0 if open. */
  endedNs: bigint;
  facts: Record<string, string | number>;
  isError: boolean;
};

export type OtlpCollector = {
  url: string;
  spans: ReceivedSpan[];
  headers: IncomingHttpHeaders[];
  /** All requests, as sent. */
  bytes(): Buffer;
  /** 200 by default; null never responds. */
  status: number | null;
  close(): Promise<void>;
};

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const bodies: Buffer[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    collector.headers.push(request.headers);
    bodies.push(body);
    if (request.url === "/v1/traces" && collector.status === 200) collector.spans.push(...readSpans(body));
    if (collector.status !== null) response.writeHead(collector.status).end();
  };
  const server = http.createServer((request, response) => void receive(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const collector: OtlpCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    headers: [],
    bytes: () => Buffer.concat(bodies),
    status: 200,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}

const KINDS = { 1: "internal", 2: "server", 5: "consumer" } as const;
const ERROR = 2n;

/** opentelemetry/proto/trace/v1/trace.proto. */
function readSpans(body: Buffer): ReceivedSpan[] {
  return all(fieldsOf(body), 1).flatMap((resourceSpans) => {
    const [resource] = all(resourceSpans, 1);
    const service = String(factsOf(all(resource!, 1))["service.name"]);
    const spans = all(resourceSpans, 2).flatMap((scope) => all(scope, 2));
    return spans.map((span) => {
      const [status] = all(span, 15);
      return {
        service,
        name: text(span, 5),
        traceId: hex(span, 1),
        spanId: hex(span, 2),
        parentId: hex(span, 4) || null,
        kind: KINDS[Number(number(span, 6)) as keyof typeof KINDS] ?? null,
        startedNs: number(span, 7),
        endedNs: number(span, 8),
        facts: factsOf(all(span, 9)),
        isError: status !== undefined && number(status, 3) === ERROR,
      };
    });
  });
}

type Fields = Map<number, (Buffer | bigint)[]>;

/** protobuf.dev/programming-guides/encoding. */
function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at]!;
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  const valueOf = (type: number): Buffer | bigint => {
    if (type === 0) return varint();
    if (type === 1) return take(8).readBigUInt64LE();
    return type === 2 ? take(Number(varint())) : BigInt(take(4).readUInt32LE());
  };
  while (at < message.length) {
    const tag = Number(varint());
    const value = valueOf(tag & 7);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

function all(fields: Fields, field: number): Fields[] {
  return (fields.get(field) ?? []).map((message) => fieldsOf(message as Buffer));
}

function number(fields: Fields, field: number): bigint {
  return (fields.get(field)?.at(-1) as bigint | undefined) ?? 0n;
}

function text(fields: Fields, field: number): string {
  return ((fields.get(field)?.at(-1) as Buffer | undefined) ?? Buffer.alloc(0)).toString();
}

function hex(fields: Fields, field: number): string {
  return ((fields.get(field)?.at(-1) as Buffer | undefined) ?? Buffer.alloc(0)).toString("hex");
}

/** Only texts and whole numbers occur. */
function factsOf(attributes: Fields[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map((attribute) => {
      const [value] = all(attribute, 2);
      return [text(attribute, 1), value!.has(1) ? text(value!, 1) : Number(number(value!, 3))];
    }),
  );
}
