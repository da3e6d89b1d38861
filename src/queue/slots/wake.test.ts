import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { openTaskSlots } from "./task-slots.ts";

it.each(Array.from({ length: 12 }, (_, turns) => turns))(
  "takes a task that arrives %s microtasks after an empty claim",
  async (turns) => {
    const waiting: string[] = [];
    const taken: string[] = [];
    const { promise: claimed, resolve: respond } = Promise.withResolvers<void>();
    const slots = openTaskSlots(
      {
        async claim() {
          const task = waiting.shift() ?? null;
          await claimed;
          return task;
        },
        run: async (task) => void taken.push(task),
        signal: new AbortController().signal,
        onError: (error) => expect.unreachable(error.message),
      },
      { count: 1, isPaused: false },
    );
    respond();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    waiting.push("a task");
    slots.wake();
    await setImmediate();
    expect(taken).toEqual(["a task"]);
  },
);

it("claims again if it was woken while a claim failed", async () => {
  let claims = 0;
  const errors: Error[] = [];
  const { promise: failing, reject: fail } = Promise.withResolvers<null>();
  const slots = openTaskSlots(
    {
      claim: () => ((claims += 1) === 1 ? failing : Promise.resolve(null)),
      run: async () => {},
      signal: new AbortController().signal,
      onError: (error) => void errors.push(error),
    },
    { count: 1, isPaused: false },
  );
  slots.wake();
  fail(new Error("The database is gone."));
  await setImmediate();
  expect({ claims, errors: errors.length }).toEqual({ claims: 2, errors: 1 });
});
