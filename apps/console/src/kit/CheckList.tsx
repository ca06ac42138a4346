/** Checkboxes of names that programs use, such as scopes and events, each with its meaning. */
export function CheckList<Name extends string>({
  names,
  meaningOf,
  chosen,
  onChange,
}: {
  names: readonly Name[];
  meaningOf: (name: Name) => string;
  chosen: ReadonlySet<Name>;
  onChange: (chosen: ReadonlySet<Name>) => void;
}) {
  const toggle = (name: Name) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return names.map((name) => (
    <label key={name} className="check">
      <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
      <span>
        {meaningOf(name)} <code className="soft">{name}</code>
      </span>
    </label>
  ));
}
