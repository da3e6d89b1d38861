import type { Logger } from "pino";
import { type Change, CHANGES_CHANNEL, parseChange } from "#database/changes.ts";
import type { Database } from "#database/open-database.ts";
import type { Context } from "#operations/context.ts";
import { readJobOutput, readJobVideo, readLightJob } from "#operations/jobs/read/read-job.ts";
import { collectChanges, type RowChanges } from "./collect-changes.ts";

/** A change with the current light row; null if deleted. */
export type RowChange = { change: Change; record: Record<string, unknown> | null };

export type ChangeListener = {
  isWanted(change: Change): boolean;
  tell(change: RowChange): void;
  /** Changes may have been missed; the client must read again. */
  onGap(): void;
};

export type ChangeFeed = {
  add(listener: ChangeListener): void;
  remove(listener: ChangeListener): void;
  stop(): Promise<void>;
};

/** Listens for table changes, reads each changed row once, and passes it to interested listeners in order. */
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
        for (const rowChange of toRowChanges(change, ops, await readRow(context, change))) {
          for (const listener of listeners) if (listener.isWanted(rowChange.change)) listener.tell(rowChange);
        }
      } catch (error) {
        log.error({ err: error, table: change.table, id: change.id }, "could not send a live update");
        for (const listener of listeners) if (listener.isWanted(change)) listener.onGap();
      }
    }
  };

  const changes = collectChanges((rows) => {
    // Sequential batches keep a row's states in order.
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

/** A row inserted and then updated is sent as both: listeners may subscribe to only one. */
function toRowChanges(change: Change, ops: Set<Change["op"]>, record: Record<string, unknown> | null): RowChange[] {
  if (ops.has("DELETE")) return [{ change: { ...change, op: "DELETE" }, record: null }];
  // Deleted meanwhile; its notification follows.
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
