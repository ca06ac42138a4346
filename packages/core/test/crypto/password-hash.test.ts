import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../src/crypto/password-hash.ts";
import { rejection } from "../helpers.ts";

it("checks some of many concurrent passwords and refuses the others with 503", async () => {
  const hash = await hashPassword("sesame");
  for (let round = 0; round < 2; round++) {
    const checks = Array.from({ length: 60 }, (_, n) => verifyPassword(n % 2 ? "sesame" : "open", hash));
    const outcomes = await Promise.allSettled(checks);
    expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : null))).toEqual(
      Array.from({ length: 60 }, (_, n) => (n < 52 ? n % 2 === 1 : null)),
    );
    expect(await rejection(checks.at(-1) as Promise<boolean>)).toEqual({
      code: "SERVICE_UNAVAILABLE",
      message: "Too many passwords are being checked; try again shortly",
    });
  }
});
