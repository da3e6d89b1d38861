/** Lets the next video start encoding while this one is muxed and stored. */

export type FinishingVideos = {
  setSlots(count: number): void;
  /** `begin` is idempotent; dispose when the video ends. */
  track(): Disposable & { begin(): void };
};

/**
 * `setCount` gets the number of videos to claim: the slots, plus one per video that is only muxed and stored, but at
 * most twice the slots, so that slow storage does not fill the disk.
 */
export function createFinishingVideos(first: number, setCount: (count: number) => void): FinishingVideos {
  let slots = first;
  let finishing = 0;
  let set = first;
  const adjust = (): void => {
    const count = slots + Math.min(finishing, slots);
    if (count !== set) setCount((set = count));
  };
  return {
    setSlots(count) {
      slots = count;
      adjust();
    },
    track() {
      let isFinishing = false;
      return {
        begin() {
          if (isFinishing) return;
          isFinishing = true;
          finishing += 1;
          adjust();
        },
        [Symbol.dispose]() {
          if (!isFinishing) return;
          finishing -= 1;
          adjust();
        },
      };
    },
  };
}
