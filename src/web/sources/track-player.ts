/** All buttons share one player: one track at a time. */

export type Playing = { url: string; state: "loading" | "playing" } | null;

export type Sound = Pick<HTMLAudioElement, "src" | "currentTime" | "play" | "pause" | "addEventListener">;

/** Calls `makeSound` on first playback. */
export function createTrackPlayer(makeSound: () => Sound) {
  let playing: Playing = null;
  let sound: Sound | null = null;
  const listeners = new Set<() => void>();
  const show = (next: Playing): void => {
    playing = next;
    for (const listener of listeners) listener();
  };
  const open = (): Sound => {
    if (sound) return sound;
    sound = makeSound();
    sound.addEventListener("playing", () => playing && show({ ...playing, state: "playing" }));
    sound.addEventListener("ended", () => show(null));
    return sound;
  };
  const stop = (): void => {
    sound?.pause();
    if (playing) show(null);
  };

  return {
    read: (): Playing => playing,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Stops the current track. Rejects if the new one cannot be played. */
    async play(url: string): Promise<void> {
      const element = open();
      element.src = url;
      show({ url, state: "loading" });
      try {
        await element.play();
      } catch (error) {
        // Another track was started, or this one stopped, before playback.
        if (playing?.url !== url) return;
        show(null);
        throw error;
      }
    },
    stop,
    stopIf(url: string): void {
      if (playing?.url === url) stop();
    },
  };
}
