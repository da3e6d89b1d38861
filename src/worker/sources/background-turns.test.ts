import { setImmediate as settle } from "node:timers/promises";
import { expect, it } from "vitest";
import { createBackgroundTurns, type Rank } from "./background-turns.ts";

/** Records starts and ends of work, which ends on command. */
function createLog(turns = createBackgroundTurns(2)) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => (): Promise<void> => {
    started.push(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    ends.set(name, resolve);
    return promise;
  };
  const signal = new AbortController().signal;
  return {
    turns,
    started,
    work,
    background: (name: string, rank: Rank) => turns.background(rank, signal, work(name)),
    end: async (name: string, done: Promise<void>) => {
      ends.get(name)!();
      await done;
      await settle();
    },
  };
}

it("starts no background work while a claimed video is fetched", async () => {
  const { turns, started, work, background, end } = createLog();
  const claimed = turns.foreground(work("claimed"));
  void background("ahead", "next");
  await settle();
  expect(started).toEqual(["claimed"]);
  await end("claimed", claimed);
  expect(started).toEqual(["claimed", "ahead"]);
});

it("runs the next videos before those of a form, which never take the last place", async () => {
  const { started, background, end } = createLog();
  const form = background("form 1", "form");
  void background("form 2", "form");
  const next = background("next 1", "next");
  void background("next 2", "next");
  await settle();
  expect(started).toEqual(["form 1", "next 1"]);
  await end("form 1", form);
  expect(started).toEqual(["form 1", "next 1", "next 2"]);
  await end("next 1", next);
  expect(started).toEqual(["form 1", "next 1", "next 2", "form 2"]);
});

it("forgets work that is canceled before its turn, and frees the place of work that fails", async () => {
  const { turns, started, work } = createLog(createBackgroundTurns(1));
  const failing = turns.background("next", new AbortController().signal, () =>
    Promise.reject(new Error("no such file")),
  );
  const canceling = new AbortController();
  const canceled = turns.background("next", canceling.signal, work("canceled"));
  canceling.abort(new Error("the job was canceled"));
  await expect(failing).rejects.toThrow("no such file");
  await expect(canceled).rejects.toThrow("the job was canceled");
  void turns.background("next", new AbortController().signal, work("later"));
  await settle();
  expect(started).toEqual(["later"]);
});
