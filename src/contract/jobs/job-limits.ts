/** Maximums for a job. */
export const JOB_LIMITS = {
  videos: 10_000,
  variants: 100,
  outputs: 10_000,
  captions: 10_000,
  captionCharacters: 2_000,
  /** The shortest time that a caption is shown, in seconds. */
  captionSeconds: 0.1,
  /** Total UTF-8 size of all captions. */
  captionBytes: 1024 ** 2,
  nameCharacters: 200,
  linkCharacters: 2_000,
  /** Total UTF-8 size of all video and audio links. */
  linkBytes: 2 * 1024 ** 2,
  /** Size of all rows as JSON in UTF-8. */
  rowBytes: 4 * 1024 ** 2,
  rowNameCharacters: 200,
  passColumns: 100,
  passCharacters: 2_000,
  tracks: 1_000,
  watermarkCharacters: 200,
  folderCharacters: 200,
  patternCharacters: 200,
  utmCharacters: 1_000,
  /** Destinations that the files are delivered to. */
  destinations: 10,
  /** Samples that are made before a job waits for approval. */
  samples: 100,
  sampleRowsCharacters: 1_000,
  workerLabelsCharacters: 300,
  /** The shortest part of a video that can be used, in seconds. */
  partSeconds: 0.1,
  segmentSeconds: 24 * 60 * 60,
} as const;
