import { expect, test } from "vitest";
import { describeSeconds, describeTimeLeft } from "./time-words.ts";

test("rounds the time", () => {
  expect(describeSeconds(20)).toBe("Less than a minute");
  expect(describeSeconds(250)).toBe("About 4 min");
  expect(describeSeconds(4_900)).toBe("About 1 h 20 min");
  expect(describeSeconds(7_190)).toBe("About 2 h");
});

test("a card shows the time left once it is known", () => {
  expect(describeTimeLeft({ seconds_left: 250 })).toBe("About 4 min left");
  expect(describeTimeLeft({ seconds_left: null })).toBeNull();
});
