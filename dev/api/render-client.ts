import { type JsonSchema, renderComment, renderType } from "./render-types.ts";

type Call = {
  name: string;
  summary: string;
  selects: Record<string, unknown>;
  request: string;
  response: string;
  isRepeatable: boolean;
};
type Operation = { "x-calls"?: Call[]; "x-group"?: string };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
};

/** Returns the text of clients/typescript/api.ts. */
export function renderClient(document: object): string {
  const { paths, components } = document as Document;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      (operation["x-calls"] ?? []).map((call) => Object.assign(call, { path, method, group: operation["x-group"]! })),
    ),
  );
  const selected = new Map(calls.map((call) => [nameOf(call.request), Object.keys(call.selects)]));
  const types = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `${renderComment(schema["description"])}export type ${name} = ${renderType(schema, selected.get(name))};`,
  );
  const groups = Object.entries(Object.groupBy(calls, ({ group }) => group)).map(([group, members]) => {
    const methods = members!.map((call) => {
      const [request, response] = [nameOf(call.request), nameOf(call.response)];
      const isEmpty = renderType(components.schemas[request]!, selected.get(request)) === "Record<string, never>";
      const options = call.isRepeatable ? "RepeatableOptions" : "CallOptions";
      return `${renderComment(call.summary)}${camel(call.name)}(request${isEmpty ? "?" : ""}: ${request}, options?: ${options}): Promise<${response}>;`;
    });
    return `${JSON.stringify(group)}: {\n${methods.join("\n")}\n};`;
  });
  const table = calls.map(({ group, name, method, path, selects, isRepeatable }) =>
    JSON.stringify({ group, name: camel(name), method: method.toUpperCase(), path, selects, isRepeatable }),
  );
  return `/** Written by npm run api from /openapi.json. Do not edit. */

export type CallOptions = { signal?: AbortSignal };
export type RepeatableOptions = CallOptions & {
  /** Makes it safe to send the request again for 24 hours. */
  idempotencyKey?: string;
};

${types.join("\n\n")}

/** The functions of the API. */
export type Functions = {
${groups.join("\n")}
};

/** The rows of the tables. */
export type Tables = {
${renderTables(document as Document)}
};

export const CALLS = [
${table.join(",\n")},
] as const;
`;
}

function renderTables({ paths }: Document): string {
  const tables = Object.entries(paths).flatMap(([path, { get }]) => {
    const found = path.startsWith("/rest/v1/") && /#\/components\/schemas\/(\w+)/.exec(JSON.stringify(get));
    return found ? [`${path.slice("/rest/v1/".length)}: ${found[1]};`] : [];
  });
  return tables.join("\n");
}

function nameOf(ref: string): string {
  return ref.split("/").at(-1)!;
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
