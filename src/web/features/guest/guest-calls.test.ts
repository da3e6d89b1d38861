import { expect, it } from "vitest";
import type { GuestView } from "#contract/guests/guests.ts";
import { isReplaced } from "./guest-calls.ts";

const shown = (state: GuestView["state"], ...ids: string[]) => ({ state, samples: ids.map((id) => ({ id })) });

it("reports samples that were replaced, not those that appear while they are made", () => {
  expect(isReplaced(null, shown("waiting", "a"))).toBe(false);
  expect(isReplaced(shown("making", "a"), shown("making", "a", "b"))).toBe(false);
  expect(isReplaced(shown("making", "a"), shown("waiting", "a", "b"))).toBe(false);
  expect(isReplaced(shown("waiting", "a"), shown("approved", "a"))).toBe(false);
  expect(isReplaced(shown("waiting", "a"), shown("making"))).toBe(true);
  expect(isReplaced(shown("waiting", "a"), shown("waiting", "b"))).toBe(true);
  expect(isReplaced(shown("making", "a"), shown("waiting", "b", "c"))).toBe(true);
  // A failed sample was made again.
  expect(isReplaced(shown("waiting", "a"), shown("waiting", "a", "b"))).toBe(true);
});
