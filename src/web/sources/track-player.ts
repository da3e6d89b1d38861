/** Plays one track at a time, whichever button started it. */

export type Playing = { url: string; state: "loading" | "playing" } | null;

/** What is needed of an audio element. */
export type Sound = Pick<HTMLAudioElement, "src" | "currentTime" | "play" | "pause" | "addEventListener">;

/** `makeSound` is called when something is played for the first time. */
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
    /** Plays a track from its beginning; what was playing stops. Rejects when it cannot be played. */
    async play(url: string): Promise<void> {
      const element = open();
      element.src = url;
      show({ url, state: "loading" });
      try {
        await element.play();
      } catch (error) {
        // Another one was started, or it was stopped, before it could be heard.
        if (playing?.url !== url) return;
        show(null);
        throw error;
      }
    },
    stop,
    /** Stops this track, where it is the one that plays. */
    stopIf(url: string): void {
      if (playing?.url === url) stop();
    },
  };
}
