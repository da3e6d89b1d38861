export const paths = {
  dashboard: "/",
  createJob: "/video-processing",
  captionSets: "/caption-sets",
  audioSets: "/audio-sets",
  presets: "/presets",
  library: "/library",
  jobHistory: "/job-history",
  job: "/jobs/$jobId",
  review: "/jobs/$jobId/review",
  watchFolders: "/watch-folders",
  captionLab: "/auto-caption",
  cloakManager: "/cloak-manager",
  batchScheduler: "/bulk-scheduler",
  warmupRobot: "/warmup-automation",
  settings: "/settings",
  apiReference: "/api-reference",
} as const;

/** Opens the password dialog on the settings screen. */
export const PASSWORD_HASH = "password";
