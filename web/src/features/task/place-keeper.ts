/** Pixels from the end that count as being there, for a reader who moves towards it. */
const NEAR = 24;

/**
 * Keeps the reader's place in a scrolled box: at the end while he is there, else on the line under his eye, whatever
 * changes its size above it. It acts after the layout and before the paint, so nothing is seen to move.
 */
export class PlaceKeeper {
  readonly #watched = new Set<Element>();
  readonly #told: (atEnd: boolean) => void;
  #box: HTMLElement | null = null;
  #sizes: ResizeObserver | null = null;
  #sticking = true;
  #content: readonly unknown[] = [];
  #lastTop = 0;
  #lastHeight = 0;
  /** The first thing in sight, and where it stands on the screen. */
  #anchor: { element: Element; top: number } | null = null;

  constructor(told: (atEnd: boolean) => void) {
    this.#told = told;
  }

  /** Goes to the end and begins. To be called when the content is there: who observes first is told first. */
  attach(box: HTMLElement): () => void {
    this.#box = box;
    const sizes = new ResizeObserver(() => this.keep());
    this.#sizes = sizes;
    for (const element of this.#watched) sizes.observe(element);
    sizes.observe(box);
    const scrolled = () => this.#scrolled();
    box.addEventListener("scroll", scrolled, { passive: true });
    this.keep();
    return () => {
      box.removeEventListener("scroll", scrolled);
      sizes.disconnect();
      this.#box = null;
      this.#sizes = null;
    };
  }

  /** Takes a part of the content into account. A ref, that returns its end. */
  watch = (element: Element | null): (() => void) | undefined => {
    if (!element) return undefined;
    this.#watched.add(element);
    this.#sizes?.observe(element);
    return () => {
      this.#watched.delete(element);
      this.#sizes?.unobserve(element);
    };
  };

  /** Other content is there now. What came in front has moved everything. */
  changed(content: readonly unknown[]): void {
    if (content === this.#content) return;
    this.#content = content;
    this.keep();
  }

  toEnd(): void {
    this.#stick(true);
    this.keep();
  }

  /** Stops following: the reader is about to be taken elsewhere. */
  letGo(): void {
    this.#stick(false);
    this.#anchor = null;
  }

  #stick(sticking: boolean): void {
    if (sticking === this.#sticking) return;
    this.#sticking = sticking;
    this.#told(sticking);
  }

  #scrolled(): void {
    const box = this.#box;
    if (!box) return;
    const left = box.scrollHeight - box.scrollTop - box.clientHeight;
    // Growth alone moves nobody away from the end: only a scroll upwards does, be it by a pixel or two.
    if (box.scrollTop < this.#lastTop) this.#stick(left <= 1);
    else if (box.scrollTop > this.#lastTop && left <= NEAR) this.#stick(true);
    this.#lastTop = box.scrollTop;
    this.#note(box);
  }

  /** Puts the place right after something has changed. */
  keep(): void {
    const box = this.#box;
    if (!box) return;
    // The focus or a script has scrolled just now, further than what is shorter now explains, and the event that tells
    // of it is still to come.
    const shrunk = Math.max(0, this.#lastHeight - box.scrollHeight);
    if (this.#sticking && box.scrollTop < this.#lastTop - shrunk - 1) this.#scrolled();
    // Where all of it is in sight there is no end to go to, and no scroll will ever tell.
    if (!this.#sticking && box.scrollHeight <= box.clientHeight) this.#stick(true);
    if (this.#sticking) {
      box.scrollTop = box.scrollHeight;
    } else if (this.#anchor?.element.isConnected) {
      const moved = this.#anchor.element.getBoundingClientRect().top - this.#anchor.top;
      if (Math.abs(moved) >= 0.5) box.scrollTop += moved;
    } else {
      this.#note(box);
    }
    this.#lastTop = box.scrollTop;
    this.#lastHeight = box.scrollHeight;
  }

  #note(box: HTMLElement): void {
    const element = this.#sticking ? null : this.#firstInSight(box.getBoundingClientRect().top);
    this.#anchor = element && { element, top: element.getBoundingClientRect().top };
  }

  /** The first element that begins in sight or, where one fills it all, the innermost that does. */
  #firstInSight(top: number): Element | null {
    const turns = [...this.#watched].map((element) => ({ element, place: element.getBoundingClientRect() }));
    const inSight = turns.filter(({ place }) => place.bottom > top + 1 && place.height > 0);
    inSight.sort((a, b) => a.place.top - b.place.top);
    let found = inSight[0]?.element ?? null;
    while (found && found.getBoundingClientRect().top < top) {
      const inner: Element | undefined = [...found.children].find((child) => {
        const place = child.getBoundingClientRect();
        return place.bottom > top + 1 && place.height > 1;
      });
      if (!inner) break;
      found = inner;
    }
    return found;
  }
}
