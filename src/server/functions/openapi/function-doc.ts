import type { z } from "zod";

export type CallDoc = {
  /** In the typed client, such as `list`. */
  name: string;
  summary: string;
  /** The body, or a GET's query. */
  takes: z.ZodType;
  /** A type exported by src/contract. */
  answers: string;
  /** Idempotency-Key makes it safe to send again. */
  isRepeatable?: boolean;
  example?: Record<string, unknown>;
};

/** A POST unless `method` is set. */
type FunctionDoc = {
  summary: string;
  method?: "get";
  /** In the typed client, if not the path's name. */
  group?: string;
  calls: CallDoc[];
};

/** By path. */
export type FunctionDocs = Record<string, FunctionDoc>;
