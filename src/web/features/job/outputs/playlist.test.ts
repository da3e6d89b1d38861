import { expect, test } from "vitest";
import { playlistOf, stepFrom } from "./playlist.ts";
import { testOutput, testVideo } from "../test-rows.ts";

const made = (id: string) => testOutput({ id, media_url: `/media/${id}` });

test("plays the files shown, in video order, without missing files", () => {
  const videos = [testVideo({ id: "first" }), testVideo({ id: "second", status: "Completed" })];
  const outputs = { second: [made("c")], first: [made("a"), testOutput({ id: "deleted" }), made("b")] };
  expect(playlistOf(videos, outputs).map(({ id }) => id)).toEqual(["a", "b", "c"]);
});

test("steps to the neighbors, wrapping around", () => {
  const playlist = [made("a"), made("b"), made("c")];
  expect(stepFrom(playlist, "a", 1)?.id).toBe("b");
  expect(stepFrom(playlist, "c", 1)?.id).toBe("a");
  expect(stepFrom(playlist, "a", -1)?.id).toBe("c");
});

test("steps from a deleted file to the first one, and nowhere without files", () => {
  expect(stepFrom([made("a"), made("b")], "deleted", 1)?.id).toBe("a");
  expect(stepFrom([], "deleted", 1)).toBeNull();
});
