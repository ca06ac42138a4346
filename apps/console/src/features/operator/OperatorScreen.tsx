import { getRouteApi, Link } from "@tanstack/react-router";
import { useStrings } from "../../words/strings.tsx";
import { FoundLinks } from "./FoundLinks.tsx";
import { Mails } from "./Mails.tsx";
import { People } from "./People.tsx";
import { Reports } from "./Reports.tsx";
import { ServiceState } from "./ServiceState.tsx";
import { type OperatorView, operatorViews } from "./views.ts";
import { Workspaces } from "./Workspaces.tsx";
import { ScreenHeader } from "../../kit/Screen.tsx";
import "./operator.css";

const route = getRouteApi("/operator");

const screens: Record<OperatorView, () => React.ReactNode> = {
  service: ServiceState,
  reports: Reports,
  links: FoundLinks,
  workspaces: Workspaces,
  people: People,
  mail: Mails,
};

/** What operators see of the whole service. The address holds the view and its search. */
export function OperatorScreen() {
  const { places, operator } = useStrings();
  const { view = "service" } = route.useSearch();
  const Screen = screens[view];
  return (
    <>
      <ScreenHeader title={places.operator} />
      <nav className="tabs" aria-label={places.operator}>
        {operatorViews.map((each) => (
          <Link
            key={each}
            to="/operator"
            search={{ view: each }}
            aria-current={each === view ? "page" : undefined}
          >
            {operator.views[each]}
          </Link>
        ))}
      </nav>
      <Screen />
    </>
  );
}
