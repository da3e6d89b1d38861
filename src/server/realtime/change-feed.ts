import type { Logger } from "pino";
import { type Change, CHANGES_CHANNEL, parseChange } from "#database/changes.ts";
import type { Database } from "#database/open-database.ts";
import type { Context } from "#operations/context.ts";
import { readJobOutput, readJobVideo, readLightJob } from "#operations/jobs/read/read-job.ts";
import { collectChanges, type RowChanges } from "./collect-changes.ts";

/** A change with the light row as it is now; null for a row that was deleted. */
export type RowChange = { change: Change; record: Record<string, unknown> | null };

export type ChangeListener = {
  isWanted(change: Change): boolean;
  tell(change: RowChange): void;
  /** Changes may have been missed: whoever listens must read again. */
  onGap(): void;
};

export type ChangeFeed = {
  add(listener: ChangeListener): void;
  remove(listener: ChangeListener): void;
  stop(): Promise<void>;
};

/** Hears what the tables say, reads each touched row once, and tells those who want to know, in order. */
export async function startChangeFeed(
  context: Pick<Context, "db" | "links">,
  database: Database,
  log: Logger,
): Promise<ChangeFeed> {
  const listeners = new Set<ChangeListener>();
  let sending: Promise<void> = Promise.resolve();

  const isWantedByAny = (change: Change) => [...listeners].some((listener) => listener.isWanted(change));

  const sendAll = async (rows: RowChanges[]): Promise<void> => {
    for (const { change, ops } of rows) {
      try {
        for (const told of toRowChanges(change, ops, await readRow(context, change))) {
          for (const listener of listeners) if (listener.isWanted(told.change)) listener.tell(told);
        }
      } catch (error) {
        log.error({ err: error, table: change.table, id: change.id }, "a live update could not be sent");
        for (const listener of listeners) if (listener.isWanted(change)) listener.onGap();
      }
    }
  };

  const changes = collectChanges((rows) => {
    // One batch after the other, so that a row's states arrive in their order.
    sending = sending.then(() => sendAll(rows));
  });

  const unlisten = await database.listen(
    CHANGES_CHANNEL,
    (payload) => {
      const change = parseChange(payload);
      if (isWantedByAny(change)) changes.note(change);
    },
    () => {
      for (const listener of listeners) listener.onGap();
    },
  );
  return {
    add: (listener) => void listeners.add(listener),
    remove: (listener) => void listeners.delete(listener),
    async stop() {
      await unlisten();
      changes.stop();
      await sending;
    },
  };
}

/** A row that was made and changed at once is told as both: somebody may listen to one of the two alone. */
function toRowChanges(change: Change, ops: Set<Change["op"]>, record: Record<string, unknown> | null): RowChange[] {
  if (ops.has("DELETE")) return [{ change: { ...change, op: "DELETE" }, record: null }];
  // Gone again already: its own notice is on the way.
  if (!record) return [];
  return (["INSERT", "UPDATE"] as const)
    .filter((op) => ops.has(op))
    .map((op) => ({ change: { ...change, op }, record }));
}

function readRow(
  context: Pick<Context, "db" | "links">,
  { table, id, op }: Change,
): Promise<Record<string, unknown> | null> {
  if (op === "DELETE") return Promise.resolve(null);
  switch (table) {
    case "jobs":
      return readLightJob(context, id);
    case "job_videos":
      return readJobVideo(context, id);
    case "job_outputs":
      return readJobOutput(context, id);
  }
}
