import { appRouter, definitionOf, proceduresOf } from "@terse/core";
import { expect, it } from "vitest";
import { servers } from "../src/servers.ts";

const { tools } = servers[1];
const procedures = new Map(proceduresOf(appRouter));
const fieldsOf = (name: string) => Object.keys(definitionOf(procedures.get(name)!).fields);
const shapeOf = (tool: string, part: "input" | "output"): object => tools[tool]?.[part].shape ?? {};

it.each(fieldsOf("links.create"))("the field %s of a link is taken and shown everywhere", (field) => {
  if (field !== "domain") expect(fieldsOf("links.update")).toContain(field);
  expect(shapeOf("create_link", "input")).toHaveProperty(field);
  if (field !== "domain") expect(shapeOf("update_link", "input")).toHaveProperty(field);
  const shown = { url: "destination", password: "has_password" }[field] ?? field;
  expect(shapeOf("get_link", "output")).toHaveProperty(shown);
});
