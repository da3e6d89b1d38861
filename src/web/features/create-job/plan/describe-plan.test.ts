import { describe, expect, it } from "vitest";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { describeMissing, describePlan, describeSum, describeUse } from "./describe-plan.ts";
import { EMPTY_FORM, readForm, type JobForm } from "../draft/job-form.ts";

const links = (count: number) =>
  Array.from({ length: count }, (_, index) => `https://drive.google.com/file/d/f${index}/view`).join("\n");

function planOf(change: Partial<JobForm>) {
  const form = { ...EMPTY_FORM, ...change };
  return describePlan(form, readForm(form));
}

function factsOf(change: Partial<JobForm>): Record<string, string> {
  return Object.fromEntries(planOf(change).facts.map(({ name, value }) => [name, value]));
}

it("counts the files and describes what goes into them", () => {
  const form: Partial<JobForm> = {
    videoLinks: `${links(3)}\nnope`,
    variants: "4",
    captionsEnabled: true,
    captions: "a\nb\nc\nd",
    audioEnabled: true,
    audioLinks: links(2),
    audioMode: "mix",
  };
  expect(describeSum(planOf(form))).toBe("3 × 4 = 12 files");
  expect(planOf(form).warning).toBeNull();
  expect(factsOf(form)).toEqual({
    Captions: "4, each on 3 files",
    Music: "2 tracks, mixed, looped",
    Length: "Whole videos",
  });
});

it("counts the length of files at the speed of the job, of rows and of clips", () => {
  const [one, other] = links(2).split("\n");
  const secondsOf = (change: Partial<JobForm>, durations: number[]) => {
    const form = { ...EMPTY_FORM, videoLinks: `${one}\n${other}`, speed: "2", ...change };
    return describePlan(form, readForm(form), durations).outputSeconds;
  };
  expect(secondsOf({}, [30, 10])).toBe(20);
  expect(
    secondsOf({ rows: JSON.stringify([{ link: one, settings: { speed: 0.5 } }, { link: other }]) }, [30, 10]),
  ).toBe(65);
  expect(secondsOf({ startSeconds: "10", segmentation: "single", segmentSeconds: "8" }, [30, 14])).toBe(8 + 2);
  const slots = [
    { name: "Hook", clips: [{ link: one, start_seconds: 5, speed: 0.5 }] },
    { name: "Body", clips: [{ link: other }] },
  ];
  expect(secondsOf({ slots: JSON.stringify(slots) }, [30, 10])).toBe(50 + 5);
});

it("describes when captions are shown, if not always", () => {
  const form: Partial<JobForm> = { captionsEnabled: true, captions: "a", captionEndSeconds: "3" };
  expect(factsOf(form)).toMatchObject({ "Captions shown": "First 3 s" });
  expect(factsOf({ ...form, captionEndSeconds: "" })).not.toHaveProperty("Captions shown");
  expect(planOf(form).summary).not.toContain("until");
});

it("marks the number of files as approximate if it depends on the lengths", () => {
  const form: Partial<JobForm> = {
    videoLinks: links(1),
    segmentation: "multiple",
    segmentSeconds: "15",
    captionsEnabled: true,
    captions: "a\nb",
    variants: "2",
  };
  expect(describeSum(planOf(form))).toBe("1 × 2 = about 2 files");
  expect(factsOf(form)).toMatchObject({ Captions: "2, each on 1 variant", Length: "Clips of 15 s" });
});

it("is exact once all lengths are known, with time and disk space from measured work", () => {
  const form = {
    ...EMPTY_FORM,
    videoLinks: links(2),
    segmentation: "multiple",
    segmentSeconds: "15",
    variants: "2",
  } as const;
  const read = readForm(form);
  const plan = describePlan(form, read, [40, 65], { speed: 0.3, encodes: 1, bytesPerSecond: 1_000_000 });
  expect(describeSum(plan)).toBe("2 × 2 = 16 files");
  expect(plan.facts.slice(-4)).toEqual([
    { name: "Length", value: "Clips of 15 s" },
    { name: "Total length", value: "3:30" },
    { name: "Time", value: "About 13 min" },
    { name: "Disk space", value: "About 210 MB" },
  ]);
  expect(describePlan(form, read, [40, 65]).facts.at(-1)).toEqual({ name: "Total length", value: "3:30" });
  expect(describePlan(form, read, [40, null])).toMatchObject({ files: 8, isExact: false, outputSeconds: null });
  expect(describePlan(form, read, [90_000, 65]).warning).toBe(
    "A job can have at most 10,000 files. Use fewer variants or longer segments.",
  );
});

it("distinguishes disabled from empty sections", () => {
  expect(factsOf({})).toEqual({ Captions: "Off", Music: "Off", Length: "Whole videos" });
  expect(factsOf({ captionsEnabled: true, audioEnabled: true })).toMatchObject({
    Captions: "None yet",
    Music: "None yet",
  });
});

const vary = (counts: string) => `${counts}. Add captions or tracks to vary them.`;

describe("the warning about identical files", () => {
  const captions = { captionsEnabled: true, captions: "a\nb" };
  it.each([
    ["several variants of nothing", { variants: "2" }, vary("1 unique file, 1 copy")],
    ["one caption for all", { variants: "3", captionsEnabled: true, captions: "a" }, vary("1 unique file, 2 copies")],
    ["captions that are switched off", { variants: "2", captions: "a\nb" }, vary("1 unique file, 1 copy")],
    [
      "fewer captions than variants",
      { videoLinks: links(4), variants: "8", ...captions },
      vary("8 unique files, 24 copies"),
    ],
    [
      "captions that are the same",
      { variants: "2", captionsEnabled: true, captions: "a\na" },
      vary("1 unique file, 1 copy"),
    ],
    ["a video given twice", { videoLinks: `${links(1)}\n${links(1)}` }, vary("1 unique file, 1 copy")],
    [
      "a track given twice",
      { variants: "2", audioEnabled: true, audioLinks: `${links(1)}\n${links(1)}` },
      vary("1 unique file, 1 copy"),
    ],
    ["consecutive clips", { variants: "2", segmentation: "multiple" as const }, vary("About 1 unique file, 1 copy")],
    ["a job without videos", { videoLinks: "", variants: "2" }, null],
    ["one variant", { variants: "1" }, null],
    ["two captions", { variants: "2", ...captions }, null],
    [
      "captions and tracks that pair up",
      { variants: "4", ...captions, audioEnabled: true, audioLinks: links(2) },
      null,
    ],
    ["clips from different places", { variants: "2", segmentation: "single" as const }, null],
  ])("for %s", (_, form, warning) => {
    expect(planOf({ videoLinks: links(1), ...form }).warning).toBe(warning);
  });
});

it("summarizes the advanced options, with quality only if changed", () => {
  expect(planOf({}).summary).toBe("Whole videos · Zip download on");
  expect(planOf({ codec: "hevc" }).summary).toBe("Whole videos · Codec: HEVC · Zip download on");
  expect(planOf({ quality: "draft", downloadEnabled: false }).summary).toBe(
    "Whole videos · Draft quality · Zip download off",
  );
});

it("describes how often each caption is used", () => {
  expect(describeUse(4, 12, "time")).toBe("3 times");
  expect(describeUse(4, 4, "time")).toBe("1 time");
  expect(describeUse(4, 10, "time")).toBe("2 or 3 times");
  expect(describeUse(4, 3, "time")).toBeNull();
  expect(pluralize(1_200, "file")).toBe("1,200 files");
});

it.each([
  [{}, "Enter a job name and add at least one valid video link to start."],
  [{ jobName: " ", videoLinks: links(1) }, "Enter a job name to start."],
  [{ jobName: "A job", videoLinks: "nope" }, "Add at least one valid video link to start."],
  [{ jobName: "A job", videoLinks: links(1) }, null],
])("describes what is missing before a job can start: %j", (form, missing) => {
  expect(describeMissing(readForm({ ...EMPTY_FORM, ...form }), { uploads: 0, problem: null })).toBe(missing);
});

it("describes a caption problem once nothing else is missing", () => {
  const problem = { title: "Caption Too Long", description: "Caption 1 is too long" };
  const whole = readForm({ ...EMPTY_FORM, jobName: "A job", videoLinks: links(1) });
  expect(describeMissing(whole, { uploads: 0, problem })).toBe("Caption 1 is too long.");
  expect(describeMissing(readForm(EMPTY_FORM), { uploads: 0, problem })).toMatch(/^Enter a job name/);
});

it("waits for uploads, once the job has a name", () => {
  const named = { ...EMPTY_FORM, jobName: "A job" };
  const problem = { title: "Caption Too Long", description: "Caption 1 is too long" };
  expect(describeMissing(readForm(named), { uploads: 1, problem: null })).toBe("1 upload is not finished.");
  const whole = readForm({ ...named, videoLinks: links(1) });
  expect(describeMissing(whole, { uploads: 3, problem })).toBe("3 uploads are not finished.");
  expect(describeMissing(readForm(EMPTY_FORM), { uploads: 1, problem: null })).toMatch(/^Enter a job name/);
});

it("multiplies by the formats", () => {
  const form: Partial<JobForm> = { videoLinks: links(3), variants: "2", formats: JSON.stringify(["9:16", "1:1"]) };
  expect(describeSum(planOf(form))).toBe("3 × 2 × 2 = 12 files");
  expect(planOf(form).summary).toContain("Formats: 9:16, 1:1");
});

it("multiplies by the languages", () => {
  const captions = { captionsEnabled: true, captions: "x" };
  const form: Partial<JobForm> = { videoLinks: links(2), variants: "4", languages: "de\nja\nar", ...captions };
  expect(describeSum(planOf(form))).toBe("2 × 4 × 3 = 24 files");
  expect(describeSum(planOf({ ...form, formats: JSON.stringify(["9:16", "1:1"]) }))).toBe("2 × 4 × 3 × 2 = 48 files");
  expect(planOf(form).summary).toContain("Languages: de, ja, ar");
  // Each language has its own files, but the variants share a caption.
  expect(planOf(form).warning).toContain("6 unique files, 18 copies");
});

it("multiplies by the languages of subtitles", () => {
  const subtitles = { subtitlesEnabled: true, subtitles: links(1), subtitleLanguages: "de\nja" };
  const form: Partial<JobForm> = { videoLinks: links(1), variants: "2", ...subtitles };
  expect(describeSum(planOf(form))).toBe("1 × 2 × 2 = 4 files");
  expect(factsOf(form)).toMatchObject({ Subtitles: "Lines, 2 languages" });
  expect(planOf(form).warning).toContain("2 unique files, 2 copies");
  expect(describeSum(planOf({ ...form, subtitlesEnabled: false }))).toBe("1 × 2 = 2 files");
});

// spec 2.17.7
it("counts with rows, and multiplies only if all videos have as many variants", () => {
  const [a, b, c] = links(3).split("\n") as [string, string, string];
  const form: Partial<JobForm> = { videoLinks: links(3), variants: "2", captionsEnabled: true, captions: "x\ny" };
  const own = { link: a, settings: { custom_captions: ["own"] } };
  const captioned = { ...form, rows: JSON.stringify([own, { link: b }, { link: c }]) };
  expect(describeSum(planOf(captioned))).toBe("3 × 2 = 6 files");
  expect(planOf(captioned).captionPlaces).toBe(4);
  expect(factsOf(captioned)).toMatchObject({
    Captions: "2 captions; custom on 1 video",
    "Custom settings": "1 of 3 videos",
  });
  const all = links(3)
    .split("\n")
    .map((link) => ({ link: a, settings: { custom_captions: [link] } }));
  const repeated = { videoLinks: [a, a, a].join("\n"), rows: JSON.stringify(all) };
  expect(planOf(repeated)).toMatchObject({ files: 3, warning: null, captionPlaces: 0 });
  expect(factsOf(repeated)).toMatchObject({ Captions: "On 3 videos" });
  expect(factsOf({ ...repeated, rows: JSON.stringify(all.slice(1)) })).toMatchObject({ Captions: "On 2 videos" });
  const tracks = all.map(({ link }, index) => ({
    link,
    settings: { custom_audio_links: [links(3).split("\n")[index]] },
  }));
  expect(planOf({ ...repeated, rows: JSON.stringify(tracks) }).warning).toBeNull();
  expect(factsOf({ ...repeated, rows: JSON.stringify(tracks) })).toMatchObject({ Music: "On 3 videos" });
  // The captions of a set that is not loaded are unknown.
  const ofSet = JSON.stringify([{ link: a, settings: { caption_set_id: "00000000-0000-4000-8000-000000000000" } }]);
  expect(planOf({ videoLinks: a, variants: "2", rows: ofSet })).toMatchObject({ files: 2, warning: null });
  const equal = [all[0], all[0], all[1]];
  expect(planOf({ ...repeated, rows: JSON.stringify(equal) }).warning).toBe(vary("2 unique files, 1 copy"));
  const varied = { ...form, rows: JSON.stringify([{ link: b, settings: { variants_per_video: 5 } }]) };
  expect(describeSum(planOf(varied))).toBe("3 videos, 9 files");
});
