import { fixture } from "../../fixture.ts";

export default fixture("webhooks.create", {
  access: "pro",
  input: () => ({ url: "https://example.com/hooks", events: ["link.created"] }),
  refusals: {
    400: [
      { fields: { events: [] }, error: "events: must have at least one event" },
      { fields: { events: ["link.read"] }, error: /^events.0: must be one of link.created, / },
      {
        fields: { url: "https://user:secret@example.com/" },
        error: "url: must not contain a user name or password",
      },
      { fields: { url: "http://example.com/hooks" }, error: "url: must be an https:// URL" },
      {
        fields: { url: "https://short.test/hooks" },
        error: "url: must not point back at a short-link host (that would be a loop)",
      },
    ],
  },
});
