import { type Selectable, sql } from "kysely";
import type { Delivery, DeliveryFile, DeliveryProblem } from "#contract/destinations/deliveries.ts";
import type { DeliveriesTable } from "#database/tables.ts";
import type { Context } from "../context.ts";

const MAX_PROBLEMS = 5;

type Row = Selectable<DeliveriesTable> & { problems: DeliveryProblem[] };

const PROBLEMS = sql<DeliveryProblem[]>`(
  select coalesce(json_agg(json_build_object('error_message', error_message, 'files', files, 'name', name)), '[]')
  from (
    select error_message, count(*)::int as files, min(name) as name from delivery_files
    where delivery_id = deliveries.id and state = 'Failed' group by error_message
    order by count(*) desc, error_message limit ${MAX_PROBLEMS}
  ) as reasons
)`;

/** Returns each destination's latest delivery, oldest first. */
export async function listDeliveries({ db }: Pick<Context, "db">, jobId: string): Promise<Delivery[]> {
  const rows = await db
    .selectFrom("deliveries")
    .selectAll()
    .select(PROBLEMS.as("problems"))
    .distinctOn(sql`coalesce(destination_id, id)`)
    .where("job_id", "=", jobId)
    .orderBy(sql`coalesce(destination_id, id)`)
    .orderBy("created_at", "desc")
    .execute();
  return rows.map(toDelivery).toSorted((a, b) => a.created_at.localeCompare(b.created_at));
}

export async function readDelivery({ db }: Pick<Context, "db">, id: string): Promise<Delivery | null> {
  const row = await db
    .selectFrom("deliveries")
    .selectAll()
    .select(PROBLEMS.as("problems"))
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? toDelivery(row) : null;
}

export function listDeliveryFiles({ db }: Pick<Context, "db">, id: string): Promise<DeliveryFile[]> {
  return db
    .selectFrom("delivery_files")
    .select(["id", "output_id", "name", "target_path", "state", "attempts", "size_bytes", "sha256"])
    .select(["error_message", "updated_at"])
    .where("delivery_id", "=", id)
    .orderBy("name")
    .execute();
}

function toDelivery({
  stage: _stage,
  place: _place,
  attempts: _attempts,
  waits_for: _host,
  next_try_at: _next,
  ...row
}: Row): Delivery {
  return row;
}
