import { expect, test } from "vitest";
import { describeFfmpegRisks } from "./ffmpeg-vulnerabilities.ts";

const BUNDLED = { ffmpeg: "n7.0-7-gd38bf5e08e-20240407", origin: "bundled", missingLimits: [] } as const;
const ON_PATH = { ffmpeg: "7.1.4-0+deb13u1", origin: "path", missingLimits: [] } as const;

test.each([
  {
    media: BUNDLED,
    risks: [
      "ffmpeg 7.0 has known vulnerabilities; Clipmill isolates it. Install ffmpeg 7.1.5, 8.1.2 or newer to replace it.",
    ],
  },
  {
    media: ON_PATH,
    risks: [
      "ffmpeg 7.1.4 may have known vulnerabilities; Clipmill isolates it. Update it to 7.1.5, 8.1.2 or newer, unless your distribution has fixed it.",
    ],
  },
  {
    media: { ...BUNDLED, missingLimits: ["memory", "network"] as const },
    risks: [
      "This machine cannot limit ffmpeg's memory (prlimit does not work) or keep ffmpeg off the network (unshare does not work). Malicious files can do more harm here.",
      "ffmpeg 7.0 has known vulnerabilities. Install ffmpeg 7.1.5, 8.1.2 or newer to replace it.",
    ],
  },
  { media: { ...ON_PATH, ffmpeg: "8.1.2" }, risks: [] },
])("states the risks of $media.ffmpeg, $media.origin, without $media.missingLimits", ({ media, risks }) => {
  expect(describeFfmpegRisks({ ...media, missingLimits: [...media.missingLimits] })).toEqual(risks);
});
