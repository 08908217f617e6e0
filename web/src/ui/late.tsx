import { type ComponentType, type FunctionComponent, lazy, useState } from "react";

/** A component whose code is fetched when it is wanted, or before by `load`. */
export interface Late<Props> extends FunctionComponent<Props> {
  load(): Promise<unknown>;
}

/**
 * Like React's `lazy`, but drawn at once where its code is here already. One that suspends, be it for a moment, has a
 * fallback in its place that React then keeps on the screen for 300 ms.
 */
export function late<Props extends object>(fetchCode: () => Promise<ComponentType<Props>>): Late<Props> {
  let here: ComponentType<Props> | null = null;
  const load = async () => (here ??= await fetchCode());
  const Awaited = lazy(async () => ({ default: await load() }));
  const Whichever: FunctionComponent<Props> = (props) => {
    // The same for as long as it is drawn: another component would be another state.
    const [Drawn] = useState<ComponentType<Props>>(() => here ?? (Awaited as unknown as ComponentType<Props>));
    return <Drawn {...props} />;
  };
  return Object.assign(Whichever, { load });
}
