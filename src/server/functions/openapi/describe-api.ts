/** Builds /openapi.json from request schemas and the contract's response types. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { VERSION } from "#operations/fleet/version.ts";
import { scopeOf } from "../../auth/scopes.ts";
import { ABOUT, REALTIME, TAGS } from "./about.ts";
import { describeFiles, FILE_TYPES } from "./describe-files.ts";
import { describeTables, TABLE_TYPES } from "./describe-tables.ts";
import type { CallDoc, FunctionDocs } from "./function-doc.ts";
import { FUNCTIONS } from "./functions.ts";
import { jsonBody, problemResponses, refTo, type Schema } from "./parts.ts";

type Schemas = Record<string, Schema>;

/** Written to types.json by `npm run api`. */
export function usedTypes(): string[] {
  const answers = Object.values(FUNCTIONS).flatMap(({ calls }) => calls.map((call) => call.answers));
  return [...new Set([...answers, ...TABLE_TYPES, ...FILE_TYPES, "Problem", "TableError"])].toSorted();
}

function readTypes(): Schemas {
  return JSON.parse(
    readFileSync(fileURLToPath(import.meta.resolve("#server/functions/openapi/types.json")), "utf8"),
  ) as Schemas;
}

/** Returns the OpenAPI 3.1 document. `types` has the schemas of `usedTypes`. */
export function describeApi(types: Schemas = readTypes()): Record<string, unknown> {
  const requests: Schemas = {};
  const functions = Object.entries(FUNCTIONS).map(([path, doc]) => [path, describeFunction(path, doc, requests)]);
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

function describeFunction(path: string, doc: FunctionDocs[string], requests: Schemas): Record<string, unknown> {
  const name = path.split("/").slice(3);
  const calls = doc.calls.map((call) => describeCall(path, name, call, requests, doc.method));
  const answers = [...new Set(doc.calls.map((call) => call.answers))].map(refTo);
  const isRepeatable = doc.calls.some((call) => call.isRepeatable);
  const scopes = [...new Set(calls.map((call) => call.scope))];
  const examples = doc.calls.flatMap((call) => (call.example ? [[call.name, { value: call.example }]] : []));
  const operation = {
    operationId: camel(name),
    tags: ["Functions"],
    summary: doc.summary,
    description: calls.map((call) => `- **${call.name}** (${call.scope ?? "session"}): ${call.summary}`).join("\n"),
    "x-group": doc.group ?? camel(name),
    "x-scope": scopes.length === 1 ? scopes[0] : scopes,
    "x-calls": calls,
    ...(scopes.includes("session") && { security: [{ session: [] }] }),
    responses: {
      200: { description: "Success.", content: jsonBody(anyOf(answers)) },
      ...problemResponses(isRepeatable),
    },
  };
  if (doc.method === "get")
    return {
      get: { ...operation, parameters: queryOf(requests[pascal([...name, ...doc.calls.map((call) => call.name)])]!) },
    };
  const bodies = calls.map((call) => ({ $ref: call.request }));
  return {
    post: {
      ...operation,
      ...(isRepeatable && { parameters: [IDEMPOTENCY_KEY] }),
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: anyOf(bodies),
            ...(examples.length > 0 && { examples: Object.fromEntries(examples) as unknown }),
          },
        },
      },
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
  selects: Record<string, unknown>;
  request: string;
  response: string;
  isRepeatable: boolean;
};

function describeCall(
  path: string,
  functionName: string[],
  call: CallDoc,
  requests: Schemas,
  method = "post",
): DescribedCall {
  const { $schema: _, ...schema } = z.toJSONSchema(call.takes, { io: "input", unrepresentable: "any" }) as Schema;
  const requestName = pascal([...functionName, call.name], method === "get" ? "" : "Request");
  requests[requestName] = schema;
  const { name, summary, isRepeatable = false } = call;
  const selects = constantsOf(schema);
  const scope = scopeOf(method.toUpperCase(), path, selects) ?? "any";
  const [request, response] = [refTo(requestName).$ref, refTo(call.answers).$ref];
  return { name, summary, scope, selects, request, response, isRepeatable };
}

function constantsOf(schema: Schema): Record<string, unknown> {
  const parts = [schema, ...((schema["allOf"] ?? []) as Schema[])];
  const fields = parts.flatMap((part) => {
    const required = (part["required"] ?? []) as string[];
    const all = Object.entries((part["properties"] ?? {}) as Record<string, Schema>);
    return all.filter(([name]) => required.includes(name));
  });
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const fixed = [field, ...((field["allOf"] ?? []) as Schema[])].find((part) => "const" in part);
      return fixed ? [[name, fixed["const"]]] : [];
    }),
  );
}

function queryOf(schema: Schema): Schema[] {
  const fields = Object.entries((schema["properties"] ?? {}) as Record<string, Schema>);
  return fields.map(([name, field]) => ({ name, in: "query", schema: field }));
}

function anyOf(schemas: Schema[]): Schema {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas };
}

function words(parts: string[]): string[] {
  return parts.flatMap((part) => part.split("-"));
}

function pascal(parts: string[], suffix = ""): string {
  return (
    words(parts)
      .map((word) => word[0]!.toUpperCase() + word.slice(1))
      .join("") + suffix
  );
}

function camel(parts: string[]): string {
  const name = pascal(parts);
  return name[0]!.toLowerCase() + name.slice(1);
}
