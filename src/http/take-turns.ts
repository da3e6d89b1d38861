/** How long requests are handled before yielding to the event loop. */
const TURN_MS = 10;
/** Much of a request's work happens after the first call. */
const MAX_WAITING_PER_TURN = 32;

/**
 * Handles clients' requests round-robin: one client's thousand do not delay another's single one. At low load, they run
 * immediately.
 */
export function takeTurns(): (client: string, handle: () => void) => void {
  const waiting = new Map<string, (() => void)[]>();
  let turnStartedMs: number | null = null;

  const isSpent = (): boolean => turnStartedMs !== null && performance.now() - turnStartedMs > TURN_MS;
  const beginTurn = (): void => {
    turnStartedMs = performance.now();
    setImmediate(endTurn);
  };
  const endTurn = (): void => {
    turnStartedMs = null;
    if (waiting.size === 0) return;
    beginTurn();
    for (let handled = 0; handled < MAX_WAITING_PER_TURN && !isSpent(); handled += 1) {
      const [next] = waiting;
      if (!next) return;
      const [client, requests] = next;
      const handle = requests.shift()!;
      waiting.delete(client);
      // Moves to the end of the queue.
      if (requests.length > 0) waiting.set(client, requests);
      handle();
    }
  };

  return (client, handle) => {
    if (turnStartedMs === null) beginTurn();
    if (waiting.size === 0 && !isSpent()) return handle();
    const requests = waiting.get(client);
    if (requests) requests.push(handle);
    else waiting.set(client, [handle]);
  };
}
