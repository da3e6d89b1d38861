/** The sentence that an operator confirms in Settings to turn on video sites. */
export const RIGHTS = "I hold the rights to the videos, or their owners allow me to download them.";
