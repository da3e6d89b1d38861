/** Live row changes over one socket, opened by the first subscription. */
import type { RealtimeClient } from "@supabase/realtime-js";
import { apiKeyHeader, auth, baseUrls, readAccessToken } from "./client.ts";
import { setInterrupted } from "./interruptions.ts";

export type RowChange<Row> =
  | { type: "INSERT"; row: Row }
  | { type: "UPDATE"; row: Row }
  | { type: "DELETE"; id: string };

type ChangeSubscription<Row> = {
  /** Unique among open channels. */
  channel: string;
  table: string;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  /** For example, `id=eq.<id>`. */
  filter?: string | undefined;
  onChange: (change: RowChange<Row>) => void;
  /**
   * Called when the subscription starts or resumes. Changes missed while disconnected are not replayed: unless
   * `isFirst`, refetch the data.
   */
  onSubscribed?: ((isFirst: boolean) => void) | undefined;
};

let clientPromise: Promise<RealtimeClient> | null = null;

/** A name can be reused only after its channel is removed. */
const leaving = new Map<string, Promise<unknown>>();

/** Returns a function that unsubscribes. */
export function subscribeToChanges<Row extends object>(subscription: ChangeSubscription<Row>): () => void {
  const stop = new AbortController();
  void join(subscription, stop.signal);
  return () => stop.abort();
}

async function join<Row extends object>(subscription: ChangeSubscription<Row>, signal: AbortSignal): Promise<void> {
  const name = subscription.channel;
  clientPromise ??= openClient();
  const client = await clientPromise;
  await leaving.get(name);
  // The server rejects joins without a token.
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
