import type { Change } from "#database/changes.ts";
import type { AccessClaims } from "../auth/sessions/access-token.ts";
import { type Binding, isWanted } from "./binding.ts";
import type { ChangeListener, RowChange } from "./change-feed.ts";

export type Send = (event: string, payload: Record<string, unknown>) => void;

export type Channel = ChangeListener & {
  readonly joinRef: string | null;
  readonly sessionId: string;
  /** Continues with a newer token of the same session. */
  renew(claims: AccessClaims): void;
  stop(): void;
};

/**
 * Sends phx_error when the token expires or changes may have been missed; the client then rejoins with its current
 * token and reads again.
 */
export function openChannel(options: {
  joinRef: string | null;
  claims: AccessClaims;
  bindings: Binding[];
  send: Send;
  onEnd(): void;
}): Channel {
  const { joinRef, bindings, send } = options;
  let timer: NodeJS.Timeout | undefined;
  const fail = (): void => {
    clearTimeout(timer);
    send("phx_error", {});
    options.onEnd();
  };
  const renew = (claims: AccessClaims): void => {
    clearTimeout(timer);
    timer = setTimeout(fail, Math.max(0, claims.expiresAt * 1000 - Date.now()));
    timer.unref();
  };
  renew(options.claims);
  return {
    joinRef,
    sessionId: options.claims.sessionId,
    renew,
    stop: () => clearTimeout(timer),
    isWanted: (change) => bindings.some((binding) => isWanted(binding, change)),
    tell: (rowChange) => {
      const ids = bindings.filter((binding) => isWanted(binding, rowChange.change)).map((binding) => binding.id);
      send("postgres_changes", { ids, data: toData(rowChange) });
    },
    onGap: fail,
  };
}

/** Clients convert text by `columns`; it stays empty, because values are JSON. */
function toData({ change, record }: RowChange): Record<string, unknown> {
  return {
    schema: "public",
    table: change.table,
    type: change.op,
    commit_timestamp: new Date().toISOString(),
    columns: [],
    ...(change.op !== "DELETE" && { record }),
    ...(change.op !== "INSERT" && { old_record: keysOf(change) }),
    errors: null,
  };
}

function keysOf(change: Change): Record<string, string> {
  return change.table === "jobs" ? { id: change.id } : { id: change.id, job_id: change.job_id };
}
