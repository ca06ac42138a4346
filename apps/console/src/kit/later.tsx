import { type ComponentType, type FunctionComponent, lazy, type ReactNode, Suspense } from "react";

/** A component that is loaded when it is first shown; until then, `meanwhile` is in its place. */
export function later<Props extends object, Name extends string>(
  load: () => Promise<{ [Each in Name]: ComponentType<Props> }>,
  name: Name,
  meanwhile: ReactNode = null,
): ComponentType<Props> {
  const Loaded: FunctionComponent<Props> = lazy(async () => ({
    default: (await load())[name] as FunctionComponent<Props>,
  }));
  const Later = (props: Props) => (
    <Suspense fallback={meanwhile}>
      <Loaded {...props} />
    </Suspense>
  );
  return Later;
}

/** In the place of a part that is being loaded */
export const skeleton = <div className="skeleton" aria-busy="true" />;
