import { Ajv2020 } from "ajv/dist/2020.js";
import { describeApi } from "#server/functions/openapi/describe-api.ts";

type Call = { selects: Record<string, unknown>; response: string };
type Operation = { "x-calls"?: Call[] };

const REF = "#/components/schemas/";
const OPEN = "clipmill:open";
const EXACT = "clipmill:exact";

let paths: Record<string, Record<string, Operation>> | null = null;
// Another test checks the schemas themselves.
const ajv = new Ajv2020({ strict: false, validateSchema: false });

/** Sends a request like `fetch`. Throws if a function's response does not match /openapi.json. */
export async function checkedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const url = new URL(input instanceof Request ? input.url : input);
  const { pathname } = url;
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (!pathname.startsWith("/functions/v1/") || !isJson) return response;
  const body: unknown = await response.clone().json();
  const mismatch = response.ok ? mismatchOfResponse(url, init, body) : mismatchOf("Problem", body, false);
  if (mismatch !== null) throw new Error(`The response of ${pathname} is not as described: ${mismatch}`);
  return response;
}

/** Returns why an object does not match a described type, or null. `isExact` disallows additional fields. */
export function mismatchOf(type: string, value: unknown, isExact = true): string | null {
  load();
  const validate = ajv.getSchema(`${isExact ? EXACT : OPEN}${REF}${type}`)!;
  return validate(value) === true ? null : `${type} ${ajv.errorsText(validate.errors)}`;
}

/** Builds the document ahead of tests; on a loaded machine, this takes so long that idle connections would close. */
export function load(): void {
  if (paths) return;
  const document = describeApi() as unknown as { components: { schemas: object }; paths: typeof paths };
  ({ paths } = document);
  const { schemas } = document.components;
  ajv.addSchema({ $id: OPEN, components: { schemas } });
  ajv.addSchema({ $id: EXACT, components: { schemas: closed(schemas) } });
}

function mismatchOfResponse(url: URL, init: RequestInit | undefined, body: unknown): string | null {
  load();
  const calls = paths?.[url.pathname]?.[(init?.method ?? "GET").toLowerCase()]?.["x-calls"] ?? [];
  const sent = typeof init?.body === "string" ? (JSON.parse(init.body) as object) : {};
  const request: Record<string, unknown> = { ...sent, ...Object.fromEntries(url.searchParams) };
  const fitting = calls.filter(({ selects }) =>
    Object.entries(selects).every(([name, value]) => request[name] === value),
  );
  // A call without selectors matches every request.
  const most = Math.max(...fitting.map(({ selects }) => Object.keys(selects).length));
  const types = fitting.filter(({ selects }) => Object.keys(selects).length === most).map(({ response }) => response);
  const mismatches = types.map((type) => mismatchOf(type.slice(REF.length), body));
  return mismatches.length === 0 || mismatches.includes(null) ? null : mismatches.join("; or ");
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return copy["type"] === "object" && copy["properties"] && !("additionalProperties" in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
