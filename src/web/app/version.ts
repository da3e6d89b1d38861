declare const CLIPMILL_VERSION: string;

/** The version of Clipmill that this page is part of; the build replaces it. */
export const VERSION = CLIPMILL_VERSION;
