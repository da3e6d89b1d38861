import { expect, test } from "vitest";
import { shownOutputs } from "./shown-outputs.ts";
import { testOutput, testVideo } from "../test-rows.ts";

const made = testOutput({ id: "made" });
const waiting = testOutput({ id: "waiting", status: "Queued" });
const broken = testOutput({ id: "broken", status: "Failed", error_message: "The track ended early." });
const swept = testOutput({ id: "swept", status: "Failed", error_message: "Not shared." });

test("shows every file of a processing video", () => {
  expect(shownOutputs(testVideo({ status: "Processing" }), [made, waiting])).toEqual([made, waiting]);
});

test("shows completed files of a failed video and files with an error of their own", () => {
  const failed = testVideo({ status: "Failed", error_message: "Not shared." });
  expect(shownOutputs(failed, [made, waiting, broken, swept])).toEqual([made, broken]);
});
