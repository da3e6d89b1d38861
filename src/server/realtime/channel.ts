import type { Change } from "#database/changes.ts";
import type { AccessClaims } from "../auth/sessions/access-token.ts";
import { type Binding, isWanted } from "./binding.ts";
import type { ChangeListener, RowChange } from "./change-feed.ts";

/** What a channel sends: an event and its payload. */
export type Send = (event: string, payload: Record<string, unknown>) => void;

export type Channel = ChangeListener & {
  readonly joinRef: string | null;
  readonly sessionId: string;
  /** Goes on with a fresh token of the same session. */
  renew(claims: AccessClaims): void;
  /** Forgets its timer; sends nothing. */
  stop(): void;
};

/**
 * One joined channel. It ends with phx_error when its token expires or changes may have been missed: the client then
 * joins again by itself, with its fresh token, and reads again.
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
    tell: (told) => {
      const ids = bindings.filter((binding) => isWanted(binding, told.change)).map((binding) => binding.id);
      send("postgres_changes", { ids, data: toData(told) });
    },
    onGap: fail,
  };
}

/** Values are JSON's own, so the list of columns, by which clients convert text, stays empty. */
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
