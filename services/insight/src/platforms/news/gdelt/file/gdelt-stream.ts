/** Which files of GDELT: of articles in English, or of those that GDELT has translated. */
export type GdeltStream = "english" | "translated";
