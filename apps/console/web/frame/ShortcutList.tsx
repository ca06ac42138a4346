import { useStrings } from "../strings/strings.tsx";
import { Overlay } from "../ui/Overlay.tsx";

/** The list of shortcuts, opened by `?`. */
export function ShortcutList({ close }: { close: () => void }) {
  const { shortcuts } = useStrings();
  const rows: [string, string][] = [
    ["Ctrl K", shortcuts.commands],
    ["/", shortcuts.search],
    ["C", shortcuts.create],
    ["E", shortcuts.edit],
    ["G L", shortcuts.links],
    ["G A", shortcuts.analytics],
    ["G B", shortcuts.buckets],
    ["G D", shortcuts.domains],
    ["G S", shortcuts.settings],
    ["?", shortcuts.help],
  ];
  return (
    <Overlay title={shortcuts.title} close={close}>
      <dl className="shortcuts">
        {rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Overlay>
  );
}
