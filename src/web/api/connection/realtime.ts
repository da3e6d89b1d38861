/** Live changes of rows, over one socket that opens with the first subscription. */
import type { RealtimeClient } from "@supabase/realtime-js";
import { apiKeyHeader, auth, baseUrls, readAccessToken } from "./client.ts";
import { setInterrupted } from "./interruptions.ts";

/** A change of one row. Of a deleted row only the id is known. */
export type RowChange<Row> =
  | { type: "INSERT"; row: Row }
  | { type: "UPDATE"; row: Row }
  | { type: "DELETE"; id: string };

type ChangeSubscription<Row> = {
  /** Names the channel; two open ones need two names. */
  channel: string;
  table: string;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  /** For instance `id=eq.<id>`. */
  filter?: string | undefined;
  onChange: (change: RowChange<Row>) => void;
  /**
   * Changes arrive from now on. Nothing is replayed after a lost connection: when it is not the first time, what is on
   * screen has to be read again.
   */
  onSubscribed?: ((isFirst: boolean) => void) | undefined;
};

let opening: Promise<RealtimeClient> | null = null;

/** Channels that are being left, by name: the same name may be joined again only after that. */
const leaving = new Map<string, Promise<unknown>>();

/** Listens for changes of rows until the returned function is called. */
export function subscribeToChanges<Row extends object>(subscription: ChangeSubscription<Row>): () => void {
  const stop = new AbortController();
  void join(subscription, stop.signal);
  return () => stop.abort();
}

async function join<Row extends object>(subscription: ChangeSubscription<Row>, signal: AbortSignal): Promise<void> {
  const name = subscription.channel;
  opening ??= openClient();
  const client = await opening;
  await leaving.get(name);
  // A join without a token is refused, so the session comes first and the socket is told of it.
  if (!(await readAccessToken())) return;
  await client.setAuth();
  if (signal.aborted) return;

  let isFirst = true;
  const channel = client
    .channel(name)
    .on<Row>("postgres_changes", filterOf(subscription), (payload) => {
      if (payload.eventType === "DELETE") {
        subscription.onChange({ type: "DELETE", id: (payload.old as Partial<Row> & { id: string }).id });
      } else subscription.onChange({ type: payload.eventType, row: payload.new });
    })
    .subscribe((status: string) => {
      if (signal.aborted) return;
      setInterrupted(name, status !== "SUBSCRIBED");
      if (status !== "SUBSCRIBED") return;
      subscription.onSubscribed?.(isFirst);
      isFirst = false;
    });
  signal.addEventListener(
    "abort",
    () => {
      setInterrupted(name, false);
      leaving.set(name, client.removeChannel(channel));
    },
    { once: true },
  );
}

function filterOf({ event, table, filter }: Pick<ChangeSubscription<object>, "event" | "table" | "filter">) {
  return { event: event as "*", schema: "public", table, ...(filter && { filter }) };
}

async function openClient(): Promise<RealtimeClient> {
  const { RealtimeClient } = await import("@supabase/realtime-js");
  const client = new RealtimeClient(baseUrls.realtime, { params: apiKeyHeader, accessToken: readAccessToken });
  auth.onAuthStateChange((event, session) => {
    if (event === "TOKEN_REFRESHED" && session) void client.setAuth(session.access_token);
  });
  return client;
}
