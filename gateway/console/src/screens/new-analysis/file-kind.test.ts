import { describe, expect, it } from "vitest";
import { kindOf, pictureSize } from "./file-kind.js";

const bytes = (text: string): Uint8Array => Uint8Array.from([...text].map((character) => character.charCodeAt(0)));

describe("kindOf", () => {
  it("knows what the server takes", () => {
    expect(kindOf(bytes("\u0089PNG\r\n\u001a\n"))).toBe("png");
    expect(kindOf(bytes("\u00ff\u00d8\u00ff\u00e0"))).toBe("jpg");
    expect(kindOf(bytes("ID3\u0004"))).toBe("mp3");
    expect(kindOf(bytes("\u00ff\u00fb\u0090"))).toBe("mp3");
    expect(kindOf(bytes("\u0000\u0000\u0000\u0018ftypisom"))).toBe("mp4");
  });

  it("names kinds that it does not take", () => {
    expect(kindOf(bytes("GIF89a"))).toEqual({ other: "GIF" });
    expect(kindOf(bytes("RIFF....WEBPVP8 "))).toEqual({ other: "WebP" });
    expect(kindOf(bytes("\u0000\u0000\u0000\u0018ftypheic"))).toEqual({ other: "HEIC" });
    expect(kindOf(bytes("RIFF....WAVEfmt \u0010\u0000\u0000\u0000\u0001"))).toEqual({ other: "WAV" });
  });

  it("takes MP3 in a WAV file, and leaves to the server what it does not know", () => {
    expect(kindOf(bytes("RIFF....WAVEfmt \u001e\u0000\u0000\u0000\u0055"))).toBe("mp3");
    expect(kindOf(bytes("hello"))).toBe("unknown");
    expect(kindOf(new Uint8Array())).toBe("unknown");
  });
});

describe("pictureSize", () => {
  it("reads the head of a PNG", () => {
    const head = bytes("\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR\u0000\u0000\u0003\u00e8\u0000\u0000\u0001\u0090");
    expect(pictureSize(head, "png")).toEqual({ width: 1000, height: 400 });
  });

  it("skips segments of a JPG until one tells the size", () => {
    const head = bytes(
      `\u00ff\u00d8\u00ff\u00e1\u0000\u0006Exif\u00ff\u00c0\u0000\u0011\u0008\u0001\u0090\u0003\u00e8${"\u0003".repeat(9)}`,
    );
    expect(pictureSize(head, "jpg")).toEqual({ width: 1000, height: 400 });
  });

  it("says nothing of what is cut off", () => {
    expect(pictureSize(bytes("\u0089PNG"), "png")).toBeUndefined();
    expect(pictureSize(bytes("\u00ff\u00d8\u00ff\u00e1\u00ff\u00ff"), "jpg")).toBeUndefined();
  });
});
