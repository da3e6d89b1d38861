import { beforeEach, expect, it, vi } from "vitest";
import { callFunction } from "../../../api/functions/call-function.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { jobCreator } from "./create-job-once.ts";

vi.mock(import("../../../api/functions/call-function.ts"), () => ({
  callFunction: vi.fn<() => unknown>() as typeof callFunction,
}));

const request = { job_name: "A job", input_videos: ["https://drive.google.com/file/d/a/view"] };

beforeEach(() => {
  vi.mocked(callFunction)
    .mockReset()
    .mockResolvedValue({ data: { id: "new" } });
});

function sentKeys(): unknown[] {
  return vi.mocked(callFunction).mock.calls.map(([, body]) => body?.["idempotency_key"]);
}

// spec 4.3.1
it("resends a request without a response with the same key, so that it creates one job", async () => {
  const create = jobCreator();
  vi.mocked(callFunction).mockRejectedValueOnce(new CallError(0, "no response"));
  await expect(create(request)).rejects.toThrow("no response");
  await create(request);
  const [first, second] = sentKeys();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
});

it("uses a new key for another request, and for the same request after its job was created", async () => {
  const create = jobCreator();
  vi.mocked(callFunction).mockRejectedValueOnce(new CallError(500, "no"));
  await expect(create(request)).rejects.toThrow("no");
  await create({ ...request, job_name: "Another" });
  await create(request);
  await create(request);
  expect(new Set(sentKeys()).size).toBe(4);
});
