/** Sends raw requests of the tus protocol, so that tests can violate it. */
import http from "node:http";
import type { IncomingHttpHeaders } from "node:http";

export type TusResponse = { status: number; headers: IncomingHttpHeaders; body: string };

export type TusSender = {
  request(method: string, path: string, headers?: http.OutgoingHttpHeaders, body?: Uint8Array): Promise<TusResponse>;
  /** Returns the path. */
  create(sizeBytes: number, metadata?: Record<string, string>): Promise<string>;
  offsetOf(path: string): Promise<number>;
  send(path: string, offset: number, body: Uint8Array): Promise<TusResponse>;
  /** Keeps the request open. */
  startSending(path: string, offset: number, body: Uint8Array, announced: number): OpenRequest;
};

type OpenRequest = { response: Promise<TusResponse>; write(more: Uint8Array): void; cut(): void };

const partHeaders = (offset: number) => ({
  "upload-offset": offset,
  "content-type": "application/offset+octet-stream",
});

export function createTusSender(url: string, token: string): TusSender {
  const open = (method: string, path: string, headers: http.OutgoingHttpHeaders) => {
    const request = http.request(url + path, {
      method,
      agent: false,
      headers: { authorization: `Bearer ${token}`, "tus-resumable": "1.0.0", ...headers },
    });
    const response = new Promise<TusResponse>((resolve, reject) => {
      request.on("error", reject);
      request.on("response", (response) => {
        response.toArray().then(
          (pieces) =>
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              body: Buffer.concat(pieces as Buffer[]).toString(),
            }),
          reject,
        );
      });
    });
    return { request, response };
  };
  const request: TusSender["request"] = (method, path, headers = {}, body) => {
    const opened = open(method, path, { ...headers, ...(body && { "content-length": body.length }) });
    opened.request.end(body);
    return opened.response;
  };
  return {
    request,
    async create(sizeBytes, metadata = {}) {
      const pairs = Object.entries(metadata).map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`);
      const response = await request("POST", "/uploads/tus", {
        "upload-length": sizeBytes,
        ...(pairs.length > 0 && { "upload-metadata": pairs.join(",") }),
      });
      if (response.status !== 201) throw new Error(`${response.status} ${response.body}`);
      return response.headers.location!;
    },
    async offsetOf(path) {
      const { status, headers } = await request("HEAD", path);
      if (status !== 200) throw new Error(`HEAD returned ${status}.`);
      return Number(headers["upload-offset"]);
    },
    send: (path, offset, body) => request("PATCH", path, partHeaders(offset), body),
    startSending(path, offset, body, announced) {
      const opened = open("PATCH", path, { ...partHeaders(offset), "content-length": announced });
      opened.request.write(body);
      // A test that cuts the request does not await its response.
      opened.response.catch(() => {});
      return {
        response: opened.response,
        write: (more) => void opened.request.write(more),
        cut: () => void opened.request.destroy(),
      };
    },
  };
}
