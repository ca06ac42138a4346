import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { api, refusalOf } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { Loaded } from "../../kit/Loaded.tsx";
import { Section } from "../../kit/Section.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { ReplaceSecret } from "./ReplaceSecret.tsx";
import { refreshWebhooks, shortName, type Webhook } from "./webhook.ts";
import { WebhookForm } from "./WebhookForm.tsx";
import { WebhookRow, type WebhookAction } from "./WebhookRow.tsx";
import "./webhooks.css";

const route = getRouteApi("/settings/webhooks");

/** Webhooks: made, changed, tested and deleted. The address says which form or which deliveries are open. */
export function WebhooksSection() {
  const { settings, webhooks: words } = useStrings();
  const { new: isNew, deliveries: openId } = route.useSearch();
  const navigate = route.useNavigate();
  const webhooks = useQuery(api.webhooks.list.queryOptions());
  const plan = useQuery(api.users.plan.queryOptions());
  const [asked, setAsked] = useState<{ webhook: Webhook; to: Exclude<WebhookAction, "deliveries"> } | null>(
    null,
  );
  const smallest = plan.data?.plans.find(({ features }) => features.includes("webhooks"));
  const isIncluded = plan.data?.plans
    .find(({ name }) => name === plan.data.plan)
    ?.features.includes("webhooks");
  const close = () => setAsked(null);
  const closeAddress = () => void navigate({ search: {} });
  const open = webhooks.data?.find(({ id }) => id === openId);
  return (
    <Section
      title={settings.sections.webhooks}
      lead={isIncluded === false && smallest ? words.need(smallest.title) : words.hint}
      action={
        isIncluded && (
          <button type="button" className="button" onClick={() => void navigate({ search: { new: true } })}>
            {words.create}
          </button>
        )
      }
    >
      <Loaded query={webhooks}>
        {(all) =>
          all.length === 0 ? (
            <p className="soft">{words.none}</p>
          ) : (
            <ul className="rows hooks">
              {all.map((webhook) => (
                <WebhookRow
                  key={webhook.id}
                  value={webhook}
                  isIncluded={isIncluded === true}
                  ask={(to) =>
                    to === "deliveries"
                      ? void navigate({ search: { deliveries: webhook.id } })
                      : setAsked({ webhook, to })
                  }
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isNew && isIncluded && <WebhookForm close={closeAddress} />}
      {open && <Deliveries value={open} isIncluded={isIncluded === true} close={closeAddress} />}
      {asked?.to === "edit" && <WebhookForm value={asked.webhook} close={close} />}
      {asked?.to === "replace" && <ReplaceSecret value={asked.webhook} close={close} />}
      {asked?.to === "delete" && <Delete value={asked.webhook} close={close} />}
    </Section>
  );
}

function Delete({ value, close }: { value: Webhook; close: () => void }) {
  const { webhooks: words } = useStrings();
  const remove = useMutation(
    api.webhooks.delete.mutationOptions({
      onSuccess: async () => {
        close();
        await refreshWebhooks();
        say(words.deleted(shortName(value.url)));
      },
    }),
  );
  return (
    <Confirm
      title={words.deleteTitle(shortName(value.url))}
      action={words.delete}
      isPending={remove.isPending}
      error={refusalOf(remove.error)}
      close={close}
      onConfirm={() => remove.mutate({ id: value.id })}
    >
      <p>{words.deleteMeans}</p>
    </Confirm>
  );
}
