/** Builds /openapi.json from the calls' schemas. */
import { z } from "zod";
import { components } from "#contract/component.ts";
import { VERSION } from "#operations/fleet/list-workers.ts";
import { type Call, type CallFunction, type Fields, PRESENT, type Scope } from "../define-call.ts";
import { FUNCTIONS } from "../functions.ts";
import { ABOUT, REALTIME, TAGS } from "./about.ts";
import { describeFiles } from "./describe-files.ts";
import { describeTables } from "./describe-tables.ts";
import { jsonBody, problemResponses, refOf, type Schema } from "./parts.ts";

type Schemas = Record<string, Schema>;

/** Returns the OpenAPI 3.1 document. Takes about 100 ms. */
export function describeApi(): Record<string, unknown> {
  const { schemas } = z.toJSONSchema(components, { ...OPTIONS, uri: (id) => `#/components/schemas/${id}` });
  const types = Object.fromEntries(
    Object.entries(schemas)
      .map(([id, { $schema: _dialect, $id: _uri, ...schema }]): [string, Schema] => [id, schema])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  const requests: Schemas = {};
  const functions = FUNCTIONS.map((one) => [`/functions/v1/${one.path}`, describeFunction(one, requests)]);
  return {
    openapi: "3.1.0",
    info: { title: "Clipmill", version: VERSION, license: { name: "MIT", identifier: "MIT" }, description: ABOUT },
    servers: [{ url: "/", description: "This installation. The current paths are version 1 of the API." }],
    tags: TAGS,
    "x-realtime": REALTIME,
    security: [{ token: [] }, { session: [] }],
    paths: { ...(Object.fromEntries(functions) as object), ...describeFiles(), ...describeTables(types) },
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "clm_…",
          description: "An API token. `x-scope` is the scope that an operation needs.",
        },
        session: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "JWT",
          description: "The access token of a signed-in session.",
        },
      },
      schemas: { ...types, ...requests },
    },
  };
}

const OPTIONS = { io: "input", unrepresentable: "any" } as const;

function describeFunction(one: CallFunction, requests: Schemas): Record<string, unknown> {
  const posted = one.calls.filter(({ isGet }) => !isGet);
  const queried = one.calls.filter(({ isGet }) => isGet);
  return {
    ...(posted.length > 0 && { post: describePost(one, posted, requests) }),
    ...(queried.length > 0 && { get: describeGet(one, queried, requests, posted.length > 0 ? "read" : null) }),
  };
}

function describePost(one: CallFunction, calls: Call[], requests: Schemas): Schema {
  const described = calls.map((call) => describeCall(one, call, requests));
  const isRepeatable = described.some((call) => call.isRepeatable);
  const examples = calls.flatMap((call) => (call.example ? [[call.name, { value: call.example }]] : []));
  return {
    ...describeOperation(one, described, camel(wordsOf(one))),
    ...(isRepeatable && { parameters: [IDEMPOTENCY_KEY] }),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: anyOf(described.map((call) => ({ $ref: call.request }))),
          ...(examples.length > 0 && { examples: Object.fromEntries(examples) as unknown }),
        },
      },
    },
  };
}

function describeGet(one: CallFunction, calls: Call[], requests: Schemas, prefix: string | null): Schema {
  const described = calls.map((call) => describeCall(one, call, requests));
  const fields = described.flatMap(({ request }) => propertiesOf(requests[request.split("/").at(-1)!]!));
  const parameters = Object.entries(Object.groupBy(fields, ([name]) => name)).map(([name, schemas]) => {
    return { name, in: "query", schema: anyOf(schemas!.map(([, schema]) => schema)) };
  });
  const id = camel(prefix === null ? wordsOf(one) : [prefix, ...wordsOf(one)]);
  return { ...describeOperation(one, described, id), parameters };
}

function describeOperation({ path, summary, group }: CallFunction, calls: DescribedCall[], id: string): Schema {
  const responses = [...new Set(calls.map((call) => call.response))].map(($ref) => ({ $ref }));
  const scopes = [...new Set(calls.map((call) => call.scope))];
  return {
    operationId: id,
    tags: ["Functions"],
    summary,
    description: calls.map((call) => `- **${call.name}** (${call.scope}): ${call.summary}`).join("\n"),
    "x-group": group ?? camel(path.split("/")),
    "x-scope": scopes.length === 1 ? scopes[0] : scopes,
    "x-calls": calls,
    ...(scopes.includes("session") && { security: [{ session: [] }] }),
    responses: {
      200: { description: "Success.", content: jsonBody(anyOf(responses)) },
      ...problemResponses(calls.some((call) => call.isRepeatable)),
    },
  };
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description: "Makes it safe to send the request again for 24 hours. See Idempotency.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
  example: "monday-batch",
};

type DescribedCall = {
  name: string;
  summary: string;
  scope: string;
  /** Constant fields. */
  selects: Fields;
  request: string;
  response: string;
  isRepeatable: boolean;
};

function describeCall(one: CallFunction, call: Call, requests: Schemas): DescribedCall {
  const { $schema: _dialect, ...takes } = z.toJSONSchema(call.takes, OPTIONS) as Schema;
  const fields = fieldsOf(call);
  const schema = withFields(takes, fields);
  const requestName = pascal([...wordsOf(one), call.name], call.isGet ? "" : "Request");
  requests[requestName] = schema;
  const { name, summary } = call;
  const constants = Object.entries(fields).filter(([, value]) => !Array.isArray(value));
  const selects = { ...constantsOf(takes), ...Object.fromEntries(constants) };
  return {
    name,
    summary,
    scope: describeScope(call.scope ?? one.scope, selects),
    selects,
    request: `#/components/schemas/${requestName}`,
    response: refOf(call.answers).$ref,
    isRepeatable: call.isRepeatable !== undefined,
  };
}

/** The constant fields that select the call. */
function fieldsOf({ name, when = { action: name } }: Call): Fields {
  return Object.fromEntries(Object.entries(when).filter(([, wanted]) => wanted !== undefined && wanted !== PRESENT));
}

/** Adds the fields that select a call to its request. */
function withFields(schema: Schema, fields: Fields): Schema {
  for (const union of ["oneOf", "anyOf"]) {
    const members = schema[union] as Schema[] | undefined;
    if (members) return { ...schema, [union]: members.map((member) => withFields(member, fields)) };
  }
  const constants: Schemas = Object.fromEntries(
    Object.entries(fields).map(([name, wanted]) => [name, { const: [wanted].flat().at(-1) }]),
  );
  const required = Object.keys(fields).filter((name) => !Array.isArray(fields[name]));
  return {
    ...schema,
    properties: { ...constants, ...(schema["properties"] as Schemas), ...constants },
    required: [...new Set([...required, ...((schema["required"] ?? []) as string[])])],
  };
}

function describeScope(scope: Scope, selects: Fields): string {
  return [typeof scope === "function" ? scope(selects) : scope].flat().join(" and ");
}

function constantsOf(schema: Schema): Fields {
  const required = (schema["required"] ?? []) as string[];
  const constants = propertiesOf(schema).filter(([name, field]) => "const" in field && required.includes(name));
  return Object.fromEntries(constants.map(([name, field]) => [name, field["const"]]));
}

function propertiesOf(schema: Schema): [string, Schema][] {
  return Object.entries((schema["properties"] ?? {}) as Schemas);
}

function wordsOf({ path }: CallFunction): string[] {
  return path.split("/");
}

function anyOf(schemas: Schema[]): Schema {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

function pascal(parts: string[], suffix = ""): string {
  const words = parts.flatMap((part) => part.split("-"));
  return words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("") + suffix;
}

function camel(parts: string[]): string {
  const name = pascal(parts);
  return name[0]!.toLowerCase() + name.slice(1);
}
