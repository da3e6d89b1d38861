import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseLink } from "#contract/sources/links.ts";
import { type DriveTwin, startDriveTwin } from "./google-drive-twin.ts";

let twin: DriveTwin;
beforeEach(async () => {
  twin = await startDriveTwin();
  twin.add({ id: "file-1", name: "clip.mp4", mimeType: "video/mp4", bytes: Buffer.from("0123456789") });
});
afterEach(async () => await twin.close());

describe("the twin of Google Drive", () => {
  it.each([
    ["bytes=2-4", 206, "bytes 2-4/10", "234"],
    ["bytes=7-", 206, "bytes 7-9/10", "789"],
    ["bytes=10-", 416, "bytes */10", ""],
  ])("serves the range %s", async (range, status, contentRange, body) => {
    const response = await fetch(`${twin.url}/download?id=file-1`, { headers: { range } });
    expect(response.status).toBe(status);
    expect(response.headers.get("content-range")).toBe(contentRange);
    expect(await response.text()).toBe(body);
  });

  it("returns links in the form that operators paste", () => {
    expect(parseLink(twin.links("file-1"))).toEqual({ host: "google-drive", id: "file-1", accessKey: null });
  });

  it("resolves when an awaited request arrives", async () => {
    const waited = twin.waitForRequest(({ path }) => path === "/drive/v3/files/file-1");
    const response = await fetch(`${twin.url}/drive/v3/files/file-1?key=k`);
    expect(await response.json()).toMatchObject({ name: "clip.mp4", size: "10", capabilities: { canDownload: true } });
    expect((await waited).query.get("key")).toBe("k");
  });
});
