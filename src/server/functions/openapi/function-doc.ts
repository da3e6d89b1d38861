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

/** By path. All are a POST unless `method` says otherwise. */
export type FunctionDocs = Record<string, { summary: string; method?: "get"; calls: CallDoc[] }>;
