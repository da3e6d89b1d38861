import { expect, test } from "vitest";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import type { Review } from "#contract/jobs/outputs/review.ts";
import { createVerdictQueue } from "./verdict-queue.ts";

type Reply = (rows: string[] | Error) => void;

function flush(): Promise<unknown> {
  return new Promise((resolve) => setImmediate(resolve));
}

function setUp(isShown: Promise<void> = Promise.resolve()) {
  const requests: { reviews: Review[]; reply: Reply }[] = [];
  const dropped: (string | null)[][] = [];
  const saved: string[] = [];
  let resume: (() => void) | null = null;
  const queue = createVerdictQueue({
    send: (reviews) =>
      new Promise((resolve, reject) => {
        const reply: Reply = (rows) =>
          rows instanceof Error ? reject(rows) : resolve(rows.map((id) => ({ id }) as JobOutput));
        requests.push({ reviews, reply });
      }),
    isTransient: (error) => error instanceof TypeError,
    wait: () => new Promise<void>((resolve) => (resume = resolve)),
    onSaved: (rows) => {
      saved.push(...rows.map(({ id }) => id));
      return isShown;
    },
    onDropped: (reviews, error) =>
      dropped.push([error instanceof Error ? error.message : null, ...reviews.map((r) => r.outputId)]),
  });
  return { queue, requests, dropped, saved, resume: () => resume?.() };
}

const approve = (outputId: string): Review => ({ outputId, verdict: "approved", reason: null });
const takeBack = (outputId: string): Review => ({ outputId, verdict: null, reason: null });
const unsavedOf = ({ queue }: ReturnType<typeof setUp>) => [...queue.read().unsaved.keys()];

test("sends the verdicts of the meantime together, only the last of each file", async () => {
  const test = setUp();
  const { queue, requests, saved } = test;
  queue.add([approve("a")]);
  queue.add([approve("b")]);
  queue.add([approve("c")]);
  queue.add([takeBack("b")]);
  expect(requests.map(({ reviews }) => reviews)).toEqual([[approve("a")]]);
  expect(unsavedOf(test)).toEqual(["a", "b", "c"]);
  requests[0]!.reply(["a"]);
  await flush();
  expect(requests[1]!.reviews).toEqual([takeBack("b"), approve("c")]);
  requests[1]!.reply(["b", "c"]);
  await flush();
  expect(unsavedOf(test)).toEqual([]);
  expect(saved).toEqual(["a", "b", "c"]);
});

test("counts a verdict as unsaved until screens have the saved row", async () => {
  const shown = Promise.withResolvers<void>();
  const test = setUp(shown.promise);
  test.queue.add([approve("a")]);
  test.requests[0]!.reply(["a"]);
  await flush();
  expect([test.saved, unsavedOf(test)]).toEqual([["a"], ["a"]]);
  shown.resolve();
  await flush();
  expect(unsavedOf(test)).toEqual([]);
});

test("keeps verdicts through an outage, and a later one of the same file replaces them", async () => {
  const test = setUp();
  const { queue, requests, dropped, resume } = test;
  queue.add([approve("a"), approve("b")]);
  requests[0]!.reply(new TypeError("offline"));
  await flush();
  expect(queue.read().isStuck).toBe(true);
  queue.add([takeBack("a")]);
  resume();
  await flush();
  expect(requests[1]!.reviews).toEqual([takeBack("a"), approve("b")]);
  requests[1]!.reply(["a", "b"]);
  await flush();
  expect(queue.read()).toEqual({ unsaved: new Map(), isStuck: false });
  expect(dropped).toEqual([]);
});

test("reports files that are gone, and drops what the server rejects", async () => {
  const { queue, requests, dropped } = setUp();
  queue.add([approve("a"), approve("b")]);
  requests[0]!.reply(["b"]);
  await flush();
  queue.add([approve("c")]);
  requests[1]!.reply(new Error("no"));
  await flush();
  expect(dropped).toEqual([
    [null, "a"],
    ["no", "c"],
  ]);
  expect(queue.read().unsaved.size).toBe(0);
});
