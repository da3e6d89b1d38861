import { pino } from "pino";
import { expect, it } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import type { Database } from "#database/open-database.ts";
import { trackRunning } from "./running-work.ts";

type Notify = (id: string) => void;

async function track(findStopped: (tasks: string[]) => Promise<Set<string>>) {
  let notify: Notify | undefined;
  let miss: (() => void) | undefined;
  const listen: Database["listen"] = async (_channel, onPayload, onGap) => {
    notify = onPayload;
    miss = onGap;
    return async () => {};
  };
  const database = { listen } as Database;
  const running = await trackRunning<string>(
    { database, log: pino({ level: "silent" }) },
    { idOf: (task) => task.split("/")[0]!, findStopped },
  );
  const begin = (task: string) => {
    const { promise, resolve } = Promise.withResolvers<AbortSignal>();
    void running.run(task, (signal) => {
      resolve(signal);
      return new Promise((end) => signal.addEventListener("abort", () => end()));
    });
    return promise;
  };
  return { running, begin, notify: (id: string) => notify!(id), miss: () => miss!() };
}

it("stops only the tasks that a notice names", async () => {
  const { running, begin, notify } = await track(async (tasks) => new Set(tasks));
  const [one, other] = [await begin("job/1"), await begin("another/1")];
  notify("job");
  await expect.poll(() => one.aborted).toBe(true);
  expect(other.aborted).toBe(false);
  await expect.poll(() => running.tasks()).toEqual(["another/1"]);
});

it("leaves a restarted task alone when its cancel notice arrives late", async () => {
  const looked: string[][] = [];
  const { begin, notify } = await track(async (tasks) => {
    looked.push(tasks);
    return new Set(tasks.filter((task) => task === "batch/old attempt"));
  });
  const [old, fresh] = [await begin("batch/old attempt"), await begin("batch/new attempt")];
  notify("batch");
  await expect.poll(() => old.aborted).toBe(true);
  expect(looked).toEqual([["batch/old attempt", "batch/new attempt"]]);
  expect(fresh.aborted).toBe(false);
});

it("catches up on missed cancels as soon as the database responds", async () => {
  let asked = 0;
  const { begin, miss } = await track(async () => {
    asked += 1;
    if (asked < 3) throw new ClipmillError("unavailable", "The database isn't responding.");
    return new Set(["job/1"]);
  });
  const [cancelled, wanted] = [await begin("job/1"), await begin("another/1")];
  miss();
  await expect.poll(() => cancelled.aborted, { timeout: 5_000 }).toBe(true);
  expect(wanted.aborted).toBe(false);
});
