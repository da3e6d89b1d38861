import { expect, it } from "vitest";
import { OPTIONAL_HOSTS } from "#contract/sources/link-hosts.ts";
import { toSourceHosts, toSourcesForm } from "./sources-form.ts";

it("has a switch per optional host, and changes only the edited ones", () => {
  const form = toSourcesForm({ source_hosts: ["web"] });
  expect(form).toEqual(Object.fromEntries(OPTIONAL_HOSTS.map((name) => [name, name === "web"])));
  expect(toSourceHosts({ ...form, web: false }, new Set(["web"]), { source_hosts: ["web"] })).toEqual([]);
  expect(toSourceHosts({ ...form, web: false }, new Set(), { source_hosts: ["web"] })).toEqual(["web"]);
});
