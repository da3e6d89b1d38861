import { SPECIFIED_SOURCES } from "../sources/accepted-sources.ts";
import { describe, expect, it } from "vitest";
import { parseCreateJob } from "./create-job.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
const valid = { job_name: "A job", input_videos: [LINK] };

function problemOf(body: unknown): string | null {
  const parsed = parseCreateJob(body, SPECIFIED_SOURCES);
  return parsed.ok ? null : `${parsed.problem.title} / ${parsed.problem.description}`;
}

/** Returns how often the texts of a job's captions are read to check `rowCount` rows with settings. */
function readsOfCaptions(rowCount: number): number {
  let reads = 0;
  const captions = new Proxy(Array(100).fill("A caption"), {
    get(list, key) {
      reads += 1;
      return Reflect.get(list, key) as unknown;
    },
  });
  const rows = Array.from({ length: rowCount }, () => ({ link: LINK, settings: { format: "1:1" } }));
  expect(problemOf({ ...valid, rows, captions_enabled: true, custom_captions: captions })).toBeNull();
  return reads;
}

/** Returns `count` texts of `bytes` UTF-8 bytes in total, each starting with `begin`; the first takes the remainder. */
function spread(bytes: number, count: number, fill = "x", begin = ""): string[] {
  const fillBytes = new TextEncoder().encode(fill).length;
  const text = begin.padEnd(Math.floor(bytes / count / fillBytes), fill);
  const rest = bytes - new TextEncoder().encode(text).length * count;
  return Array.from({ length: count }, (_, i) => (i === 0 ? text + "x".repeat(rest) : text));
}

describe("SPEC's rules, in SPEC's order", () => {
  // spec 5.5, 5.5.1, 5.5.2, 5.5.3
  it.each([
    [{}, "Job Name Required / Please enter a name for your job"],
    [{ ...valid, job_name: "  " }, "Job Name Required / Please enter a name for your job"],
    [{ job_name: "x", input_videos: [] }, "Videos Required / Please add at least one video link"],
    [{ job_name: "x", input_videos: [" "] }, "Videos Required / Please add at least one video link"],
    [{ job_name: "x", input_videos: ["nonsense"] }, "Invalid Links / No valid Google Drive video links found"],
    [
      { ...valid, captions_enabled: true, audio_enabled: true },
      "Captions Required / Captions are enabled but no captions provided",
    ],
    [{ ...valid, audio_enabled: true }, "Audio Required / Audio is enabled but no audio links provided"],
    [
      { ...valid, audio_enabled: true, custom_audio_links: ["nonsense"] },
      "Invalid Audio Links / No valid Google Drive or Instagram audio links found",
    ],
  ])("%j -> %s", (body, problem) => {
    expect(problemOf(body)).toBe(problem);
  });

  it.each([null, 7, "text", [], { job_name: 7, input_videos: "x" }])(
    "returns the first rule for %j instead of throwing",
    (body) => {
      expect(problemOf(body)).toBe("Job Name Required / Please enter a name for your job");
    },
  );
});

describe("types and limits", () => {
  // spec 3.1
  it.each([
    [{ variants_per_video: 0 }, "variants_per_video"],
    [{ variants_per_video: 1.5 }, "variants_per_video"],
    [{ variants_per_video: "3" }, "variants_per_video"],
    [{ variants_per_video: 101 }, "100 variants"],
    [{ caption_start_seconds: -1 }, "caption_start_seconds"],
    [{ caption_fade: 100 }, "caption_fade"],
    [
      { captions_enabled: true, custom_captions: ["a"], caption_start_seconds: 3, caption_end_seconds: 3 },
      "0.1 seconds",
    ],
    [{ caption_font: "comic" }, "caption_font"],
    [{ caption_weight: 700 }, "caption_weight"],
    [{ caption_color: "red" }, "caption_color: A color must look like #ffcc00"],
    [{ caption_color: "#ffcc0080" }, "caption_color: A color must look like #ffcc00"],
    [{ caption_box_color: "none" }, "caption_box_color: A color must look like #ffcc00, or #ffcc0080 with an opacity"],
    [{ caption_y: 1.01 }, "caption_y"],
    [{ caption_highlight: "yes" }, "caption_highlight"],
    [{ video_gain: 1.1 }, "video_gain"],
    [{ music_gain: -0.1 }, "music_gain"],
    [{ segment_duration: 0 }, "segment_duration"],
    [{ loudness_lufs: -30.5 }, "loudness_lufs"],
    [{ loudness_lufs: -9 }, "loudness_lufs"],
    [{ ducking_db: -1 }, "ducking_db"],
    [{ ducking_db: 25 }, "ducking_db"],
    [{ formats: ["2:1"] }, "formats"],
    [{ languages: ["german"] }, "Use language tags such as de, pt-BR or zh-Hant"],
    [
      {
        languages: Array.from({ length: 21 }, (_, i) => `de-${100 + i}`),
        captions_enabled: true,
        custom_captions: ["a"],
      },
      "languages",
    ],
    [{ languages: ["de"] }, "Languages apply only to captions"],
    [{ subtitle_languages: ["german"] }, "Use language tags such as de, pt-BR or zh-Hant"],
    [
      {
        ...{ variants_per_video: 100, subtitles_enabled: true, subtitle_languages: ["de", "fr"] },
        rows: Array.from({ length: 51 }, () => ({ link: LINK, settings: { subtitles: LINK } })),
      },
      "10,000 files",
    ],
    [
      { variants_per_video: 100, languages: ["de", "fr"], input_videos: Array.from({ length: 51 }, () => LINK) },
      "10,000 files",
    ],
    [
      { variants_per_video: 100, formats: ["9:16", "1:1"], input_videos: Array.from({ length: 51 }, () => LINK) },
      "10,000 files",
    ],
    [{ transition_seconds: 1.1 }, "transition_seconds"],
    [{ audio_crossfade_ms: 301 }, "audio_crossfade_ms"],
    [{ segmentation_type: "triple" }, "segmentation_type"],
    [{ audio_mode: "duck" }, "audio_mode"],
    [{ caption_set_id: "7" }, "caption_set_id"],
    [{ job_name: "x".repeat(201) }, "200 characters"],
    [{ input_videos: Array.from({ length: 1000 }, () => LINK), variants_per_video: 11 }, "10,000 files"],
    [{ captions_enabled: true, custom_captions: ["x".repeat(2001)] }, "2,000 characters"],
    [{ watermark_text: "x".repeat(201) }, "watermark_text"],
  ])("rejects %j, naming %s", (change, named) => {
    expect(problemOf({ ...valid, ...change })).toContain(named);
  });

  it.each([
    ["captions", "1 MB of caption text", { custom_captions: spread(1024 ** 2, 8_192) }],
    ["captions in another script", "1 MB of caption text", { custom_captions: spread(1024 ** 2, 8_192, "\u0627") }],
    [
      "links",
      "2 MB of video and audio links",
      { input_videos: spread(1024 ** 2, 1_000, "x", LINK), custom_audio_links: spread(1024 ** 2, 1_000, "x", LINK) },
    ],
  ])("accepts %s of exactly the limit in bytes and rejects one byte more, naming %s", (_, named, change) => {
    expect(problemOf({ ...valid, ...change })).toBeNull();
    const [first, ...others] = Object.values(change)[0]!;
    const [field] = Object.keys(change);
    expect(problemOf({ ...valid, ...change, [field!]: [`${first}x`, ...others] })).toContain(named);
  });

  it("does not read all captions of the job again for each row with settings", () => {
    // Per row, finding the first caption takes a few reads.
    expect(readsOfCaptions(50) - readsOfCaptions(10)).toBeLessThan(40 * 10);
  });

  it("rejects more than 10,000 videos, typed or in rows", () => {
    const videos = Array.from({ length: 10_001 }, () => LINK);
    const tooMany = "Too Many Videos / A job can have at most 10,000 videos";
    expect(problemOf({ ...valid, input_videos: videos })).toBe(tooMany);
    expect(problemOf({ ...valid, rows: videos.map((link) => ({ link })) })).toBe(tooMany);
  });

  // spec 9.6, 9.7, 9.8, 9.9, 9.11, 9.12, 9.13
  it("fills in the defaults and treats null as absent", () => {
    const parsed = parseCreateJob(
      { ...valid, job_name: " A job ", audio_mode: null, variants_per_video: null },
      SPECIFIED_SOURCES,
    );
    expect(parsed).toMatchObject({
      ok: true,
      input: {
        job_name: "A job",
        audio_mode: "replace",
        variants_per_video: 1,
        video_gain: 0.7,
        music_gain: 1,
        loop_audio: true,
        segment_duration: 30,
        segmentation_type: null,
        download_enabled: true,
      },
    });
  });

  it.each([
    [{ platform: "reels" }, "9:16"],
    [{ platform: "reels", format: null }, "9:16"],
    [{ platform: "reels", format: "source" }, "source"],
    [{ platform: "shorts", format: "1:1" }, "1:1"],
    [{ platform: null }, "source"],
    [{}, "source"],
  ])("takes the format of %j as %s: its own before the platform's", (change, format) => {
    expect(parseCreateJob({ ...valid, ...change }, SPECIFIED_SOURCES)).toMatchObject({
      ok: true,
      input: { format, fit: "crop" },
    });
  });

  it.each([
    [{ platform: "reels" }, -14],
    [{ platform: "reels", loudness_lufs: null }, null],
    [{ platform: "reels", loudness_lufs: -16 }, -16],
    [{}, null],
  ])("takes the loudness of %j as %s: absent is the platform's, null is off", (change, lufs) => {
    expect(parseCreateJob({ ...valid, ...change }, SPECIFIED_SOURCES)).toMatchObject({
      ok: true,
      input: { loudness_lufs: lufs },
    });
  });

  it("reads links as the form does", () => {
    const other = LINK.replace(/\w+(?=\/view|$)/, "other");
    const body = {
      ...valid,
      input_videos: [`${LINK} ${other}`, `1. <${LINK}>`, `\u200B${other}`, "nonsense", " "],
      audio_enabled: true,
      custom_audio_links: [`${LINK}\t${other}`],
    };
    expect(parseCreateJob(body, SPECIFIED_SOURCES)).toMatchObject({
      ok: true,
      input: { input_videos: [LINK, other, LINK, other, "nonsense"], custom_audio_links: [LINK, other] },
    });
    const rows = [{ link: `2) ${LINK}`, settings: { custom_audio_links: [`${LINK};${other}`] } }];
    expect(parseCreateJob({ ...valid, rows }, SPECIFIED_SOURCES)).toMatchObject({
      ok: true,
      input: { input_videos: [LINK], rows: [{ link: LINK, settings: { custom_audio_links: [LINK, other] } }] },
    });
    expect(problemOf({ ...valid, rows: [{ link: LINK }, { link: `${LINK} ${other}` }] })).toBe(
      "Invalid Links / Row 2: Use one row for each link",
    );
  });

  it("rejects an unknown platform, naming it", () => {
    expect(problemOf({ ...valid, platform: "myspace" })).toContain("platform");
  });
});

describe("layers", () => {
  const image = "https://clipmill.local/file/d/logo";
  const rows = [{ link: LINK, pass: { price: "9 €", logo: image } }];
  const job = { ...valid, input_videos: [], rows };

  it.each([
    [{ kind: "text", text: "{row.price} {caption:20} {variant} {part.name}" }],
    [{ kind: "image", image: "{row.logo}", x: 0.2, y: 1, size: 0.5, opacity: 0.3 }],
    [{ kind: "image", image, position: "bottom", start_seconds: 1, end_seconds: 2, fade: 200 }],
  ])("accepts %j", (layer) => {
    expect(problemOf({ ...job, layers: [layer] })).toBeNull();
  });

  it.each([
    [{ kind: "text", text: " " }, "Layer 1 needs a text"],
    [{ kind: "text", text: "{row.cost}" }, 'The text of layer 1 uses the column "cost", which no row has'],
    [{ kind: "text", text: "{" }, 'A "{" in the text of layer 1 has no "}"; write "{{" for a brace'],
    [{ kind: "image", image: LINK }, "Layer 1 needs an image from the library"],
    [{ kind: "image", image: "{row.cost}" }, 'Layer 1 uses the column "cost", which no row has'],
    [{ kind: "image", image: "{row.price}" }, 'Row 1: The column "price" needs a link to an image from the library'],
    [{ kind: "image", image: `${image}?x={name}` }, "Layer 1 needs an image from the library"],
    [{ kind: "image", image: "{row.constructor}" }, 'Layer 1 uses the column "constructor", which no row has'],
    [{ kind: "text", text: "{row.part.name}" }, 'The text of layer 1 uses the column "part.name", which no row has'],
    [{ kind: "text", text: "A", start_seconds: 2, end_seconds: 2 }, "Layer 1 must be shown for at least 0.1 seconds"],
    [{ kind: "text", text: "A", x: 0.5 }, "Layer 1 needs both x and y, or neither"],
  ])("rejects %j", (layer, description) => {
    expect(problemOf({ ...job, layers: [layer] })).toBe(`Invalid Layers / ${description}`);
  });

  it("reads columns as rows have them", () => {
    const others = [...rows, { link: LINK, pass: { constructor: image } }];
    const layers = [{ kind: "image", image: "{row.constructor}" }];
    expect(problemOf({ ...job, rows: others, layers })).toBeNull();
  });

  it("rejects other fields, and more than eight", () => {
    expect(problemOf({ ...job, layers: [{ kind: "text", text: "A", blur: 1 }] })).toMatch(/layers/);
    expect(problemOf({ ...job, layers: Array.from({ length: 9 }, () => ({ kind: "text", text: "A" })) })).toMatch(
      /layers/,
    );
  });
});

function slotsWith(subtitles: string | null) {
  const clips = [{ link: LINK, subtitles }];
  return [
    { name: "Hook", clips },
    { name: "Body", clips: [{ link: `${LINK}?2` }] },
  ];
}

describe("subtitles", () => {
  const subtitles = "https://clipmill.local/file/d/words";
  const on = { ...valid, input_videos: [LINK], subtitles_enabled: true };
  const two = [LINK, `${LINK}?2`];

  it.each([
    [{ subtitles }],
    [{ input_videos: [], rows: [{ link: LINK, settings: { subtitles } }, { link: LINK }] }],
    [{ subtitles, captions_enabled: true, custom_captions: ["A"], subtitle_position: "top" }],
    [{ subtitles_enabled: false, subtitles, input_videos: two }],
    [{ subtitles_enabled: false, subtitles, cut_fillers: true }],
    [{ slots: slotsWith(subtitles) }],
  ])("accepts %j", (settings) => {
    expect(problemOf({ ...on, ...settings })).toBeNull();
  });

  const REQUIRED = "Subtitles Required / Subtitles are enabled but no subtitle file provided";
  const ONE = "A subtitle file belongs to one video. Use a table with a column for them";
  const WORDS =
    "Transcript Required / Cutting fillers needs a transcript. Set up transcription in Settings, or add a subtitle file";
  const LINK_RULE = "Invalid Subtitles / The subtitle file must be a link to a file";
  const APART = "Captions and subtitles are both at the bottom. Choose another position for one of them";

  it.each([
    [{}, REQUIRED],
    [{ input_videos: [], rows: [{ link: LINK, settings: { start_seconds: 1 } }] }, REQUIRED],
    [{ slots: slotsWith(null) }, REQUIRED],
    [{ cut_fillers: true }, REQUIRED],
    [{ subtitles_enabled: false, cut_fillers: true }, WORDS],
    [{ subtitles_enabled: false, cut_fillers: true, subtitles: "words.srt" }, LINK_RULE],
    [{ slots: slotsWith("words.srt") }, "Invalid Subtitles / Hook 1: The subtitles must be a link to a file"],
    [{ subtitles, input_videos: two }, `Invalid Subtitles / ${ONE}`],
    [{ subtitles: "words.srt" }, "Invalid Subtitles / The subtitle file must be a link to a file"],
    [
      { subtitles: "https://www.youtube.com/watch?v=x" },
      "Invalid Subtitles / The subtitle file must be a link to a file",
    ],
    [
      { subtitles, captions_enabled: true, custom_captions: ["A"], subtitle_position: "bottom" },
      `Invalid Subtitles / ${APART}`,
    ],
  ])("rejects %j", (settings, description) => {
    expect(problemOf({ ...on, ...settings })).toBe(description);
  });
});
