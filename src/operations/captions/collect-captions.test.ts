import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { captionKey, collectCaptions } from "./generate-captions.ts";

/** Characters that do not change a caption's key. */
const decoration = fc.constantFrom("!", "…", " ", "—", "🔥", "👩‍🚀", "™", "🇩🇪", "5️⃣", "🆗", "❤️", '"', "#", "\u200d");
const words = fc.array(fc.constantFrom("tea", "Straße", "ΟΔΟΣ", "İstanbul", "café", "7", "ﬁre", "चाय", "お茶", "شاي"), {
  minLength: 1,
  maxLength: 6,
});

/** The same words with decoration or in another case. */
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

  it("differs for different words, and is empty without words", () => {
    expect(captionKey("Green tea")).not.toBe(captionKey("Green sea"));
    expect(captionKey("7 days")).not.toBe(captionKey("8 days"));
    expect(captionKey("🔥🔥 5️⃣ !!")).toBe("");
  });
});

describe("collectCaptions", () => {
  it("never collects duplicate keys, existing captions, or more than requested", () => {
    const responses = fc.array(
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
      fc.property(fc.array(fc.string()), responses, fc.integer({ min: 1, max: 9 }), (existing, texts, count) => {
        const collection = collectCaptions(count, existing);
        for (const response of texts) collection.add(response);
        const keys = [...existing, ...collection.captions].map(captionKey);
        const own = keys.slice(existing.length);
        expect(own.every((key, i) => key !== "" && keys.indexOf(key) === existing.length + i)).toBe(true);
        expect(collection.captions.length + collection.missing).toBe(count);
        expect(collection.missing).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
