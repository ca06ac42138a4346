import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { usePlanWith } from "../../kit/api/account.ts";
import { api, refusalOf } from "../../kit/api/api.ts";
import { say } from "../../kit/toasts.tsx";
import { Confirm } from "../../kit/Confirm.tsx";
import { Rows } from "../../kit/Rows.tsx";
import { Section } from "../../kit/Section.tsx";
import { useStrings } from "../../words/strings.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { ReplaceSecret } from "./ReplaceSecret.tsx";
import { shortName, type Webhook } from "./webhook.ts";
import { WebhookForm } from "./WebhookForm.tsx";
import { WebhookRow, type WebhookAction } from "./WebhookRow.tsx";
import { MainButton } from "../../kit/Button.tsx";
import "./webhooks.css";

const route = getRouteApi("/settings/webhooks");

/** Webhooks: made, changed, tested and deleted. The address says which form or which deliveries are open. */
export function WebhooksSection() {
  const { settings, webhooks: words } = useStrings();
  const { new: isNew, deliveries: openId } = route.useSearch();
  const navigate = route.useNavigate();
  const webhooks = useQuery(api.webhooks.list.queryOptions());
  const [asked, setAsked] = useState<{ webhook: Webhook; to: Exclude<WebhookAction, "deliveries"> } | null>(
    null,
  );
  const { isIncluded, needed } = usePlanWith("webhooks");
  const close = () => setAsked(null);
  const closeAddress = () => void navigate({ search: {} });
  const open = webhooks.data?.find(({ id }) => id === openId);
  return (
    <Section
      title={settings.sections.webhooks}
      lead={needed ? words.need(needed) : words.hint}
      action={
        isIncluded && (
          <MainButton onClick={() => void navigate({ search: { new: true } })}>{words.create}</MainButton>
        )
      }
    >
      <Rows query={webhooks} none={words.none}>
        {(webhook) => (
          <WebhookRow
            value={webhook}
            isIncluded={isIncluded === true}
            ask={(to) =>
              to === "deliveries"
                ? void navigate({ search: { deliveries: webhook.id } })
                : setAsked({ webhook, to })
            }
          />
        )}
      </Rows>
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
      onSuccess: () => {
        close();
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
