export const JOB_LIMITS = {
  videos: 10_000,
  variants: 100,
  outputs: 10_000,
  captions: 10_000,
  captionCharacters: 2_000,
  /** Shortest time to show a caption. */
  captionSeconds: 0.1,
  /** UTF-8 size of all captions. */
  captionBytes: 1024 ** 2,
  nameCharacters: 200,
  linkCharacters: 2_000,
  /** UTF-8 size of all video and audio links. */
  linkBytes: 2 * 1024 ** 2,
  /** UTF-8 size of all rows as JSON. */
  rowBytes: 4 * 1024 ** 2,
  rowNameCharacters: 200,
  passColumns: 100,
  passCharacters: 2_000,
  tracks: 1_000,
  languages: 20,
  /** RFC 5646, section 4.4.1: the longest tag without extensions. */
  languageCharacters: 35,
  watermarkCharacters: 200,
  layers: 8,
  layerCharacters: 500,
  /** With its fields filled in, in a preview. */
  filledLayerCharacters: 10_000,
  folderCharacters: 200,
  patternCharacters: 200,
  utmCharacters: 1_000,
  destinations: 10,
  samples: 100,
  leastSlots: 2,
  slots: 5,
  clipsOfSlot: 100,
  slotNameCharacters: 40,
  captionsOfSlot: 100,
  exclusions: 1_000,
  sampleRowsCharacters: 1_000,
  workerLabelsCharacters: 300,
  /** Shortest part of a video. */
  partSeconds: 0.1,
  leastMegabytes: 0.1,
  mostMegabytes: 10_000,
  silenceMs: 60_000,
  silencePaddingMs: 5_000,
  segmentSeconds: 24 * 60 * 60,
  /** Jobs per call. */
  deletedAtOnce: 1_000,
} as const;
