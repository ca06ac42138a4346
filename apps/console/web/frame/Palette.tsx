import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { useDeferredValue, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { api } from "../api.ts";
import { partsOf } from "../format.ts";
import { shortName } from "../links/link.ts";
import { useStrings } from "../strings/strings.tsx";
import { applyTheme, themes } from "../theme.ts";
import { signOut } from "./sign-out.ts";

/** Finds pages, actions and links by a few letters. */
export function Palette({ close }: { close: () => void }) {
  const strings = useStrings();
  const { palette, places, shortcuts, settings } = strings;
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
  const found = useQuery(
    api.links.list.queryOptions(
      { limit: 8, ...(search && { search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const act = (action: () => unknown) => () => {
    close();
    void action();
  };
  const actions: { name: string; run: () => unknown }[] = [
    { name: shortcuts.create, run: () => navigate({ to: "/", search: { new: "" } }) },
    { name: places.links, run: () => navigate({ to: "/" }) },
    { name: places.analytics, run: () => navigate({ to: "/analytics" }) },
    { name: places.buckets, run: () => navigate({ to: "/buckets" }) },
    { name: places.domains, run: () => navigate({ to: "/domains" }) },
    { name: places.settings, run: () => navigate({ to: "/settings" }) },
    ...themes.map((theme) => ({
      name: `${settings.theme}: ${settings.themes[theme]}`,
      run: () => applyTheme(theme),
    })),
    { name: strings.frame.signOut, run: signOut },
  ];
  const matching = actions.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
  return (
    <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && close()} className="overlay">
      <Modal className="palette">
        <Dialog aria-label={strings.frame.commands}>
          <Command label={palette.placeholder} shouldFilter={false}>
            <Command.Input autoFocus value={text} onValueChange={setText} placeholder={palette.placeholder} />
            <Command.List>
              <Command.Empty>{palette.none}</Command.Empty>
              {matching.length > 0 && (
                <Command.Group heading={palette.actions}>
                  {matching.map(({ name, run }) => (
                    <Command.Item key={name} value={name} onSelect={act(run)}>
                      {name}
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
              {found.data && found.data.data.length > 0 && (
                <Command.Group heading={palette.links}>
                  {found.data.data.map((link) => (
                    <Command.Item
                      key={link.id}
                      value={link.id}
                      onSelect={act(() => navigate({ to: "/links/$id", params: { id: link.id } }))}
                    >
                      {shortName(link)}
                      <span className="soft">{partsOf(link.destination).host}</span>
                    </Command.Item>
                  ))}
                </Command.Group>
              )}
            </Command.List>
          </Command>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
