import { expect, test } from "vitest";
import { toDomainName } from "#contract/cloak/cloak.ts";
import { decodeAddress, decodeDomain } from "./decode-domain.ts";

test.each(["münchen.de", "www.bücher.example", "例え.jp", "пример.рф", "faß.de", "☕.example.com", "مثال.com"])(
  "%s is shown as typed",
  (name) => {
    const stored = toDomainName(name)!;
    expect(stored).toContain("xn--");
    expect(decodeDomain(stored)).toBe(name);
  },
);

test.each(["example.com", "a-b.example.com", "xn--.com", "xn--a b.com", "xn--99999999999.com"])(
  "%s has nothing to decode and stays unchanged",
  (name) => {
    expect(decodeDomain(name)).toBe(name);
  },
);

test("only the host of an address is decoded", () => {
  expect(decodeAddress("https://xn--mnchen-3ya.de/xn--mnchen-3ya")).toBe("https://münchen.de/xn--mnchen-3ya");
});
