import { useQuery } from "@tanstack/react-query";
import { planOptions } from "../../kit/api/account.ts";
import type { Answers } from "../../kit/api/answers.ts";
import { formatBytes, formatCount } from "../../kit/format/format.ts";
import { useStrings } from "../../words/strings.tsx";
import { Icon } from "../../kit/Icon.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import "./plan.css";

type Overview = Answers["users"]["plan"];
type PlanRow = Overview["plans"][number];
type Limit = keyof PlanRow["limits"];
type Feature = PlanRow["features"][number];

/** What the account's plan allows, what is used of it, and what other plans allow. */
export function Plan() {
  const { settings } = useStrings();
  const overview = useQuery({
    ...planOptions,
    staleTime: 10_000,
    refetchInterval: ({ state }) => (state.data?.used === null ? 2000 : false),
  });
  return (
    <Loaded query={overview}>
      {({ plan, plans, used }) => {
        const own = plans.find(({ name }) => name === plan);
        return (
          <>
            <Section title={settings.planTitle(own?.title ?? plan)} lead={settings.planHint}>
              {own && <Use used={used} limits={own.limits} />}
            </Section>
            <Section title={settings.allPlans}>
              <Comparison plan={plan} plans={plans} />
            </Section>
          </>
        );
      }}
    </Loaded>
  );
}

function Use({ used, limits }: { used: Overview["used"]; limits: PlanRow["limits"] }) {
  const { settings } = useStrings();
  if (used === null) return <p className="soft">{settings.measuring}</p>;
  const room = limits.stored_megabytes * 1e6;
  return (
    <dl className="uses">
      <div>
        <dt id="used-links">{settings.limits.links}</dt>
        <dd>
          {limits.links === null
            ? settings.usedOfAny(formatCount(used.links))
            : settings.usedOf(formatCount(used.links), formatCount(limits.links))}
        </dd>
        {limits.links !== null && (
          <dd>
            <meter
              aria-labelledby="used-links"
              value={used.links}
              max={limits.links}
              high={limits.links * 0.9}
            />
          </dd>
        )}
      </div>
      <div>
        <dt id="used-bytes">{settings.limits.stored_megabytes}</dt>
        <dd>{settings.usedOf(formatBytes(used.stored_bytes), formatBytes(room))}</dd>
        <dd>
          <meter aria-labelledby="used-bytes" value={used.stored_bytes} max={room} high={room * 0.9} />
        </dd>
      </div>
    </dl>
  );
}

/** In the order in which they are shown */
const shownLimits = [
  "links",
  "stored_megabytes",
  "link_creations_per_minute",
  "custom_domains",
  "links_per_bucket",
  "api_keys",
] as const satisfies readonly Limit[];
/** The feature without which a limit means nothing */
const featureOf: Partial<Record<Limit, Feature>> = {
  custom_domains: "custom_domains",
  links_per_bucket: "buckets",
  api_keys: "api_keys",
};
/** Whether a feature has no limit of its name, whose row would say the same. */
const isUncounted = (feature: Feature): feature is Exclude<Feature, Limit> =>
  !shownLimits.some((limit) => limit === feature);

/** One column a plan; the account's own is marked. */
function Comparison({ plan, plans }: { plan: Overview["plan"]; plans: PlanRow[] }) {
  const { settings } = useStrings();
  const features = plans.at(-1)?.features.filter(isUncounted) ?? [];
  const shown = ({ limits, features: included }: PlanRow, limit: Limit) => {
    const value = limits[limit];
    const feature = featureOf[limit];
    if (feature !== undefined && !included.includes(feature)) return <span className="soft">–</span>;
    if (value === null) return settings.any;
    return limit === "stored_megabytes" ? formatBytes(value * 1e6) : formatCount(value);
  };
  return (
    <div className="scroll tall plans" tabIndex={0} role="region" aria-label={settings.allPlans}>
      <table className="table">
        <thead>
          <tr>
            <td />
            {plans.map(({ name, title }) => (
              <th key={name} scope="col" className={name === plan ? "own" : undefined}>
                {title}
                {name === plan && <span className="note">{settings.yourPlan}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {features.map((feature) => (
            <tr key={feature}>
              <th scope="row">{settings.features[feature]}</th>
              {plans.map((row) => (
                <td key={row.name} className={row.name === plan ? "own" : undefined}>
                  {row.features.includes(feature) ? (
                    <>
                      <Icon name="check" />
                      <span className="unseen">{settings.included}</span>
                    </>
                  ) : (
                    <span className="soft">–</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
          {shownLimits.map((limit) => (
            <tr key={limit}>
              <th scope="row">{settings.limits[limit]}</th>
              {plans.map((row) => (
                <td key={row.name} className={row.name === plan ? "own" : undefined}>
                  {shown(row, limit)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
