import { expect, it } from "vitest";
import { createTrackPlayer, type Sound } from "./listen-button.tsx";

function makeSound() {
  const handlers = new Map<string, () => void>();
  const sound = {
    src: "",
    currentTime: 0,
    paused: true,
    error: null as Error | null,
    async play() {
      if (sound.error) throw sound.error;
      sound.paused = false;
    },
    pause: () => void (sound.paused = true),
    addEventListener: (name: string, listener: () => void) => void handlers.set(name, listener),
    emit: (name: string) => handlers.get(name)?.(),
  };
  return sound;
}

it("plays one track at a time, reports which, and null once it has ended", async () => {
  const sound = makeSound();
  const player = createTrackPlayer(() => sound as unknown as Sound);
  await player.play("/a");
  expect(player.read()).toEqual({ url: "/a", state: "loading" });
  sound.emit("playing");
  expect(player.read()).toEqual({ url: "/a", state: "playing" });
  await player.play("/b");
  expect([sound.src, player.read()?.url]).toEqual(["/b", "/b"]);
  player.stopIf("/a");
  expect([sound.paused, player.read()?.url]).toEqual([false, "/b"]);
  player.stopIf("/b");
  expect([sound.paused, player.read()]).toEqual([true, null]);
  await player.play("/b");
  sound.emit("ended");
  expect(player.read()).toBeNull();
});

it("rejects when a track cannot be played, but not when it was stopped before", async () => {
  const sound = makeSound();
  const player = createTrackPlayer(() => sound as unknown as Sound);
  sound.error = new Error("no such format");
  await expect(player.play("/a")).rejects.toThrow("no such format");
  expect(player.read()).toBeNull();
  const stopped = player.play("/a");
  player.stop();
  await stopped;
});
