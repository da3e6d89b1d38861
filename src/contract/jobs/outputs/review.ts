import { z } from "zod";

const VERDICTS = ["approved", "rejected"] as const;
export type Verdict = (typeof VERDICTS)[number];

export const REVIEW_LIMITS = { reasonCharacters: 500, files: 1_000 } as const;

/** A null verdict removes it. Only rejections keep their reason. */
export const reviewSchema = z
  .object({
    outputId: z.uuid({ error: "The file's ID is missing or not valid." }),
    verdict: z
      .enum(VERDICTS, { error: "The verdict must be approved, rejected or null." })
      .nullable()
      .describe("Null removes it."),
    reason: z
      .string()
      .max(REVIEW_LIMITS.reasonCharacters, {
        error: `The reason is too long (max ${REVIEW_LIMITS.reasonCharacters} characters).`,
      })
      .nullish(),
  })
  .transform(({ outputId, verdict, reason }) => ({
    outputId,
    verdict,
    reason: verdict === "rejected" ? (reason ?? "").trim() || null : null,
  }));
export type Review = z.output<typeof reviewSchema>;

export const reviewsSchema = z.object({
  reviews: z
    .array(reviewSchema)
    .min(1)
    .max(REVIEW_LIMITS.files, { error: `Review at most ${REVIEW_LIMITS.files} files per request.` }),
});
