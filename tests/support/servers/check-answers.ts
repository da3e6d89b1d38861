/** Compares responses with /openapi.json. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describeApi } from "#server/functions/openapi/describe-api.ts";

type Call = { request: string; response: string };
type Schema = Record<string, unknown>;
type Operation = { "x-calls"?: Call[] };

const REF = "#/components/schemas/";

let schemas: Schema | null = null;
let paths: Record<string, Record<string, Operation>> = {};
const validators = new Map<string, ValidateFunction>();
const ajv = new Ajv2020({ strict: false, allErrors: false });

/** Sends a request like `fetch`. Throws an error if a function's response is not what the API's document says. */
export async function checkedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  if (!pathname.startsWith("/functions/v1/") || !isJson) return response;
  const body: unknown = await response.clone().json();
  const fault = response.ok ? faultOfAnswer(pathname, init, body) : faultOf("Problem", body, false);
  if (fault !== null) console.error(fault);
  if (fault !== null) throw new Error(`The response of ${pathname} is not as described: ${fault}`);
  return response;
}

/** Returns what is wrong with an object of a described type, or null. With `isExact`, other fields are wrong, too. */
export function faultOf(type: string, value: unknown, isExact = true): string | null {
  load();
  const key = `${type} ${isExact}`;
  let validate = validators.get(key);
  if (!validate) {
    const components = isExact ? closed(schemas) : schemas;
    validate = ajv.compile({ $id: `clipmill:${key}`, $ref: REF + type, components: { schemas: components } });
    validators.set(key, validate);
  }
  return validate(value) ? null : `${type} ${ajv.errorsText(validate.errors)}`;
}

function load(): void {
  if (schemas) return;
  const document = describeApi() as unknown as { components: { schemas: Schema }; paths: typeof paths };
  ({ paths } = document);
  ({ schemas } = document.components);
}

function faultOfAnswer(pathname: string, init: RequestInit | undefined, body: unknown): string | null {
  load();
  const calls = paths[pathname]?.[(init?.method ?? "GET").toLowerCase()]?.["x-calls"];
  if (!calls) return null;
  const types = [...new Set(calls.map(({ response }) => response.slice(REF.length)))];
  const faults = types.map((type) => faultOf(type, body));
  return faults.includes(null) ? null : faults.join("; or ");
}

/** Returns the schemas of types without room for other fields. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return copy["type"] === "object" && copy["properties"] && !("additionalProperties" in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
