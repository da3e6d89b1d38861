import { describe, expect, it } from "vitest";
import { fileNameOf } from "./content-disposition.ts";

describe("fileNameOf", () => {
  it.each([
    ['attachment; filename="clip.mp4"', "clip.mp4"],
    ["attachment; filename=clip one.mp4", "clip one.mp4"],
    ['attachment;filename="a \\"b\\"; c.mp4"', 'a "b"; c.mp4'],
    [
      `attachment; filename="x.mp4"; filename*=UTF-8''%D0%92%D1%96%D0%B4%D0%B5%D0%BE%20%F0%9F%8E%AC.mp4`,
      "Відео 🎬.mp4",
    ],
    [`attachment; filename*=ISO-8859-1'en'caf%E9.mp4; filename="x"`, "café.mp4"],
    [`attachment; filename*=UTF-8''%FF%FE; filename="plain.mp4"`, "plain.mp4"],
    [`attachment; filename="${Buffer.from("відео.mp4").toString("latin1")}"`, "відео.mp4"],
    ['attachment; filename="caf\u00e9.mp4"', "café.mp4"],
    ["attachment", null],
    ['attachment; filename=""', null],
    [undefined, null],
  ])("reads %j as %j", (header, name) => {
    expect(fileNameOf(header)).toBe(name);
  });
});
