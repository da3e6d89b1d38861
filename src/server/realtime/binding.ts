import { z } from "zod";
import type { Change } from "#database/changes.ts";

const TABLES = ["jobs", "job_videos", "job_outputs", "deliveries"] as const;
const FILTER = /^(id|job_id)=eq\.(.+)$/;

const bindingSchema = z.object({
  event: z.enum(["*", "INSERT", "UPDATE", "DELETE"]),
  schema: z.literal("public"),
  table: z.enum(["*", ...TABLES]).optional(),
  filter: z.string().regex(FILTER).nullish(),
});

export type Binding = z.output<typeof bindingSchema> & { id: number };

const configSchema = z.object({ postgres_changes: z.array(bindingSchema).max(50).default([]) });

/** Numbers the bindings from `firstId`. Returns null if one is invalid. */
export function parseBindings(config: unknown, firstId: number): Binding[] | null {
  const parsed = configSchema.safeParse(config ?? {});
  return parsed.success
    ? parsed.data.postgres_changes.map((item, i) => Object.assign(item, { id: firstId + i }))
    : null;
}

/** A missing table or filter matches all. */
export function isWanted(binding: Binding, change: Change): boolean {
  if (binding.event !== "*" && binding.event !== change.op) return false;
  if (binding.table && binding.table !== "*" && binding.table !== change.table) return false;
  const [, column, value] = FILTER.exec(binding.filter ?? "") ?? [];
  return column === undefined || change[column as "id" | "job_id"] === value;
}
