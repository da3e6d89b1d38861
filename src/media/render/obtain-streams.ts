import { untilAborted } from "#ground/until-aborted.ts";
import type { RenderRun } from "./render-run.ts";
import type { EncodedStream } from "./stream-cache.ts";

type Deliver = (id: string, stream: EncodedStream) => Promise<void>;

/**
 * Puts all of `wanted` on the board: from the cache, else from `make`, else from other renders in this process. Cannot
 * deadlock: a render waits only after releasing its own reservations. `keys` is by id; `isUsable` may reject a stream that
 * was made for another place. Throws what `make` throws.
 */
export async function obtainStreams<T extends { id: string }>(
  run: RenderRun,
  wanted: readonly T[],
  { keys, isUsable }: { keys: ReadonlyMap<string, string>; isUsable?: (wanted: T, cached: EncodedStream) => boolean },
  make: (missing: T[], deliver: Deliver) => Promise<void>,
): Promise<void> {
  const { streamCache, scratchFolder } = run.options;
  let rest = wanted;
  while (rest.length > 0) {
    run.signal.throwIfAborted();
    const reserved = new Map<string, { key: string; release: () => void }>();
    const elsewhere: { stream: T; ended: Promise<void> }[] = [];
    try {
      const missing: T[] = [];
      for (const stream of rest) {
        const key = keys.get(stream.id)!;
        const reservation = streamCache.reserve(key);
        if (reservation instanceof Promise) {
          elsewhere.push({ stream, ended: reservation });
          continue;
        }
        reserved.set(stream.id, { key, release: reservation.release });
        const cached = await streamCache.take(key, scratchFolder, stream.id);
        if (cached && (isUsable?.(stream, cached) ?? true)) settle(run, stream.id, cached);
        else missing.push(stream);
      }
      if (missing.length > 0) {
        await make(missing, async (id, stream) => {
          const { key, release } = reserved.get(id)!;
          // Cached first: once on the board, its last user removes the file.
          await streamCache.keep(key, stream);
          settle(run, id, stream);
          release();
        });
      }
    } finally {
      for (const { release } of reserved.values()) release();
    }
    const ended = Promise.all(elsewhere.map(({ ended }) => ended));
    await untilAborted(ended, run.signal);
    rest = elsewhere.map(({ stream }) => stream);
  }
}

function settle(run: RenderRun, id: string, stream: EncodedStream): void {
  run.note(id, 1);
  for (const warning of stream.warnings ?? []) run.warnings.add(warning, id);
  run.streams.put(id, stream);
}
