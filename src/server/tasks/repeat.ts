/** Runs `task` now and every `intervalMs`, never twice at once. `task` must not reject. `stop` waits for a running one. */
export function repeat(intervalMs: number, task: () => Promise<void>): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const start = (): void => {
    running ??= task().finally(() => (running = null));
  };
  const timer = setInterval(start, intervalMs);
  start();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
