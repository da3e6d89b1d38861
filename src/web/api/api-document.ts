import { fetchWithSession } from "./connection/fetch-with-session.ts";
import { CallError, readCallError, UNREACHABLE } from "./functions/call-error.ts";

/** The parts of JSON Schema that the reference shows. */
export type Schema = {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
};

type ApiCall = {
  name: string;
  summary: string;
  scope: string;
  request: string;
  response: string;
  isRepeatable: boolean;
};

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; description?: string; schema: Schema }[];
  "x-scope"?: string | string[];
  "x-calls"?: ApiCall[];
};

export type ApiDocument = {
  info: { version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export const apiDocumentKey = ["api-document"] as const;

/** Throws CallError. */
export async function readApiDocument(signal: AbortSignal): Promise<ApiDocument> {
  const response = await fetchWithSession("/openapi.json", { signal }).catch(() => null);
  if (!response) throw new CallError(0, UNREACHABLE);
  if (!response.ok) throw await readCallError(response);
  return (await response.json()) as ApiDocument;
}
