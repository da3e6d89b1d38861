import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApiClient } from "./api-client.ts";

let server: Server;
let url: string;
let handle: (request: IncomingMessage, response: ServerResponse, place: number) => void;
let count = 0;

beforeAll(async () => {
  server = createServer((request, response) => handle(request, response, (count += 1)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

function call(options: object = {}, token: string | null = "clm_secret", address = url) {
  count = 0;
  const api = createApiClient({ server: address, token, signal: new AbortController().signal });
  return api.call("/functions/v1/jobs", options);
}

const send =
  (status: number, body: string, headers = {}) =>
  (_: unknown, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);

it.each([
  [
    401,
    '{"error":"This API token has expired."}',
    "unauthorized",
    /^This API token has expired\. Run `clipmill login http/,
  ],
  [403, '{"error":"This API token needs the scope sets."}', "forbidden", /scope sets\. Create a token with this scope/],
  [404, '{"error":"There is no function with this name."}', "not_found", /is older than this command/],
  [404, "<html>", "not_found", /There is no Clipmill at http/],
  [200, "<html>hello</html>", "not_found", /There is no Clipmill at http/],
  [502, "<html>", "unavailable", /a proxy in front of it does not work \(status 502\)/],
  [
    400,
    '{"message":"Names can have at most 100 characters","code":"x"}',
    "invalid",
    /^Names can have at most 100 characters\.$/,
  ],
  [422, '{"error":"This link cannot be used.","code":"unsupported"}', "invalid", /^This link cannot be used\.$/],
  [422, '{"error":"Used for another request.","code":"key_reused"}', "key_reused", /^Used for another request\.$/],
  [507, '{"error":"The disk is full."}', "no_space", /^The disk is full\.$/],
])("explains %i %s", async (status, body, code, sentence) => {
  handle = send(status, body);
  const failure = call({ body: {} });
  await expect(failure).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });
  await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining("clm_secret") });
});

it("sends no token to the target of a redirect", async () => {
  handle = send(301, "", { location: "https://other.example/functions/v1/jobs" });
  await expect(call()).rejects.toThrow("redirects to another address. Use https://other.example instead.");
  expect(count).toBe(1);
});

it("asks for a token before it sends anything", async () => {
  await expect(call({}, null)).rejects.toMatchObject({
    code: "unauthorized",
    message: expect.stringContaining("clipmill login"),
  });
  expect(count).toBe(0);
});

it("repeats what can be repeated, and nothing else after it was received", async () => {
  handle = (request, response, place) => (place < 3 ? request.socket.destroy() : response.end('{"done":true}'));
  expect(await call({ body: {}, isRepeatable: true })).toEqual({ done: true });
  expect(count).toBe(3);
  await expect(call({ body: {} })).rejects.toMatchObject({ code: "network" });
  expect(count).toBe(1);
  // Nothing was done yet.
  handle = (_request, response, place) => (place < 2 ? response.writeHead(429).end() : response.end('{"done":true}'));
  expect(await call({ body: {} })).toEqual({ done: true });
});

it("says what is wrong with an address", async () => {
  await expect(call({}, "clm_a", url.replace("http:", "https:"))).rejects.toThrow("does not respond to https");
  await expect(call({}, "clm_a", "http://127.0.0.1:9")).rejects.toThrow(/could not be reached/);
});
