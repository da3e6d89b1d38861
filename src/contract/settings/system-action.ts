import { z } from "zod";
import { CONCURRENCY_RANGE } from "./system.ts";

const workerId = z.uuid({ error: "The worker ID is missing or not valid." });
const { least, most } = CONCURRENCY_RANGE;
const range = { error: `The concurrency must be a whole number from ${least} to ${most}.` };

export const systemActionSchema = z.discriminatedUnion(
  "action",
  [
    z.object({ action: z.literal("pause-worker"), workerId }),
    z.object({ action: z.literal("resume-worker"), workerId }),
    z.object({ action: z.literal("drain-worker"), workerId }),
    z.object({ action: z.literal("forget-worker"), workerId }),
    z.object({
      action: z.literal("set-concurrency"),
      workerId,
      concurrency: z.int(range).min(least, range).max(most, range),
    }),
    z.object({ action: z.literal("pause-queue") }),
    z.object({ action: z.literal("resume-queue") }),
  ],
  { error: "Unknown action." },
);
export type SystemAction = z.output<typeof systemActionSchema>;
