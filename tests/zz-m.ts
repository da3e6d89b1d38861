import { findMissing } from "#media/captions/find-missing.ts";
import { fontsFor, hasCharacter } from "#media/captions/caption-fonts.ts";
findMissing(["é"]);
const all: string[] = [];
for (let c = 0x80; c < 0x10ffff; c++) {
  if (c >= 0xd800 && c <= 0xdfff) continue;
  all.push(String.fromCodePoint(c));
}
const caps: string[] = [];
for (let i = 0; i < all.length; i += 1000) {
  const t = all.slice(i, i + 1000).join("");
  caps.push(t);
}
let t = performance.now();
const have = all.filter((c) => hasCharacter(fontsFor(c), c));
console.log("fontsFor all", performance.now() - t, have.length);
const hc: string[] = [];
for (let i = 0; i < have.length; i += 1000) hc.push(have.slice(i, i + 1000).join(""));
t = performance.now();
findMissing(hc);
console.log("drawable first", performance.now() - t);
t = performance.now();
findMissing(hc);
console.log("drawable again", performance.now() - t);
t = performance.now();
findMissing(caps.slice(0, 279));
console.log("all first", performance.now() - t);
t = performance.now();
const m = findMissing(caps.slice(0, 279));
console.log("again", performance.now() - t, m!.characters.length);
const k = Array.from({ length: 9000 }, (_, i) => ("é" + i).repeat(30));
t = performance.now();
findMissing(k);
console.log("1MB plain", performance.now() - t);
