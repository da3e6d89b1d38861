import { type Kysely, sql } from "kysely";

/**
 * queue_load(), for autoscalers: tasks that run or could start now, without held and postponed ones, and waiting ones
 * while the queue is paused. plpgsql reads pg-boss's table only when called; pg-boss creates it after the migrations.
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
