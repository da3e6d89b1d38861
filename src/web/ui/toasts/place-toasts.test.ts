import { expect, test } from "vitest";
import { placeToasts } from "./place-toasts.ts";

const screen = { width: 1440, height: 900 };
const stack = { width: 368, height: 66 };
const edge = 16;
const place = (taken: Parameters<typeof placeToasts>[0]["taken"]) => placeToasts({ screen, stack, edge, taken });

test("toasts are in the lower right corner while it is free", () => {
  expect(place([])).toEqual({ right: 16, bottom: 16 });
  expect(place([{ left: 300, top: 840, right: 500, bottom: 880 }])).toEqual({ right: 16, bottom: 16 });
});

test("they are above a button in the corner", () => {
  expect(place([{ left: 1300, top: 840, right: 1400, bottom: 880 }])).toEqual({ right: 16, bottom: 72 });
});

test("they are to the left of a rail as high as the screen", () => {
  expect(place([{ left: 1096, top: 48, right: 1432, bottom: 892 }])).toEqual({ right: 356, bottom: 16 });
});

test("they are above the first button when the gap below a second one is too small", () => {
  const lower = { left: 1300, top: 860, right: 1400, bottom: 892 };
  const upper = { left: 1300, top: 760, right: 1400, bottom: 800 };
  expect(place([lower, upper])).toEqual({ right: 16, bottom: 152 });
});

test("on a phone, without room beside the bar, they are above it", () => {
  const bar = { left: 0, top: 776, right: 390, bottom: 844 };
  const phone = { width: 390, height: 844 };
  const wide = { width: 366, height: 86 };
  expect(placeToasts({ screen: phone, stack: wide, edge: 12, taken: [bar] })).toEqual({ right: 12, bottom: 80 });
});

test("elements scrolled out of view are ignored", () => {
  expect(place([{ left: 1300, top: 940, right: 1400, bottom: 980 }])).toEqual({ right: 16, bottom: 16 });
});

test("without any free place they are in the corner", () => {
  expect(place([{ left: 0, top: 0, right: 1440, bottom: 900 }])).toEqual({ right: 16, bottom: 16 });
});

test("they cover no other control if there is room", () => {
  const bar = { left: 0, top: 840, right: 1440, bottom: 900 };
  const field = { left: 900, top: 760, right: 1400, bottom: 800 };
  expect(placeToasts({ screen, stack, edge, taken: [bar], controls: [field] })).toEqual({ right: 16, bottom: 152 });
});

test("without room beside all controls, they avoid the main ones", () => {
  const bar = { left: 0, top: 840, right: 1440, bottom: 900 };
  const table = { left: 0, top: 0, right: 1440, bottom: 840 };
  expect(placeToasts({ screen, stack, edge, taken: [bar], controls: [table] })).toEqual({ right: 16, bottom: 72 });
});
