import { describe, expect, it } from "vitest";
import { chooseLanguage, isLanguagePath, wordsFor } from "../src/index.ts";

const languageFor = (acceptLanguage?: string, cookie?: string) =>
  wordsFor((name) => ({ "accept-language": acceptLanguage, cookie })[name]).language;

describe("the language of a page", () => {
  it.each([
    ["de", "de"],
    ["fr-CA, fr;q=0.9, en;q=0.8", "fr"],
    ["en;q=0.5, de-AT;q=0.7", "de"],
    ["it, pt-BR;q=0.9, fr;q=0.1", "fr"],
    ["DE-ch", "de"],
    ["*", "en"],
    ["it", "en"],
    ["de;q=0, fr;q=0.2", "fr"],
    ["", "en"],
    [undefined, "en"],
  ])("is the best of the browser's (RFC 9110): %j", (header, language) => {
    expect(languageFor(header)).toBe(language);
  });

  it.each([
    ["de;q=NaN, fr;q=0.1", "fr"],
    ["de;q=-1, fr", "fr"],
    ["de;q=1e9, fr;q=0.1", "fr"],
    ["<script>, de\u0000, fr", "fr"],
    [`${"x".repeat(8192)}, de`, "en"],
    [`de, ${"x-".repeat(4096)}`, "de"],
    [",".repeat(8192), "en"],
    ["__proto__, constructor", "en"],
  ])("survives a hostile header: %.40j", (header, language) => {
    expect(languageFor(header)).toBe(language);
  });

  it.each([
    ["language=fr", "fr"],
    ["a=b; language=en; c=d", "en"],
    ["language=it", "de"],
    ["language=toString", "de"],
    ["language=", "de"],
    ["other=fr", "de"],
  ])("is the one that was chosen, if there is such a language: %s", (cookie, language) => {
    expect(languageFor("de", cookie)).toBe(language);
  });
});

describe("the switch", () => {
  const choose = (path: string, referrer?: string, secure = false) =>
    chooseLanguage(path, { referrer, hosts: ["go.example:8080"], secure });

  it("keeps a language of the list, and leads back to the page that it is on", () => {
    expect(choose("/+de", "http://go.example:8080/abc+?a=b")).toMatchObject({
      Location: "http://go.example:8080/abc+?a=b",
      "Set-Cookie": "language=de; Max-Age=31536000; Path=/; SameSite=Lax",
    });
    expect(choose("/+fr", "http://go.example:8080/", true)?.["Set-Cookie"]).toContain("; Secure");
    expect(isLanguagePath("/+it")).toBe(false);
    expect(choose("/+it", "http://go.example:8080/")).toBeNull();
  });

  it("never leads to itself, or to another host", () => {
    expect(choose("/+de", "http://go.example:8080/+fr")?.["Location"]).toBe("/");
    expect(choose("/+de", "http://go.example:8080//evil.example")?.["Location"]).toBe(
      "http://go.example:8080//evil.example",
    );
  });

  it.each([
    undefined,
    "",
    "about:blank",
    "http://evil.example/",
    "http://go.example/",
    "http://go.example:8080@evil.example/",
    "javascript://go.example:8080/%0aalert(1)",
  ])("does nothing for a page elsewhere: %s", (referrer) => {
    expect(choose("/+de", referrer)).toBeNull();
  });
});
