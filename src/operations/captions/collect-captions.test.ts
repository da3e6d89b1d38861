import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { captionKey, collectCaptions } from "./collect-captions.ts";

/** Nothing that makes a caption another one. */
const decoration = fc.constantFrom("!", "…", " ", "—", "🔥", "👩‍🚀", "™", "🇩🇪", "5️⃣", "🆗", "❤️", '"', "#", "\u200d");
const words = fc.array(fc.constantFrom("tea", "Straße", "ΟΔΟΣ", "İstanbul", "café", "7", "ﬁre", "चाय", "お茶", "شاي"), {
  minLength: 1,
  maxLength: 6,
});

/** The words with something between them, and in other cases. */
const twins = fc
  .tuple(words, fc.array(decoration, { minLength: 7, maxLength: 7 }), fc.constantFrom("upper", "lower", "same"))
  .map(([parts, between, form]) => {
    const plain = parts.join(" ");
    const decorated = parts.map((part, i) => between[i]! + part).join(" ") + between[6]!;
    const other = { upper: decorated.toUpperCase(), lower: decorated.toLowerCase(), same: decorated }[form];
    return [plain, other] as const;
  });

describe("captionKey", () => {
  it("is the same for captions that differ only in case, spaces, punctuation or emoji", () => {
    fc.assert(
      fc.property(twins, ([plain, other]) => {
        expect(captionKey(other)).toBe(captionKey(plain));
      }),
    );
  });

  it("is another for other words, and empty for what has none", () => {
    expect(captionKey("Green tea")).not.toBe(captionKey("Green sea"));
    expect(captionKey("7 days")).not.toBe(captionKey("8 days"));
    expect(captionKey("🔥🔥 5️⃣ !!")).toBe("");
  });
});

describe("collectCaptions", () => {
  it("never holds two captions with one key, nor one of an existing caption, nor more than asked for", () => {
    const answers = fc.array(
      fc.array(
        fc.oneof(
          twins.map(([, other]) => other),
          fc.string(),
        ),
        { maxLength: 9 },
      ),
      {
        maxLength: 5,
      },
    );
    fc.assert(
      fc.property(fc.array(fc.string()), answers, fc.integer({ min: 1, max: 9 }), (existing, texts, count) => {
        const collection = collectCaptions(count, existing);
        for (const answer of texts) collection.add(answer);
        const keys = [...existing, ...collection.captions].map(captionKey);
        const own = keys.slice(existing.length);
        expect(own.every((key, i) => key !== "" && keys.indexOf(key) === existing.length + i)).toBe(true);
        expect(collection.captions.length + collection.missing).toBe(count);
        expect(collection.missing).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
