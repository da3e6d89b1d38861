import { expect, test } from "vitest";
import { describeActiveJobs, countActive, describeActivity } from "./describe-activity.ts";

test("describes processing and waiting jobs", () => {
  expect(describeActivity({ awaitingApproval: 0, processing: 2, queued: 2, cancelling: 1 }, false)).toBe(
    "2 jobs are processing and 2 are waiting. The next one starts as soon as a slot is free.",
  );
  expect(describeActivity({ awaitingApproval: 0, processing: 1, queued: 0, cancelling: 0 }, false)).toBe(
    "1 job is processing.",
  );
  expect(describeActivity({ awaitingApproval: 0, processing: 0, queued: 1, cancelling: 0 }, false)).toBe(
    "1 job is waiting. The next one starts as soon as a slot is free.",
  );
  expect(describeActivity({ awaitingApproval: 0, processing: 0, queued: 0, cancelling: 1 }, false)).toContain(
    "Nothing is processing",
  );
});

test("does not count a job that needs approval as processing", () => {
  const one = { processing: 1, awaitingApproval: 1, queued: 0, cancelling: 0 };
  expect(describeActivity(one, true)).toBe("Nothing is processing. 1 job needs approval.");
  expect(describeActivity({ ...one, processing: 3, awaitingApproval: 2, queued: 1 }, true)).toBe(
    "1 job is processing and 1 is waiting. 2 jobs need approval.",
  );
  expect(describeActiveJobs({ ...one, processing: 2 })).toEqual(["1 processing", "1 needs approval"]);
  expect(countActive(one)).toBe(1);
});

test("announces no start while no jobs are claimed", () => {
  expect(describeActivity({ awaitingApproval: 0, processing: 0, queued: 0, cancelling: 0 }, true)).toBe(
    "Nothing is processing.",
  );
  expect(describeActivity({ awaitingApproval: 0, processing: 1, queued: 2, cancelling: 0 }, true)).toBe(
    "1 job is processing and 2 are waiting.",
  );
});

// spec 2.3.3
test("counts queued, processing and cancelling jobs as active and breaks them down", () => {
  const activity = { awaitingApproval: 0, processing: 2, queued: 0, cancelling: 1 };
  expect(countActive(activity)).toBe(3);
  expect(describeActiveJobs(activity)).toEqual(["2 processing", "1 cancelling"]);
});
