import { expect, it } from "vitest";
import { memoryStorage } from "#tests/support/memory-storage.ts";
import { openChangeDraft } from "./change-draft.ts";
import { openDraftStore } from "./draft-store.ts";
import { EMPTY_FORM, type JobForm } from "./job-form.ts";

const named = (jobName: string): JobForm => ({ ...EMPTY_FORM, jobName });

it("keeps the change of each job apart from the others and from the draft of a new job", () => {
  const [local, session] = [memoryStorage(), memoryStorage()];
  const open = (jobId: string) => openChangeDraft({ owner: "an-operator", jobId, session });
  const openOwn = () => openDraftStore({ owner: "an-operator", local, session });
  const own = openOwn();
  own.read();
  own.write(named("Own"));
  expect(open("one").read()).toBeNull();
  expect(open("one").write(named("One"))).toBe(true);
  expect(open("other").write(named("Other"))).toBe(true);
  expect(openOwn().read()).toEqual(named("Own"));
  expect(open("one").read()).toEqual(named("One"));
  open("one").remove();
  expect(open("one").read()).toBeNull();
  expect(open("other").read()).toEqual(named("Other"));
  expect(open("other").write(named("x".repeat(1_000_001)))).toBe(false);
  expect(open("other").read()).toBeNull();
});
