import type { z } from "zod";

/** One call of a function. */
export type CallDoc = {
  /** The method of the typed client, such as `list`. */
  name: string;
  summary: string;
  /** The body; of a GET the query. */
  takes: z.ZodType;
  /** The type of the response, exported by src/contract. */
  answers: string;
  /** True if the header Idempotency-Key makes it safe to send again. */
  isRepeatable?: boolean;
  /** A body to start from. */
  example?: Record<string, unknown>;
};

/** A function. It is a POST unless `method` is set. */
type FunctionDoc = {
  summary: string;
  method?: "get";
  /** The part of the typed client, if not the path's name. */
  group?: string;
  calls: CallDoc[];
};

/** By path. */
export type FunctionDocs = Record<string, FunctionDoc>;
