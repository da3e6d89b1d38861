import { expect, test } from "vitest";
import { publicUrl } from "./public-url.ts";

// spec 9.24, 9.25
test.each([
  ["spring", "https://go.example.com/spring"],
  ["  //spring/sale ", "https://go.example.com/spring/sale"],
  ["__root__", "https://go.example.com/"],
])("the slug %j has the address %s", (slug, url) => {
  expect(publicUrl("go.example.com", slug)).toBe(url);
});
