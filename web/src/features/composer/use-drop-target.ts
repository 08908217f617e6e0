import { type RefObject, useEffect, useEffectEvent, useState } from "react";

/**
 * Files that are dragged over the window can be dropped on the composer. Dropped beside it they do nothing: left alone, the
 * browser would open the file in the place of the page.
 */
export function useDropTarget(target: RefObject<HTMLElement | null>, onDrop: (data: DataTransfer) => void) {
  const [dragging, setDragging] = useState(false);
  const dropped = useEffectEvent(onDrop);
  useEffect(() => {
    /** How many nested elements the pointer has entered. */
    let depth = 0;
    const isFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (isFiles(event) && ++depth === 1) setDragging(true);
    };
    const leave = (event: DragEvent) => {
      if (isFiles(event) && --depth <= 0) setDragging(((depth = 0), false));
    };
    const over = (event: DragEvent) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      const inside = event.target instanceof Node && target.current?.contains(event.target);
      if (event.dataTransfer) event.dataTransfer.dropEffect = inside ? "copy" : "none";
    };
    const drop = (event: DragEvent) => {
      if (!isFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setDragging(false);
      const inside = event.target instanceof Node && target.current?.contains(event.target);
      if (inside && event.dataTransfer) dropped(event.dataTransfer);
    };
    const listeners = [["dragenter", enter], ["dragleave", leave], ["dragover", over], ["drop", drop]] as const;
    for (const [name, listener] of listeners) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener);
    };
  }, [target]);
  return dragging;
}
