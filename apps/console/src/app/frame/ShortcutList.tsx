import { useStrings } from "../../words/strings.tsx";
import { modifier, nameOfKey, shortcutsEnabled, useScreenKeys } from "../../kit/shortcuts.ts";
import { Overlay } from "../../kit/Overlay.tsx";
import { paletteKeys } from "./commands.ts";
import { usePlaces } from "../places.ts";
import "./shortcut-list.css";

type Row = [keys: string, meaning: string];

/** The shortcuts of the screen that is shown and of all screens, opened by `?`. */
export function ShortcutList({ close }: { close: () => void }) {
  const { shortcuts, places: names } = useStrings();
  const places = usePlaces();
  const onScreen = useScreenKeys().map(({ name, meaning }): Row => [nameOfKey(name), meaning]);
  const everywhere: Row[] = [
    [paletteKeys, shortcuts.commands],
    ["/", shortcuts.search],
    ["C", shortcuts.create],
    ...places.map(({ key, name }): Row => [`G ${key.toUpperCase()}`, shortcuts.goTo(names[name])]),
    [`${modifier} V`, shortcuts.paste],
    [`${modifier} Z`, shortcuts.undo],
    ["?", shortcuts.help],
  ];
  return (
    <Overlay title={shortcuts.title} close={close}>
      {!shortcutsEnabled() && <p className="note">{shortcuts.areOff}</p>}
      {onScreen.length > 0 && <Keys title={shortcuts.onScreen} rows={onScreen} />}
      <Keys title={shortcuts.everywhere} rows={everywhere} />
    </Overlay>
  );
}

function Keys({ title, rows }: { title: string; rows: Row[] }) {
  return (
    <section className="shortcuts">
      <h3>{title}</h3>
      <dl>
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
    </section>
  );
}
