import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

const open = new AbortController().signal;

test("admits requests that fit, then the next as slots are freed, in order", async () => {
  const slots = createSlots(10);
  const entered: string[] = [];
  const enter = (name: string, pixels: number) =>
    slots.take(pixels, open).then((leave) => {
      entered.push(name);
      return leave;
    });
  const first = await enter("first", 6);
  const second = enter("second", 8);
  const third = enter("third", 2);
  first();
  (await second)();
  await third;
  expect(entered).toEqual(["first", "second", "third"]);
});

test("admits lower ranks first", async () => {
  const slots = createSlots(1);
  const entered: number[] = [];
  const enter = async (rank: number) => {
    const leave = await slots.take(1, open, rank);
    entered.push(rank);
    leave();
  };
  const leave = await slots.take(1, open);
  const all = [2, 1, 0, 1].map(enter);
  leave();
  await Promise.all(all);
  expect(entered).toEqual([0, 1, 1, 2]);
});

test("runs a request above the total alone", async () => {
  const leave = await createSlots(10).take(99, open);
  expect(leave).toBeTypeOf("function");
});

test("an aborted request gives its place to the next", async () => {
  const slots = createSlots(10);
  const leave = await slots.take(5, open);
  const givingUp = new AbortController();
  const large = slots.take(9, givingUp.signal);
  const small = slots.take(5, open);
  givingUp.abort();
  await expect(large).rejects.toMatchObject({ name: "AbortError" });
  expect(await small).toBeTypeOf("function");
  leave();
});
