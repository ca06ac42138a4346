import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { useState } from "react";
import { Dialog, I18nProvider, Modal, ModalOverlay } from "react-aria-components";
import { api } from "../../kit/api/api.ts";
import { partsOf } from "../../kit/format/format.ts";
import { shortName } from "../../kit/api/link.ts";
import { isShortUrlOf, linkOfShortUrl } from "../../features/links/short-url.ts";
import { useWorkspaceId } from "../../kit/api/account.ts";
import { viewerLocale } from "../../words/language.ts";
import { useStrings } from "../../words/strings.tsx";
import { type Command as Choice, useCommands } from "./commands.ts";
import { recents, remember } from "../../kit/api/recent.ts";
import "./palette.css";

const mostRecent = 5;

interface Row {
  id: string;
  name: string;
  /** What stands at the end of the row */
  end?: string | undefined;
  isKeys?: boolean;
  run: () => unknown;
}

/** Finds screens, actions, settings and links by a few letters; without any, offers the recent ones first. */
export function Palette({ close, openHelp }: { close: () => void; openHelp: () => void }) {
  const strings = useStrings();
  const { palette, go } = strings;
  const navigate = useNavigate();
  const account = useWorkspaceId() ?? "";
  const { onScreen, everywhere } = useCommands(openHelp);
  const [text, setText] = useState("");
  const search = text.trim();
  const [chosen, setChosen] = useState({ search, value: "" });
  const found = useQuery(
    api.links.list.queryOptions(
      { limit: 8, ...(search && { search }) },
      { placeholderData: keepPreviousData },
    ),
  );
  // Enter must not open what an earlier text has found.
  const isEarlier = found.isPlaceholderData;
  const openLink = (id: string) => () => navigate({ to: "/links/$id", params: { id } });
  const rowOf = ({ id, name, keys, run }: Choice): Row => ({
    id,
    name,
    end: keys,
    isKeys: true,
    run: () => {
      remember(account, { command: id });
      return run();
    },
  });
  const matching = (commands: Choice[]) =>
    commands.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())).map(rowOf);
  // The link whose short URL was entered comes before others that contain it.
  const links = (found.data?.data ?? [])
    .toSorted((a, b) => Number(isShortUrlOf(b.shortUrl, search)) - Number(isShortUrlOf(a.shortUrl, search)))
    .map((link) => ({
      id: link.id,
      name: shortName(link),
      end: link.title ?? partsOf(link.destination).host,
      run: openLink(link.id),
    }));
  const recent = recents(account)
    .flatMap((each): Row[] => {
      if ("link" in each) {
        const known = links.find(({ id }) => id === each.link);
        return [known ?? { id: each.link, name: each.name, run: openLink(each.link) }];
      }
      const command = everywhere.find(({ id }) => id === each.command);
      return command ? [rowOf(command)] : [];
    })
    .slice(0, mostRecent);
  const more: Row[] =
    search !== "" && (found.data?.meta.total ?? 0) > links.length
      ? [{ id: "go", name: go.all, run: () => navigate({ to: "/go", search: { q: search } }) }]
      : [];
  const isRecent = ({ id }: Row) => search === "" && recent.some((each) => each.id === id);
  const groups: [string, Row[]][] = [
    [palette.onScreen, matching(onScreen)],
    [palette.recent, search === "" ? recent : []],
    [palette.actions, matching(everywhere).filter((row) => !isRecent(row))],
    [palette.links, [...links.filter((row) => !isRecent(row)), ...more]],
  ];
  const isDisabled = (heading: string) => heading === palette.links && isEarlier;
  const values = groups.flatMap(([heading, rows]) =>
    isDisabled(heading) ? [] : rows.map((row) => valueOf(heading, row)),
  );
  // The first row is chosen until another one is, and again when other rows have taken the place of that one.
  const isChosen = chosen.search === search && values.includes(chosen.value);
  return (
    <I18nProvider locale={viewerLocale()}>
      <ModalOverlay isOpen isDismissable onOpenChange={(isOpen) => !isOpen && close()} className="overlay">
        <Modal className="palette">
          <Dialog aria-label={strings.frame.commands}>
            <Command
              label={palette.placeholder}
              shouldFilter={false}
              loop
              value={isChosen ? chosen.value : (values[0] ?? "")}
              onValueChange={(value) => setChosen({ search, value })}
            >
              <Command.Input
                autoFocus
                value={text}
                onValueChange={setText}
                onPaste={({ clipboardData }) => {
                  void linkOfShortUrl(clipboardData.getData("text/plain")).then((id) => {
                    if (id === null) return;
                    close();
                    void openLink(id)();
                  });
                }}
                placeholder={palette.placeholder}
              />
              <Command.List label={palette.results}>
                <Command.Empty>{found.isError ? strings.errors.unreachable : palette.none}</Command.Empty>
                {groups.map(
                  ([heading, rows]) =>
                    rows.length > 0 && (
                      <Command.Group key={heading} heading={heading}>
                        {rows.map((row) => (
                          <Command.Item
                            key={row.id}
                            value={valueOf(heading, row)}
                            disabled={isDisabled(heading)}
                            onSelect={() => {
                              close();
                              void row.run();
                            }}
                          >
                            <span dir="auto">{row.name}</span>
                            {row.isKeys && row.end !== undefined && <kbd>{row.end}</kbd>}
                            {!row.isKeys && row.end !== undefined && (
                              <span className="soft" dir="auto">
                                {row.end}
                              </span>
                            )}
                          </Command.Item>
                        ))}
                      </Command.Group>
                    ),
                )}
              </Command.List>
            </Command>
          </Dialog>
        </Modal>
      </ModalOverlay>
    </I18nProvider>
  );
}

const valueOf = (heading: string, { id }: Row) => `${heading} ${id}`;
