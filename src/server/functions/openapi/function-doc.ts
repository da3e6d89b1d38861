import type { z } from "zod";

export type CallDoc = {
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

type FunctionDoc = {
  summary: string;
  method?: "get";
  group?: string;
  calls: CallDoc[];
};

export type FunctionDocs = Record<string, FunctionDoc>;
