declare const CLIPMILL_VERSION: string;

/** Clipmill's version, inserted by the build. */
export const VERSION = CLIPMILL_VERSION;
