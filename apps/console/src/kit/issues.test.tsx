import { describe, expect, it } from "vitest";
import { en } from "../words/en.ts";
import { errorIn, errorsBeside, errorsOf, withoutField } from "./issues.ts";

/** An error of a call, as tRPC gives it. */
const refused = (...issues: { path: (string | number)[]; message: string }[]) =>
  Object.assign(new Error("the first"), {
    data: { issues: issues.map((issue) => ({ code: "invalid", ...issue })) },
  });

describe("what is wrong with a form", () => {
  const errors = errorsOf(
    refused(
      { path: ["draft", "url"], message: "is no URL" },
      { path: ["draft", "rules", 0, "when", "countries", 1], message: "is no country" },
      { path: ["draft", "rules", 0, "when", "countries", 3], message: "is no country" },
      { path: ["draft", "slug"], message: "is long" },
      { path: ["draft", "slug"], message: "has a space" },
      { path: ["colour"], message: "is new" },
      { path: [], message: "Too many links" },
    ),
    en,
    "draft",
  );

  it("is found by field, all of it at once", () => {
    expect(errors["url"]).toBe("is no URL");
    expect(errors["slug"]).toBe("is long; has a space");
    expect(errorIn(errors, "rules.0.when.countries")).toBe("is no country");
    expect(errorIn(errors, "rules.1")).toBeUndefined();
    expect(errorIn(errors, "rule")).toBeUndefined();
  });

  it("is at the end of the form where no field shows it", () => {
    expect(errorsBeside(errors, ["url", "slug", "rules"])).toBe("colour: is new; Too many links");
    expect(errorsBeside(errors, ["rules.0.when.countries"], "rules.0")).toBeUndefined();
    expect(errorsBeside(withoutField(errors, "colour"), ["url", "slug", "rules"])).toBe("Too many links");
  });

  it("is the error's own sentence without an answer, and nothing if a sign-in is asked for", () => {
    expect(errorsOf(new Error("No connection"), en)).toEqual({ "": "No connection" });
    expect(errorsOf(null, en)).toEqual({});
    expect(errorsOf(Object.assign(new Error("old"), { data: { max_age: 600, issues: [] } }), en)).toEqual({});
  });
});
