import { expect, test } from "vitest";
import { matchRoutes } from "./match-routes.ts";

const row = { domain_id: "d", active: true, created_at: "2026-01-01T00:00:00Z", fallback_url: null };
const spring = {
  ...row,
  id: "1",
  slug: "Spring",
  primary_url: "https://shop.example.com/sale",
  domains: { name: "xn--mnchen-3ya.de" },
};
const root = {
  ...row,
  id: "2",
  slug: "__root__",
  primary_url: "https://example.com",
  fallback_url: "https://backup.example.org",
  domains: { name: "go.example.com" },
};

test.each([
  ["", [spring, root]],
  ["  ", [spring, root]],
  ["spring", [spring]],
  ["SALE shop", [spring]],
  ["münchen", [spring]],
  ["xn--mnchen", [spring]],
  ["https://go.example.com/", [root]],
  ["__root__", [root]],
  ["backup", [root]],
  ["spring backup", []],
])("the search %j finds by public address and destination", (search, found) => {
  expect(matchRoutes([spring, root], search)).toEqual(found);
});
