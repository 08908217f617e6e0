import { readEnterKey } from "./preferences";

/** What is needed of a `KeyboardEvent`, or of React's. */
interface Press {
  key: string;
  keyCode: number;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  nativeEvent: { isComposing: boolean };
}

/** 229 is what browsers report that end a composition before they send the key that ended it. */
export const isComposing = (press: Press): boolean => press.nativeEvent.isComposing || press.keyCode === 229;

/** Whether this key sends or saves what is written, by the one setting that holds wherever messages are written. */
export function isSendKey(press: Press): boolean {
  if (press.key !== "Enter" || isComposing(press)) return false;
  return readEnterKey() === "sends" ? !press.shiftKey : press.ctrlKey || press.metaKey;
}
