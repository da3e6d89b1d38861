import { expect, test } from "vitest";
import { isTableFile } from "../../../../sources/uploads/dropped-files.ts";
import { looksLikeTable } from "./looks-like-table.ts";

test("copied cells and CSV with a header are tables; links are not", () => {
  expect(looksLikeTable("link\tcaption\nhttps://a.example/1.mp4\tOne")).toBe(true);
  expect(looksLikeTable("https://a.example/1.mp4\tOne")).toBe(true);
  expect(looksLikeTable('Video link,"caption"\nhttps://a.example/1.mp4,One')).toBe(true);
  expect(looksLikeTable("link|caption\nhttps://a.example/1.mp4|One")).toBe(true);
  expect(looksLikeTable("sku;url\n1;https://a.example/1.mp4")).toBe(true);
  expect(looksLikeTable("https://a.example/1.mp4, https://a.example/2.mp4\nhttps://a.example/3.mp4")).toBe(false);
  expect(looksLikeTable("https://a.example/1.mp4\nhttps://a.example/2.mp4")).toBe(false);
  expect(looksLikeTable("drive.google.com/file/d/a,link\nb")).toBe(false);
  expect(looksLikeTable("")).toBe(false);
  expect(isTableFile({ name: "Campaign.CSV", type: "application/vnd.ms-excel" })).toBe(true);
  expect(isTableFile({ name: "clip.mp4", type: "video/mp4" })).toBe(false);
});
