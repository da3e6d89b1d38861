import { describe, expect, it } from "vitest";
import { explainApiError, explainPublicPage, readVirusScanForm } from "./drive-errors.ts";

function apiBody(reason: string): string {
  return JSON.stringify({ error: { code: 403, message: "Some text", errors: [{ domain: "global", reason }] } });
}

describe("explainApiError", () => {
  it.each([
    [403, "downloadQuotaExceeded", "quota_exceeded"],
    [403, "userRateLimitExceeded", "rate_limited"],
    [403, "insufficientFilePermissions", "not_shared"],
    [403, "cannotDownloadFile", "not_shared"],
    [403, "cannotDownloadAbusiveFile", "not_shared"],
    [403, "fileNotDownloadable", "not_a_video"],
    [403, "accessNotConfigured", "bad_key"],
    [400, "keyInvalid", "bad_key"],
    [404, "notFound", "source_not_found"],
    [500, "internalError", "network"],
  ])("reads %i %s as %s", (status, reason, code) => {
    expect(explainApiError(status, apiBody(reason), null)).toMatchObject({ code });
  });

  it("reads the newer format of a rejected key", () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_HTTP_REFERRER_BLOCKED" }];
    const body = JSON.stringify({ error: { code: 403, status: "PERMISSION_DENIED", details } });
    expect(explainApiError(403, body, null)).toMatchObject({ code: "bad_key" });
  });

  it.each(["", "<html>", "null", "[]", '{"error":"text"}'])("classifies %j by its status", (body) => {
    expect(explainApiError(404, body, null)).toMatchObject({ code: "source_not_found" });
    expect(explainApiError(429, body, 7)).toMatchObject({ code: "rate_limited", retryAfterSeconds: 7 });
  });
});

describe("explainPublicPage", () => {
  it.each([
    [403, "<title>Google Drive - Quota exceeded</title>", "quota_exceeded"],
    [403, "<title>Error 403 (Forbidden)!!1</title>", "not_shared"],
    [403, "<title>Sorry...</title> sending automated queries", "rate_limited"],
    [200, '<form action="https://accounts.google.com/v3/signin/identifier">', "not_shared"],
    [200, "Sorry, the file you have requested does not exist.", "source_not_found"],
    [400, "<title>Error 400 (Bad Request)!!1</title>", "source_not_found"],
    [500, "<title>Error 500</title>", "network"],
    [200, "<title>My web page</title>", "not_a_video"],
  ])("reads %i %j as %s", (status, page, code) => {
    expect(explainPublicPage(status, page, null)).toMatchObject({ code });
  });
});

describe("readVirusScanForm", () => {
  it("reads the known hidden fields, with attributes in any order", () => {
    const page = `<form method="get" id="download-form" action="https://evil.example/"><input type="submit" value="Go"/>
      <input type="hidden" name="id" value="a-1"><input value="t&amp;x" name="confirm" type="hidden">
      <input type="hidden" name="uuid" value="u-1"><input type="hidden" name="next" value="https://evil.example/"></form>`;
    expect([...(readVirusScanForm(page) ?? [])]).toEqual([
      ["id", "a-1"],
      ["confirm", "t&x"],
      ["uuid", "u-1"],
    ]);
  });

  it("finds no form on other pages", () => {
    expect(readVirusScanForm("<html></html>")).toBeNull();
    expect(readVirusScanForm('<form id="login"><input name="confirm" value="t"></form>')).toBeNull();
  });
});
