import { fixture } from "../../fixture.ts";

export default fixture("keys.rotate", {
  access: "enterprise",
  uses: ["key"],
  input: ({ key }) => ({ id: key, overlap_hours: 1 }),
  refusals: {
    400: [
      { fields: { overlap_hours: 169 }, error: "overlap_hours: must be a whole number from 0 to 168" },
      { fields: { expires_at: "2020-01-01T00:00:00Z" }, error: "expires_at: must be in the future" },
    ],
    409: [
      {
        async fields({ core, own: { key } }) {
          const owner = await core.credentials.byKey(key.key);
          if (owner) await core.caller(owner).keys.rotate({ id: key.id });
          return {};
        },
        error: "This API key was replaced already: use the new one",
      },
    ],
  },
});
