import { describe, expect, it } from "vitest";
import { cleanTail } from "./failure-columns.ts";

const SECRET = "hunter2hunter2";

describe("what is removed", () => {
  it.each([
    ["a signed link", `GET https://bucket.s3.example/a.mp4?X-Amz-Signature=${SECRET}&X-Amz-Date=1 failed`],
    ["a link in capitals", `HTTPS://HOST.EXAMPLE/${SECRET}`],
    ["a link in brackets", `(see <https://host.example/a?sig=${SECRET}>)`],
    ["a link with a name and a password", `rtsp://admin:${SECRET}@camera.local/stream`],
    ["an encoded link", `next=https%3A%2F%2Fhost.example%2Fa%3Fsig%3D${SECRET}`],
    ["the rest of a link that a line break has split", `https://host.example/a\n?x=1&sig=${SECRET}&b=2`],
    ["a link that a terminal color splits", `htt\u001b[31mps://host.example/\u001b[0m${SECRET}`],
    ["a link that an invisible character splits", `htt\u200bps://host.example/${SECRET}`],
    ["a query without a scheme", `host.example/download?id=1&token=${SECRET}`],
    ["a header", `Authorization: Bearer ${SECRET} and more ${SECRET}`],
    ["a cookie", `Set-Cookie: SID=abc; HSID=${SECRET}`],
    ["a bearer token by itself", `sent bearer ${SECRET}`],
    ["a named secret", `api_key=${SECRET}`],
    ["a secret in JSON", `{"client_secret": "${SECRET} ${SECRET}", "a": 1}`],
    ["a secret with an open quote", `password='${SECRET} ${SECRET}`],
    ["a variable", `AWS_SECRET_ACCESS_KEY=${SECRET}`],
    ["a name and a password without a scheme", `postgres:${SECRET}@db.internal refused`],
    ["a private key", `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`],
    ["a private key that is cut off", `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}`],
    ["an absolute path", `/srv/${SECRET}/clip`],
    ["a path with spaces", `/home/jo doe/${SECRET} films/clip.mp4: No such file`],
    ["a path with a quote", `'/home/o'brien/${SECRET}/clip.mp4': No such file`],
    ["a path after a protocol", `file:/srv/${SECRET}/clip.mp4`],
    ["a path after an equals sign", `fontfile=/srv/${SECRET}/a.ttf`],
    ["a path below the home folder", `~/${SECRET}/clip.mp4`],
    ["a path of Windows", `C:\\Users\\${SECRET}\\clip.mp4`],
    ["a path of Windows with slashes", `d:/Users/${SECRET}/clip.mp4`],
    ["a network path of Windows", `\\\\server\\${SECRET}\\clip.mp4`],
    ["an encoded path", `%2Fsrv%2F${SECRET}%2Fclip.mp4`],
    ["a folder of one level", `/${SECRET}`],
  ])("%s", (_name, output) => {
    expect(cleanTail(output) ?? "").not.toContain(SECRET);
  });

  it.each([
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA1234567890abcdefghijklmnopqrstuv",
    "sk-proj-abcdefghijklmnop1234",
    "ghp_abcdefghijklmnopqrst1234",
    "ya29.a0AfH6SMBx",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ])("the token %s without a name", (token) => {
    expect(cleanTail(`rejected ${token} today`)).toBe("rejected [secret] today");
  });
});

describe("what stays", () => {
  it.each([
    ["[h264 @ 0x55d0c8a6c4c0] Invalid NAL unit size (1044 > 512)."],
    [
      "Stream #0:0(und): Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv, bt709), 320x180 [SAR 1:1 DAR 16:9], 25 fps",
    ],
    ["Error while decoding: Cannot allocate memory 12/16 and 3 / 4"],
    ["TypeError: Cannot read properties of undefined (reading 'path')"],
  ])("%s", (line) => {
    expect(cleanTail(line)).toBe(line);
  });

  it("the name of a file, without its folder", () => {
    expect(cleanTail("Error opening input file:/tmp/a b/source-1.mp4: Invalid data")).toBe(
      "Error opening input file:[path]/source-1.mp4: Invalid data",
    );
  });
});

describe("the size limit", () => {
  it("keeps the last complete lines in at most 4,096 bytes", () => {
    const tail = cleanTail(Array.from({ length: 2_000 }, (_, line) => `line ${line}: é`).join("\n"))!;
    expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(4_096);
    expect(Buffer.byteLength(tail)).toBeGreaterThan(4_000);
    expect(tail.startsWith("line ")).toBe(true);
    expect(tail.endsWith("line 1999: é")).toBe(true);
  });

  it.each([0, 1, 2, 3])("cuts a long line between characters (%i bytes before)", (shift) => {
    const tail = cleanTail(`${"-".repeat(shift)}${"😀".repeat(3_000)}`)!;
    expect(Buffer.byteLength(tail)).toBe(4_096);
    expect(tail).toBe("😀".repeat(1_024));
  });

  it("never cuts a link so that its end looks like text", () => {
    const link = `https://host.example/${"a/".repeat(60_000)}${SECRET}`;
    expect(cleanTail(`first\n${link} failed`) ?? "").not.toContain(SECRET);
  });

  it.each(["/", "a:", "a@", "?a=", "\\", "key=", "-----BEGIN ", "%2f", "a1", "~/ ", "[", "http:/"])(
    "cleans megabytes of %j, which expressions match in many ways",
    (unit) => {
      expect(Buffer.byteLength(cleanTail(unit.repeat(1024 ** 2)) ?? "")).toBeLessThanOrEqual(4_096);
    },
  );
});

it("removes characters that the database rejects", () => {
  expect(cleanTail("a\0b\ud800c\r\nd\re")).toBe("ab\ufffdc\nd\ne");
});

it.each([null, "", " \n\0 "])("returns null when there is nothing to keep (%j)", (output) => {
  expect(cleanTail(output)).toBeNull();
});
