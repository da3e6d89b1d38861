import { expect, it } from "vitest";
import { createTrackPlayer, type Sound } from "./track-player.ts";

/** Stands in for the browser's audio element. */
function makeSound() {
  const heard = new Map<string, () => void>();
  const sound = {
    src: "",
    currentTime: 0,
    paused: true,
    refusal: null as Error | null,
    async play() {
      if (sound.refusal) throw sound.refusal;
      sound.paused = false;
    },
    pause: () => void (sound.paused = true),
    addEventListener: (name: string, listener: () => void) => void heard.set(name, listener),
    tell: (name: string) => heard.get(name)?.(),
  };
  return sound;
}

it("plays one track at a time, says which, and nothing once it has ended", async () => {
  const sound = makeSound();
  const player = createTrackPlayer(() => sound as unknown as Sound);
  await player.play("/a");
  expect(player.read()).toEqual({ url: "/a", state: "loading" });
  sound.tell("playing");
  expect(player.read()).toEqual({ url: "/a", state: "playing" });
  await player.play("/b");
  expect([sound.src, player.read()?.url]).toEqual(["/b", "/b"]);
  player.stopIf("/a");
  expect([sound.paused, player.read()?.url]).toEqual([false, "/b"]);
  player.stopIf("/b");
  expect([sound.paused, player.read()]).toEqual([true, null]);
  await player.play("/b");
  sound.tell("ended");
  expect(player.read()).toBeNull();
});

it("says when a track cannot be played, but not when it was stopped before", async () => {
  const sound = makeSound();
  const player = createTrackPlayer(() => sound as unknown as Sound);
  sound.refusal = new Error("no such format");
  await expect(player.play("/a")).rejects.toThrow("no such format");
  expect(player.read()).toBeNull();
  const stopped = player.play("/a");
  player.stop();
  await stopped;
});
