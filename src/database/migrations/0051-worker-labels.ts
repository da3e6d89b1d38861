import { type Kysely, sql } from "kysely";

/**
 * queue_load(labels) is the load of the workers with these labels, for autoscalers with a pool per set of labels. A
 * pool with labels leaves unlabeled videos to the others; queue_load() is the load of workers without labels.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table workers add column labels text[] not null default '{}'`.execute(db);
  await sql`drop function queue_load()`.execute(db);
  await sql`create function queue_load(labels text[] default '{}') returns integer language plpgsql stable as $$
  begin
    if to_regclass('pgboss.job') is null then
      return 0;
    end if;
    return (
      select count(*)::integer from pgboss.job
      where name in ('videos', 'captions', 'deliveries', 'lost-videos', 'lost-captions', 'lost-deliveries')
        and state <= 'active'
        and coalesce(data->'labels', '[]') <@ to_jsonb(queue_load.labels)
        and (queue_load.labels = '{}' or data ? 'labels')
        and (state = 'active' or (not blocked and start_after <= now()
          and not exists (select from settings where settings.name = 'queue_paused')))
    );
  end $$`.execute(db);
}
