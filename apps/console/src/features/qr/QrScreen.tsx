import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { maxShapedPng, minContrast, qrLevels, qrMargins, qrSizes } from "@terse/core/browser";
import { useEffect, useState } from "react";
import { api, client, queryClient } from "../../kit/api/api.ts";
import { formatRatio } from "../../kit/format/format.ts";
import { useKey } from "../../kit/shortcuts.ts";
import { say } from "../../kit/toasts.tsx";
import { LoadedLink } from "../history/LoadedLink.tsx";
import { undoUpdate } from "../../kit/api/undo.ts";
import { type Link as ShortLink, shortName } from "../../kit/api/link.ts";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { useIsLeaving } from "../../kit/use-is-leaving.ts";
import { ColorField } from "./ColorField.tsx";
import { departures, imageOf, isShaped, keptPart, type Look, lookOf, storeLook, verdictOf } from "./look.ts";
import { useLogoVersion } from "./logo-version.ts";
import { LogoField } from "./LogoField.tsx";
import { modulesIn } from "./reach.ts";
import { Reach } from "./Reach.tsx";
import { Shapes } from "./Shapes.tsx";
import { ScreenHeader } from "../../kit/Screen.tsx";
import { Button, MainButton } from "../../kit/Button.tsx";
import { useMay } from "../../kit/api/account.ts";
import { ask } from "../../kit/api/fetch.ts";
import { Segments } from "../../kit/Choices.tsx";
import { copyAndSay } from "../../kit/clipboard.ts";
import "./qr.css";

const route = getRouteApi("/links/$id/qr");
/** Milliseconds without a change after which the address and the image follow */
const pause = 80;

/** The QR code of a link: its colours and shape on the left, the code on the right. */
export function QrScreen() {
  const { qr } = useStrings();
  const { id } = route.useParams();
  const navigate = route.useNavigate();
  useKey("Escape", () => void navigate({ to: "/links/$id", params: { id } }), qr.leave);
  return <LoadedLink id={id}>{(link) => <Designer key={id} link={link} />}</LoadedLink>;
}

/** The address holds what differs from the look that is kept with the link. */
function Designer({ link }: { link: ShortLink }) {
  const { qr } = useStrings();
  const { id, slug } = link;
  const [look, setLook] = useLook(link);
  const plain = useQuery(
    api.links.qr.queryOptions(
      { id, ...keptPart(look), ...plainColors, logo: false, level: look.logo ? "H" : look.level, margin: 0 },
      { placeholderData: keepPreviousData },
    ),
  );
  const verdict = verdictOf(look);
  const logoVersion = useLogoVersion(look.logo);
  const image = (format: "svg" | "png") => imageOf(link, look, logoVersion, format);
  const name = shortName(link);
  const modules = plain.data ? modulesIn(plain.data.body) : null;
  const isTooSmall = modules !== null && look.size < modules + 2 * look.margin;
  const isTooLarge = isShaped(look) && look.size > maxShapedPng;
  const set = (part: Partial<Look>) => setLook({ ...look, ...part });
  const copy = () => {
    storeLook(look);
    const drawn = ask(image("png")).then((answer) => answer.blob());
    return copyAndSay(drawn, qr.copied(name), qr.notCopied);
  };
  return (
    <>
      <ScreenHeader title={qr.alt(name)}>
        <Link className="button secondary" to="/links/$id" params={{ id }}>
          {qr.leave}
        </Link>
        <KeepButtons link={link} look={look} isReadable={verdict.isReadable} setLook={setLook} />
      </ScreenHeader>
      <div className="columns designer">
        <div className="look">
          <ColorField label={qr.color} value={look.color} onChange={(color) => set({ color })} />
          <ColorField
            label={qr.background}
            value={look.background}
            onChange={(background) => set({ background })}
          />
          <p className={verdict.isReadable ? "note good" : "note wrong"} role="status">
            {verdict.isReadable
              ? qr.readable(formatRatio(verdict.contrast))
              : qr.unreadable(formatRatio(verdict.contrast), formatRatio(minContrast))}
          </p>
          <fieldset>
            <legend>{qr.level}</legend>
            <Segments
              label={qr.level}
              value={look.logo ? "H" : look.level}
              values={qrLevels}
              textOf={(level) => qr.levels[level]}
              onChange={(level) => set({ level })}
              isDisabled={look.logo}
            />
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
        <figure className="qr-code sheet">
          {verdict.isReadable ? (
            <img src={image("svg")} alt={qr.alt(name)} />
          ) : (
            plain.data && <UnreadableCode svg={plain.data.body} look={look} name={name} />
          )}
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
              <Button disabled={!verdict.isReadable || isTooSmall || isTooLarge} onClick={() => void copy()}>
                {qr.copy}
              </Button>
              <Link
                className="button secondary"
                to="/qr"
                search={{ ids: id, ...departures(look, lookOf(link)) }}
              >
                {qr.sheet}
              </Link>
            </div>
          </figcaption>
        </figure>
      </div>
    </>
  );
}

interface KeepButtonsProps {
  link: ShortLink;
  look: Look;
  isReadable: boolean;
  setLook: (look: Look) => void;
}

/** Keeps the look with the link, for all that show its code, or makes the link's code plain again. */
function KeepButtons({ link, look, isReadable, setLook }: KeepButtonsProps) {
  const { qr } = useStrings();
  const update = useMutation(
    api.links.update.mutationOptions({
      onSuccess: (saved) => {
        queryClient.setQueryData(api.links.get.queryKey({ id: saved.id }), saved);
        setLook(lookOf(saved, { size: look.size }));
        const name = shortName(saved);
        say((saved.qr ? qr.kept : qr.madePlain)(name), () => void undo(saved));
      },
      onError: ({ message }) => say(message),
    }),
  );
  const undo = async (saved: ShortLink) => {
    await undoUpdate(saved).catch((error: Error) => say(error.message));
    setLook(lookOf(await client.links.get.query({ id: saved.id }), { size: look.size }));
  };
  if (!useMay("links:write")) return null;
  const isKept = Object.keys(departures(keptPart(look) as Look, keptPart(lookOf(link)) as Look)).length === 0;
  return (
    <>
      {link.qr && (
        <Button isAtWork={update.isPending} onClick={() => update.mutate({ id: link.id, qr: null })}>
          {qr.makePlain}
        </Button>
      )}
      <MainButton
        isAtWork={update.isPending}
        disabled={isKept || !isReadable}
        title={qr.keepHint}
        onClick={() => update.mutate({ id: link.id, qr: keptPart(look) })}
      >
        {isKept && link.qr ? qr.isKept : qr.keep}
      </MainButton>
    </>
  );
}

const plainColors = { color: "#000000", background: "#ffffff" };

/** A code in colours that scanners miss, which the API does not draw; without its logo. `svg` has no margin. */
function UnreadableCode({ svg, look, name }: { svg: string; look: Look; name: string }) {
  const { qr } = useStrings();
  const side = modulesIn(svg) + 2 * look.margin;
  const paths = [...svg.matchAll(/<path fill="#000000"[^>]* d="([^"]*)"/g)].map(([, d]) => d);
  return (
    <svg
      className="code"
      viewBox={`${-look.margin} ${-look.margin} ${side} ${side}`}
      role="img"
      aria-label={qr.alt(name)}
    >
      <rect x={-look.margin} y={-look.margin} width={side} height={side} fill={look.background} />
      {paths.map((d) => (
        <path key={d} fill={look.color} fillRule="evenodd" d={d} />
      ))}
    </svg>
  );
}

/** The look in the address, which follows a moment after the last change. */
function useLook(link: ShortLink): [Look, (look: Look) => void] {
  const kept = lookOf(link);
  const inAddress = { ...kept, ...route.useSearch() };
  const navigate = route.useNavigate();
  const isLeaving = useIsLeaving();
  const address = JSON.stringify(inAddress);
  const said = JSON.stringify(kept);
  const [look, setLook] = useState(inAddress);
  useEffect(() => setLook(JSON.parse(address) as Look), [address]);
  useEffect(() => {
    if (JSON.stringify(look) === address) return undefined;
    const timer = setTimeout(() => {
      if (!isLeaving()) void navigate({ search: departures(look, JSON.parse(said) as Look), replace: true });
    }, pause);
    return () => clearTimeout(timer);
  }, [look, address, said, navigate, isLeaving]);
  return [look, setLook];
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
  const isValid = (typed: string) =>
    typed.trim() !== "" && Number.isInteger(Number(typed)) && Number(typed) >= min && Number(typed) <= max;
  useEffect(() => setText((before) => (Number(before) === value ? before : String(value))), [value]);
  return (
    <Field
      label={label}
      type="number"
      min={min}
      max={max}
      value={text}
      onChange={(next) => {
        setText(next);
        if (isValid(next)) onChange(Number(next));
      }}
      error={isValid(text) ? error : qr.range(min, max)}
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
    <MainButton disabled>{children}</MainButton>
  ) : (
    <a className="button" href={href} download={name} onClick={onUse}>
      {children}
    </a>
  );
}
