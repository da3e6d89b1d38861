import { expect, test } from "vitest";
import type { Job } from "#contract/jobs/jobs.ts";
import { testJob } from "../../../jobs/test-job.ts";
import { describeSettings } from "./describe-settings.ts";

test("lists the job's settings", () => {
  expect(describeSettings(testJob())).toEqual([
    ["Videos", "1"],
    ["Variants per video", "4"],
    ["Captions", "1"],
    ["Caption style", "Outline, bottom, medium"],
    ["Music", "1 track, mixed"],
    ["Video volume", "0.7"],
    ["Music volume", "1.0, looped"],
    ["Watermark", "Off"],
    ["Length", "Whole videos"],
    ["Quality", "Standard"],
  ]);
});

test("leaves out volumes that have no effect", () => {
  const silent = describeSettings(testJob({ audio_enabled: false })).map(([name]) => name);
  expect(silent).not.toContain("Music volume");
  const replaced = Object.fromEntries(describeSettings(testJob({ audio_mode: "replace", loop_audio: false })));
  expect(replaced).toMatchObject({ Music: "1 track, replacing the sound", "Music volume": "1.0" });
  expect(replaced).not.toHaveProperty("Video volume");
});

function facts(job: Partial<Job>) {
  return Object.fromEntries(describeSettings(testJob(job)));
}

test("describes segmentation and watermark", () => {
  expect(facts({ segmentation_type: "single" }).Length).toBe("One clip of 30 s");
  expect(facts({ segmentation_type: "multiple" }).Length).toBe("Clips of 30 s");
  expect(facts({ watermark_enabled: true, watermark_text: "@mill" }).Watermark).toBe("@mill");
});

test("describes the watermark's image only if there is one", () => {
  const image = { watermark_enabled: true, watermark_image: "https://clipmill.local/file/d/a", watermark_opacity: 0.8 };
  expect(Object.fromEntries(describeSettings(testJob(image), () => "logo.png"))).toMatchObject({
    "Watermark image": "logo.png, top right, 20% width, 80% opacity",
  });
  expect(facts({ ...image, watermark_text: null })).not.toHaveProperty("Watermark");
  for (const without of [{ watermark_enabled: false }, { watermark_image: null }]) {
    const names = describeSettings(testJob({ ...image, ...without }), () => "logo.png").map(([name]) => name);
    expect(names).not.toContain("Watermark image");
    expect(names).not.toContain("Image opacity");
  }
});

test("describes the caption look only if captions are on", () => {
  const look = { caption_style: "box", caption_position: "top", caption_size: "large" } as const;
  expect(facts(look)["Caption style"]).toBe("Box, top, large");
  expect(facts({ ...look, captions_enabled: false })).not.toHaveProperty("Caption style");
});

test("describes what else differs from the default look", () => {
  const look = { caption_style: "box", caption_font: "serif", caption_color: "#ffcc00", caption_y: 0.62 } as const;
  const more = { caption_box_color: "#00000080", caption_highlight: true };
  expect(facts({ ...look, ...more })).toMatchObject({
    "Caption style": "Box, 62% from the top, medium",
    "Caption font": "Serif, bold",
    "Caption color": "#ffcc00",
    "Caption box": "#00000080",
    "Highlighted words": "Between asterisks",
  });
  expect(facts({ ...more, caption_highlight: false })).not.toHaveProperty("Caption box");
});
