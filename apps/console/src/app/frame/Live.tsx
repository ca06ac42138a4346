import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../kit/api/api.ts";
import { useStrings } from "../../words/strings.tsx";
import { useMedia } from "../../kit/use-media.ts";

/** All lengths of time in milliseconds */
const askEvery = 10_000;
const shown = 60_000;
const bars = 20;
/** The service tells no more than the last 20 clicks. */
const mostTold = 20;

/** The clicks of the last minute as a sparkline. Asks while the page is visible and wide enough for it. */
export function Live() {
  const { frame } = useStrings();
  const isShown = useMedia("(width >= 1024px) and (height >= 560px)");
  const clicks = useQuery(
    api.analytics.realtime.queryOptions(undefined, { refetchInterval: askEvery, enabled: isShown }),
  );
  if (!isShown || !clicks.data) return null;
  const ages = clicks.data
    .map(({ timestamp }) => clicks.dataUpdatedAt - Date.parse(timestamp))
    .filter((age) => age < shown);
  const heights = Array<number>(bars).fill(0);
  for (const age of ages) {
    const at = bars - 1 - Math.floor((Math.max(age, 0) / shown) * bars);
    heights[at] = (heights[at] ?? 0) + 1;
  }
  const most = Math.max(4, ...heights);
  return (
    <Link to="/analytics" className="live">
      <svg
        viewBox={`0 0 ${bars * 4} 24`}
        width="100%"
        height="24"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={`M0 23.5h${bars * 4}`} />
        {heights.map((height, at) => (
          <rect
            key={at}
            x={at * 4 + 0.5}
            width="3"
            y={23 - (height / most) * 22}
            height={(height / most) * 22}
          />
        ))}
      </svg>
      <span>{ages.length < mostTold ? frame.live(ages.length) : frame.liveMany(mostTold)}</span>
    </Link>
  );
}
