import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table jobs
    add column caption_style text not null default 'outline' check (caption_style in ('outline', 'box', 'shadow')),
    add column caption_position text not null default 'bottom' check (caption_position in ('top', 'middle', 'bottom')),
    add column caption_size text not null default 'medium' check (caption_size in ('small', 'medium', 'large')),
    add column quality text not null default 'standard' check (quality in ('draft', 'standard', 'high'))`.execute(db);
}
