import * as fc from "fast-check";
import { expect, it } from "vitest";
import { JOB_DEFAULTS } from "../jobs.ts";
import { turnsOf } from "../video-settings.ts";
import { assignOutputs } from "./assignment.ts";
import { PLANNED, planCaptions } from "./planned-captions.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
const texts = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 4 });

it("plans the captions that the outputs get", () => {
  const rows = fc.array(fc.option(texts, { nil: undefined }), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(texts, rows, fc.integer({ min: 1, max: 7 }), (custom_captions, own, variants_per_video) => {
      const job = { ...JOB_DEFAULTS, captions_enabled: true, custom_captions, variants_per_video };
      const planned = planCaptions(
        job,
        own.map((captions) => ({ link: LINK, ...(captions && { settings: { custom_captions: captions } }) })),
      );
      expect(planned).toHaveLength(Math.min(own.length, PLANNED.videos));
      for (const { row, captions } of planned) {
        const ofRow = own[row - 1];
        const all = ofRow ?? custom_captions;
        const turns = turnsOf(job, ofRow ? { custom_captions: ofRow } : null, row - 1);
        const facts = { durationSeconds: 9, captions: all.length, tracks: 0, segmentation: null };
        const outputs = assignOutputs({ ...facts, turns, variants: variants_per_video });
        const expected = outputs.map(({ captionIndex }) => (captionIndex === null ? null : all[captionIndex]));
        expect(captions).toEqual(expected.slice(0, PLANNED.variants));
      }
    }),
  );
});

it("shortens long captions, but no letter", () => {
  const long = "😀".repeat(PLANNED.characters + 1);
  const job = { ...JOB_DEFAULTS, captions_enabled: true, custom_captions: [long] };
  expect(planCaptions(job, [{ link: LINK }])).toEqual([{ row: 1, captions: [`${"😀".repeat(PLANNED.characters)}…`] }]);
  expect(planCaptions({ ...job, captions_enabled: false }, [{ link: LINK }])).toEqual([{ row: 1, captions: [null] }]);
});
