declare const CLIPMILL_VERSION: string;

/** Inserted by the build. */
export const VERSION = CLIPMILL_VERSION;
