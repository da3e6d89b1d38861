import { type Kysely, sql } from "kysely";

/**
 * Adds queue_load(): the tasks that run or could start now, for autoscalers, which start and end workers by it. Held and
 * postponed tasks do not count, nor waiting ones while the queue is paused. In plpgsql, which reads pg-boss's table only
 * when it runs: pg-boss creates its table after the migrations.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create function queue_load() returns integer language plpgsql stable as $$
  begin
    if to_regclass('pgboss.job') is null then
      return 0;
    end if;
    return (
      select count(*)::integer from pgboss.job
      where name in ('videos', 'captions', 'deliveries', 'lost-videos', 'lost-captions', 'lost-deliveries')
        and state <= 'active'
        and (state = 'active' or (not blocked and start_after <= now()
          and not exists (select from settings where settings.name = 'queue_paused')))
    );
  end $$`.execute(db);
}
