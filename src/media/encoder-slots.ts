/** Bounds the memory of all encoders of this process: renders at the same time take turns instead of adding up. */
export type EncoderSlots = {
  /** Waits until `pixels` more of each frame may be encoded; call the answer when that has ended. Throws the signal's reason. */
  take(pixels: number, signal: AbortSignal): Promise<() => void>;
};

/** Slots for encoders of `mostPixels` a frame in all. What is larger than that runs alone. First come, first served. */
export function createEncoderSlots(mostPixels: number): EncoderSlots {
  let used = 0;
  const waiting: { pixels: number; admit: () => void }[] = [];
  const admitNext = () => {
    while (waiting[0] && (used === 0 || used + waiting[0].pixels <= mostPixels)) {
      const { pixels, admit } = waiting.shift()!;
      used += pixels;
      admit();
    }
  };
  return {
    async take(pixels, signal) {
      signal.throwIfAborted();
      const admitted = Promise.withResolvers<void>();
      const request = { pixels, admit: admitted.resolve };
      const leave = () => {
        const place = waiting.indexOf(request);
        if (place >= 0) waiting.splice(place, 1);
        admitted.reject(signal.reason);
        admitNext();
      };
      waiting.push(request);
      admitNext();
      signal.addEventListener("abort", leave, { once: true });
      await admitted.promise.finally(() => signal.removeEventListener("abort", leave));
      return () => {
        used -= pixels;
        admitNext();
      };
    },
  };
}
