import { Client, escapeIdentifier } from "pg";

const RECONNECT_MS = 1_000;

/**
 * LISTEN on a connection of its own, opened again whenever it drops; `onGap` then says that notices may have been
 * missed. Resolves once the first LISTEN stands, to the function that ends it.
 */
export async function listenOnServer(
  databaseUrl: string,
  channel: string,
  onPayload: (payload: string) => void,
  onGap?: () => void,
): Promise<() => Promise<void>> {
  let isStopped = false;
  let client: Client | null = null;
  let timer: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: databaseUrl, keepAlive: true });
    next.on("notification", (notice) => onPayload(notice.payload ?? ""));
    next.on("error", () => {});
    next.once("end", reconnectSoon);
    await next.connect();
    await next.query(`LISTEN ${escapeIdentifier(channel)}`);
    client = next;
  };
  const reconnectSoon = (): void => {
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(() => void connect().then(onGap, reconnectSoon), RECONNECT_MS);
  };

  await connect();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await client?.end();
  };
}
