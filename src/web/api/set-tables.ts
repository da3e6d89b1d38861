/** The saved sets' tables, for the set screens. All calls throw CallError. */
import { openTables, requireRows } from "./tables.ts";

/** `items`: captions or audio links. */
export type SavedSet = { id: string; name: string; items: string[]; created_at: string };
export type SetDraft = Pick<SavedSet, "name" | "items">;

export type SetTable = {
  /** Newest first. */
  list(signal?: AbortSignal): Promise<SavedSet[]>;
  /** Returns null, like `change`, if the set no longer exists. */
  read(id: string): Promise<SavedSet | null>;
  add(draft: SetDraft): Promise<SavedSet>;
  change(id: string, draft: SetDraft): Promise<SavedSet | null>;
  /** Succeeds if the set no longer exists. */
  remove(id: string): Promise<void>;
};

/** The server's row limit per response. */
const PAGE_ROWS = 1_000;

export const captionSetTable = createSetTable("caption_sets", "captions");
export const audioSetTable = createSetTable("audio_sets", "audio_links");

function createSetTable(table: string, column: "captions" | "audio_links"): SetTable {
  const toSets = (rows: unknown): SavedSet[] =>
    (rows as Row[]).map(({ id, name, created_at, [column]: items }) => ({ id, name, created_at, items: items ?? [] }));
  const toRow = ({ name, items }: SetDraft) => ({ name, [column]: items });

  return {
    async list(signal) {
      const tables = await openTables();
      const sets: SavedSet[] = [];
      for (;;) {
        const page = tables
          .from(table)
          .select("*")
          .order("created_at", { ascending: false })
          .range(sets.length, sets.length + PAGE_ROWS - 1);
        const rows = toSets(requireRows(await (signal ? page.abortSignal(signal) : page)));
        sets.push(...rows);
        if (rows.length < PAGE_ROWS) return sets;
      }
    },
    async read(id) {
      const tables = await openTables();
      return toSets(requireRows(await tables.from(table).select("*").eq("id", id)))[0] ?? null;
    },
    async add(draft) {
      const tables = await openTables();
      return toSets(requireRows(await tables.from(table).insert(toRow(draft)).select("*")))[0]!;
    },
    async change(id, draft) {
      const tables = await openTables();
      return toSets(requireRows(await tables.from(table).update(toRow(draft)).eq("id", id).select("*")))[0] ?? null;
    },
    async remove(id) {
      const tables = await openTables();
      requireRows(await tables.from(table).delete().eq("id", id));
    },
  };
}

type Row = Omit<SavedSet, "items"> & Partial<Record<"captions" | "audio_links", string[]>>;
