import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { maxShapedPng, minContrast, qrLevels, qrMargins, qrSizes } from "@terse/core/browser";
import { useEffect, useRef, useState } from "react";
import { api } from "../api.ts";
import { formatRatio } from "../format.ts";
import { useKey } from "../frame/shortcuts.ts";
import { say } from "../frame/toasts.tsx";
import { LinkProblem } from "../link/LinkProblem.tsx";
import { shortName } from "../links/link.ts";
import { useStrings } from "../strings/strings.tsx";
import { Field } from "../ui/Field.tsx";
import { useIsLeaving } from "../ui/use-is-leaving.ts";
import { ColorField } from "./ColorField.tsx";
import { completeLook, departures, imageOf, isShaped, type Look, storeLook, verdictOf } from "./look.ts";
import { useLogoVersion } from "./logo-version.ts";
import { LogoField } from "./LogoField.tsx";
import { modulesIn } from "./reach.ts";
import { Reach } from "./Reach.tsx";
import { Shapes } from "./Shapes.tsx";

const route = getRouteApi("/links/$id/qr");
/** Milliseconds without a change after which the address and the image follow */
const pause = 80;

/** The QR code of a link: its colours and shape on the left, the code on the right. The address holds the look. */
export function QrScreen() {
  const strings = useStrings();
  const { qr } = strings;
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  const [look, setLook] = useLook();
  const link = useQuery(api.links.get.queryOptions({ id }));
  const plain = useQuery(
    api.links.qr.queryOptions(
      { id, level: look.logo ? "H" : look.level, margin: 0 },
      { placeholderData: keepPreviousData },
    ),
  );
  useKey("Escape", () => void navigate({ to: "/links/$id", params: { id } }), qr.leave);
  const verdict = verdictOf(look);
  const logoVersion = useLogoVersion(look.logo);
  const image = (format: "svg" | "png") => imageOf(id, look, logoVersion, format);
  const shown = useLast(image("svg"), verdict.isReadable, imageOf(id, completeLook({}), ""));

  if (link.error && !link.data)
    return <LinkProblem id={id} error={link.error} retry={() => void link.refetch()} />;
  if (!link.data) return <div className="skeleton" aria-busy="true" />;
  const { slug } = link.data;
  const name = shortName(link.data);
  const modules = plain.data ? modulesIn(plain.data.body) : null;
  const isTooSmall = modules !== null && look.size < modules + 2 * look.margin;
  const isTooLarge = isShaped(look) && look.size > maxShapedPng;
  const set = (part: Partial<Look>) => setLook({ ...look, ...part });
  const copyImage = async () => {
    storeLook(look);
    try {
      const drawn = fetch(image("png")).then(async (answer) => {
        if (!answer.ok) throw new Error(answer.statusText);
        return answer.blob();
      });
      await navigator.clipboard.write([new ClipboardItem({ "image/png": drawn })]);
      say(qr.copied(name));
    } catch {
      say(qr.notCopied);
    }
  };
  return (
    <>
      <header className="top">
        <h1>{qr.alt(name)}</h1>
        <Link className="button quiet" to="/links/$id" params={{ id }}>
          {qr.leave}
        </Link>
      </header>
      <div className="halves designer">
        <div className="look">
          <ColorField label={qr.color} value={look.color} onChange={(color) => set({ color })} />
          <ColorField
            label={qr.background}
            value={look.background}
            onChange={(background) => set({ background })}
          />
          <p className={verdict.isReadable ? "verdict good" : "verdict wrong"} role="status">
            {verdict.isReadable
              ? qr.readable(formatRatio(verdict.contrast))
              : qr.unreadable(formatRatio(verdict.contrast), formatRatio(minContrast))}
          </p>
          <fieldset>
            <legend>{qr.level}</legend>
            <div className="periods">
              {qrLevels.map((level) => (
                <label key={level}>
                  <input
                    type="radio"
                    name="level"
                    checked={level === (look.logo ? "H" : look.level)}
                    disabled={look.logo}
                    onChange={() => set({ level })}
                  />
                  {qr.levels[level]}
                </label>
              ))}
            </div>
            <p className="note">{qr.levelHint}</p>
          </fieldset>
          <Shapes look={look} set={set} />
          <LogoField isUsed={look.logo} onUse={(logo) => set({ logo })} />
          <div className="pair">
            <NumberField
              label={qr.margin}
              range={qrMargins}
              value={look.margin}
              onChange={(margin) => set({ margin })}
              hint={look.margin < qrMargins.default ? qr.narrow : undefined}
            />
            <NumberField
              label={qr.size}
              range={qrSizes}
              value={look.size}
              onChange={(size) => set({ size })}
              error={
                isTooSmall
                  ? qr.tooSmall(modules + 2 * look.margin)
                  : isTooLarge
                    ? qr.tooLarge(maxShapedPng)
                    : undefined
              }
            />
          </div>
        </div>
        <figure className="qr-code">
          <img src={shown} alt={qr.alt(name)} className={verdict.isReadable ? undefined : "stale"} />
          <figcaption>
            {modules !== null && <Reach modules={modules + 2 * look.margin} />}
            <div className="actions">
              <Download
                href={image("png")}
                name={`${slug}.png`}
                isOff={!verdict.isReadable || isTooSmall || isTooLarge}
                onUse={() => storeLook(look)}
              >
                {qr.png}
              </Download>
              <Download
                href={image("svg")}
                name={`${slug}.svg`}
                isOff={!verdict.isReadable}
                onUse={() => storeLook(look)}
              >
                {qr.svg}
              </Download>
              <button
                type="button"
                className="quiet"
                disabled={!verdict.isReadable || isTooSmall || isTooLarge}
                onClick={() => void copyImage()}
              >
                {qr.copy}
              </button>
              <Link className="button quiet" to="/qr" search={{ ids: id, ...departures(look) }}>
                {qr.sheet}
              </Link>
            </div>
          </figcaption>
        </figure>
      </div>
    </>
  );
}

/** The look in the address, which follows a moment after the last change. */
function useLook(): [Look, (look: Look) => void] {
  const inAddress = completeLook(route.useSearch());
  const navigate = route.useNavigate();
  const isLeaving = useIsLeaving();
  const address = JSON.stringify(inAddress);
  const [look, setLook] = useState(inAddress);
  useEffect(() => setLook(JSON.parse(address) as Look), [address]);
  useEffect(() => {
    if (JSON.stringify(look) === address) return undefined;
    const timer = setTimeout(() => {
      if (!isLeaving()) void navigate({ search: departures(look), replace: true });
    }, pause);
    return () => clearTimeout(timer);
  }, [look, address, navigate, isLeaving]);
  return [look, setLook];
}

/** The value while it is good, then the last one that was (`first` if none), so that an image stays meanwhile. */
function useLast(value: string, isGood: boolean, first: string): string {
  const last = useRef(first);
  useEffect(() => {
    if (isGood) last.current = value;
  });
  return isGood ? value : last.current;
}

interface NumberFieldProps {
  label: string;
  range: { min: number; max: number };
  value: number;
  onChange: (value: number) => void;
  error?: string | undefined;
  hint?: string | undefined;
}

/** A field for a whole number. While its text is none, or out of range, it says so and the value stays. */
function NumberField({ label, range: { min, max }, value, onChange, error, hint }: NumberFieldProps) {
  const { qr } = useStrings();
  const [text, setText] = useState(String(value));
  const typed = text.trim() === "" ? Number.NaN : Number(text);
  const isValid = Number.isInteger(typed) && typed >= min && typed <= max;
  useEffect(() => setText((before) => (Number(before) === value ? before : String(value))), [value]);
  return (
    <Field
      label={label}
      type="number"
      min={min}
      max={max}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        const next = target.valueAsNumber;
        if (Number.isInteger(next) && next >= min && next <= max) onChange(next);
      }}
      error={isValid ? error : qr.range(min, max)}
      hint={hint}
    />
  );
}

interface DownloadProps {
  href: string;
  name: string;
  isOff: boolean;
  onUse: () => void;
  children: string;
}

function Download({ href, name, isOff, onUse, children }: DownloadProps) {
  return isOff ? (
    <button type="button" disabled>
      {children}
    </button>
  ) : (
    <a className="button" href={href} download={name} onClick={onUse}>
      {children}
    </a>
  );
}
