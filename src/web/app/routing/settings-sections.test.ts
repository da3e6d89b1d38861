import { expect, test } from "vitest";
import { sectionLink, SETTINGS_SECTIONS } from "./settings-sections.ts";

test("a hash leads to the tab of its section, an action's to that of its section, any other to the first tab", () => {
  for (const { hash, to } of SETTINGS_SECTIONS) expect(sectionLink(hash)).toEqual({ to, hash });
  expect(sectionLink("destinations").to).toBe("/settings/sources");
  expect(sectionLink("password")).toEqual({ to: "/settings/account", hash: "password" });
  expect(sectionLink("new-destination")).toEqual({ to: "/settings/sources", hash: "new-destination" });
  for (const hash of ["", "toString", "elsewhere"]) expect(sectionLink(hash)).toEqual({ to: "/settings/general" });
});
