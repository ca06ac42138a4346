import { expect, it } from "vitest";
import { hashPassword, needsRehash, sharesOfVisit, verifyPassword } from "../../src/kernel/secrets.ts";
import { weakHash } from "@terse/testkit";
import { rejection } from "../helpers.ts";

it("names its cost in the hash, which is one of those that OWASP recommends", async () => {
  const hash = await hashPassword("sesame", []);
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect([await verifyPassword("sesame", hash, []), await verifyPassword("open", hash, [])]).toEqual([
    true,
    false,
  ]);
  expect(needsRehash(hash)).toBe(false);
  expect(await verifyPassword("sesame", hash.replace("p=3", "p=2"), [])).toBe(false);
});

it("checks hashes of another cost, and asks for a new one", async () => {
  const hash = weakHash("sesame");
  expect(await verifyPassword("sesame", hash, [])).toBe(true);
  expect(await verifyPassword("open", hash, [])).toBe(false);
  expect(needsRehash(hash)).toBe(true);
});

it("accepts no password for text that is no hash, or would take too much memory or time", async () => {
  const key = "A".repeat(43);
  for (const hash of [
    "",
    "scrypt$",
    `scrypt$$${key}`,
    `bcrypt$aa$${key}`,
    `$scrypt$ln=14,r=8$AAAA$${key}`,
    `$scrypt$ln=19,r=8,p=1$AAAA$${key}`,
    `$scrypt$ln=99,r=99,p=1$AAAA$${key}`,
    `$scrypt$ln=14,r=8,p=99$AAAA$${key}`,
    `$scrypt$ln=0,r=8,p=1$AAAA$${key}`,
    `$scrypt$ln=14,r=0,p=1$AAAA$${key}`,
  ]) {
    expect([hash, await verifyPassword("sesame", hash, []), needsRehash(hash)]).toEqual([hash, false, false]);
  }
});

it("checks some of many concurrent passwords and refuses the others with 503", async () => {
  const hash = await hashPassword("sesame", [], { ln: 1, r: 8, p: 1 });
  const share = [{ key: "client", weight: 1 }];
  const checks = Array.from({ length: 80 }, (_, n) => verifyPassword(n % 2 ? "sesame" : "open", hash, share));
  const outcomes = await Promise.allSettled(checks);
  expect(outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : null))).toEqual(
    Array.from({ length: 80 }, (_, n) => (n < 66 ? n % 2 === 1 : null)),
  );
  expect(await rejection(checks.at(-1) as Promise<boolean>)).toEqual({
    code: "SERVICE_UNAVAILABLE",
    message: "Too many passwords are being checked; try again shortly",
  });
});

it("checks the password of a visitor who has not failed before those of sixty addresses that guess", async () => {
  const hash = await hashPassword("sesame", [], { ln: 1, r: 8, p: 1 });
  const addresses = Array.from({ length: 60 }, (_, at) => `198.51.100.${at}`);
  const tryFrom = (client: string, password: string) =>
    verifyPassword(password, hash, sharesOfVisit("one link", client));
  await Promise.all(addresses.map((address) => tryFrom(address, "open")));
  const order: string[] = [];
  const visits = [...addresses, "honest"].map(async (client) => {
    await tryFrom(client, client === "honest" ? "sesame" : "open");
    order.push(client);
  });
  await Promise.all(visits);
  expect(order.indexOf("honest")).toBeLessThan(10);
});

it("does not hold right passwords against a visitor, nor passwords that were not checked", async () => {
  const hash = await hashPassword("sesame", [], { ln: 1, r: 8, p: 1 });
  const client = "198.51.101.1";
  const shares = sharesOfVisit("another link", client);
  await verifyPassword("sesame", hash, shares);
  const many = Array.from({ length: 90 }, () => verifyPassword("sesame", hash, shares).catch(() => null));
  expect(await Promise.all(many)).toContain(null);
  const order: string[] = [];
  const guesser = sharesOfVisit("another link", "198.51.101.2");
  await verifyPassword("open", hash, guesser);
  const guesses = Array.from({ length: 20 }, () =>
    verifyPassword("open", hash, guesser).then(() => order.push("guess")),
  );
  await Promise.all([...guesses, verifyPassword("sesame", hash, shares).then(() => order.push("right"))]);
  expect(order.indexOf("right")).toBeLessThan(10);
});
