import { expect, it } from "vitest";
import { hostsOfLine } from "../../../src/safety/screening/host-list.ts";

it.each<[string, string[]]>([
  ["0.0.0.0 bad.example", ["bad.example"]],
  ["127.0.0.1\tbad.example  worse.example # both", ["bad.example", "worse.example"]],
  ["::1 bad.example\r", ["bad.example"]],
  [":: bad.example", ["bad.example"]],
  ["0.0.0.0 müller.example", ["xn--mller-kva.example"]],
  ["bad.example", ["bad.example"]],
  ["\uFEFF  Bad.Example.  # comment", ["bad.example"]],
  ["192.0.2.7", ["192.0.2.7"]],
  ["*.bad.example", ["bad.example"]],
  [".bad.example", ["bad.example"]],
  ["*.zip", ["zip"]],
  ["||bad.example^", ["bad.example"]],
  ["||*.bad.example^", ["bad.example"]],
  ["||bad.example^$all", ["bad.example"]],
  ["||bad.example^$document,popup", ["bad.example"]],
  ["||zip^", ["zip"]],
])("%j lists %j", (line, hosts) => expect(hostsOfLine(line)).toEqual(hosts));

it.each([
  "",
  "  \r",
  "# 0.0.0.0 bad.example",
  "! ||bad.example^",
  "[Adblock Plus 2.0]",
  "127.0.0.1 localhost",
  "127.0.0.1 localhost.localdomain",
  "::1 ip6-localhost ip6-loopback",
  "0.0.0.0 0.0.0.0",
])("%j lists nothing", (line) => expect(hostsOfLine(line)).toEqual([]));

it.each([
  "localhost",
  "<html>",
  '<a href="https://good.example">',
  "https://good.example/",
  "good.example/path",
  "192.0.2.7 good.example",
  "two good.example",
  "@@||good.example^",
  "||good.example^$third-party",
  "||good.example^$all,third-party",
  "||good.example/path^",
  "||good.example",
  "||good.*^",
  "good.example##.banner",
  "/good[0-9]+/",
  "0.0.0.0 good.example/path",
])("%j is skipped", (line) => expect(hostsOfLine(line)).toBeNull());
