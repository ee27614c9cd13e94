// Measures of the page that they are loaded into, for tests and pictures.
globalThis.looking = {
  /** Resolve when nothing has changed for a while, or after a longer while at the latest. */
  settle(quiet = 300, patience = 4000) {
    return new Promise((resolve) => {
      const end = () => {
        observer.disconnect();
        resolve(undefined);
      };
      const latest = setTimeout(end, patience);
      let soon = setTimeout(end, quiet);
      const observer = new MutationObserver(() => {
        clearTimeout(soon);
        soon = setTimeout(end, quiet);
      });
      observer.observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      void latest;
    });
  },

  /** By how many pixels the page can be scrolled, sideways and down. */
  overhang() {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [Math.max(0, scrollWidth - innerWidth), Math.max(0, scrollHeight - innerHeight)];
  },

  /** Texts of which a part is cut off, or lies outside of the cell or button that they stand on. */
  clipped() {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const parent = node.parentElement;
      const words = node.textContent.trim();
      if (!words || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        continue;
      if (parent.closest(".spoken, noscript, option, script, style")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const box = range.getBoundingClientRect();
      if (!box.width || !box.height) continue;
      for (let holder = parent; holder && holder !== document.body; holder = holder.parentElement) {
        const style = getComputedStyle(holder);
        if (style.position === "fixed") break;
        const holds = holder.matches("button, [role=gridcell]");
        const [x, y] = [style.overflowX, style.overflowY];
        const within = holder.getBoundingClientRect();
        if (within.width <= 1 && within.height <= 1) break; // only spoken
        if (holder.matches(".scene")) break; // can be moved and made smaller
        const isEllipsis = style.textOverflow === "ellipsis" && holder.title;
        const cuts = (overflow) => holds || ["hidden", "clip"].includes(overflow);
        const isWide = cuts(x) && (box.left < within.left - 1 || box.right > within.right + 1);
        const isHigh = cuts(y) && (box.top < within.top - 2 || box.bottom > within.bottom + 2);
        if ((isWide && !isEllipsis) || isHigh) {
          found.push(`${words} in ${name(holder)}`);
          break;
        }
        // what is scrolled away can be scrolled back
        if (["auto", "scroll"].includes(x) || ["auto", "scroll"].includes(y)) break;
      }
    }
    for (const input of document.querySelectorAll("input[type=number], select"))
      if (input.checkVisibility() && input.scrollWidth > input.clientWidth + 1)
        found.push(`${input.value} in ${name(input)}`);
    return found;

    function name(element) {
      const names = [element.tagName.toLowerCase(), ...element.classList];
      return `${names.join(".")} "${element.getAttribute("aria-label") ?? ""}"`;
    }
  },

  /** What stands outside of the scale of the tokens: letters, what is pressed, spaces, edges. */
  unscaled() {
    const root = document.querySelector(".plyscope");
    const probe = root.appendChild(document.createElement("div"));
    const pixels = (length) => {
      probe.style.height = length;
      return probe.getBoundingClientRect().height;
    };
    const all = (...names) => names.map((name) => pixels(`var(--${name})`));
    const letters = all("small", "text", "large");
    const heights = [...all("press", "press-small"), pixels("1.5rem")];
    const spaces = [0, 1, 2, ...all("s1", "s2", "s3", "s4", "s5")];
    probe.remove();
    const DRAWN = "svg, .surface, .paper, .spoken, .code, .code-field, .plot, .menu, dialog";
    const found = new Set();
    for (const element of root.querySelectorAll("*")) {
      const box = element.getBoundingClientRect();
      const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!isSeen || box.width < 2 || element.closest(DRAWN)) continue;
      const say = (text) => found.add(`${text}: ${element.tagName}.${element.className}`);
      const style = getComputedStyle(element);
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim(),
      );
      if (texts.length && !isIn(parseFloat(style.fontSize), letters, 0.1))
        say(`letters of ${style.fontSize}`);
      if (texts.length && !["400", "600"].includes(style.fontWeight))
        say(`weight ${style.fontWeight}`);
      const isPressed = element.matches("button, select, summary, .toggle span, input.end");
      if (isPressed && lines(element) < 2 && !element.querySelector(".picture, .shown"))
        if (!isIn(box.height, heights, 1)) say(`${Math.round(box.height)} pixels high`);
      for (const name of ["padding", "margin"])
        for (const side of ["top", "right", "bottom", "left"]) check(`${name}-${side}`);
      for (const name of ["row-gap", "column-gap"]) check(name);

      function check(name) {
        const value = element.computedStyleMap().get(name); // of a margin "auto", if it is that
        if (value instanceof CSSUnitValue && value.unit === "px")
          if (!isIn(Math.abs(value.value), spaces, 0.1)) say(`${name} ${value.value}`);
      }
    }
    for (const column of root.querySelectorAll(".stage, .side")) {
      const left =
        column.getBoundingClientRect().left + parseFloat(getComputedStyle(column).paddingLeft);
      for (const part of column.querySelectorAll("h2, p, table, .form, .bar, .shelves, summary")) {
        const off = part.getBoundingClientRect().left - left;
        if (part.checkVisibility() && Math.abs(off) > 0.5 && Math.abs(off) < 7.5)
          found.add(`${off} pixels off: ${part.tagName}.${part.className}`);
      }
    }
    return [...found];

    function isIn(value, values, tolerance) {
      return values.some((each) => Math.abs(each - value) <= tolerance);
    }

    function lines(element) {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      const bottoms = [];
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        if (node.parentElement.getBoundingClientRect().width < 2) continue; // only spoken
        range.selectNodeContents(node);
        bottoms.push(...[...range.getClientRects()].map(({ bottom }) => bottom));
      }
      bottoms.sort((one, other) => one - other);
      return 1 + bottoms.filter((bottom, at) => at && bottom - bottoms[at - 1] > 9).length;
    }
  },

  /** Pairs of texts of a drawn tree that lie on each other, and windows that touch. */
  overlaps() {
    const texts = [...document.querySelectorAll(".tree .scene text")].filter(
      (one) => one.textContent.trim() && one.checkVisibility({ opacityProperty: true }),
    );
    const boxes = texts.map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const air = (bottom - top) / 5; // above and below the letters
      const by = one.matches(".window") ? -1 : 1; // a blank parts two windows
      return { left: left + by, right: right - by, top: top + air, bottom: bottom - air };
    });
    return boxes.flatMap((one, at) =>
      boxes.slice(at + 1).flatMap((other, after) => {
        const isApart = one.right <= other.left || other.right <= one.left;
        const isAbove = one.bottom <= other.top || other.bottom <= one.top;
        if (isApart || isAbove) return [];
        return [`${texts[at].textContent} on ${texts[at + 1 + after].textContent}`];
      }),
    );
  },

  /** What still moves where people have asked for no motion. */
  motions() {
    const found = document
      .getAnimations()
      .map((one) => `an animation of ${one.effect?.target?.className}`);
    for (const element of document.querySelectorAll(".plyscope, .plyscope *"))
      for (const part of ["", "::before", "::after"]) {
        const style = getComputedStyle(element, part);
        const takes = [style.transitionDuration, style.animationDuration].join(", ").split(", ");
        const isMoving = style.animationName !== "none" || style.transitionProperty !== "none";
        if (isMoving && takes.some((text) => parseFloat(text) > 0.01))
          found.push(`${element.tagName} ${element.className} ${part} ${takes}`);
      }
    return found;
  },

  /** What has the focus: its name, and whether that is to be seen. */
  focus() {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const isSeen = element.matches("dialog, [role=tabpanel]") || hasOutline(element) || changes();
    const part = element.closest("[role=grid], [role=tree], .stage, .side, .top") ?? element;
    const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
    return {
      name: `${element.tagName} ${name.trim().slice(0, 40)}`,
      part: [part.getAttribute("role"), ...part.classList].filter(Boolean).join(" "),
      isSeen,
    };

    function hasOutline(element) {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && parseFloat(outlineWidth) > 0;
    }

    function changes() {
      const focused = appearance();
      element.blur();
      const plain = appearance();
      element.focus();
      return focused !== plain;
    }

    function appearance() {
      return [element, ...element.children]
        .map((one) => {
          const { stroke, strokeWidth, boxShadow, outline } = getComputedStyle(one);
          return [stroke, strokeWidth, boxShadow, outline].join();
        })
        .join();
    }
  },

  /** Cells that fingers miss: free ones below a size, where a touch is not asked about. */
  tiny(least = 24) {
    const cells = [
      ...document.querySelectorAll("[role=gridcell]:not([aria-disabled=true], .taken)"),
    ];
    const small = cells.filter((cell) => side(cell) && side(cell) < least);
    if (!small.length) return [];
    small[0].dispatchEvent(new PointerEvent("click", { pointerType: "touch", bubbles: true }));
    const asked = [...document.querySelectorAll(".confirm button")];
    if (asked.length && asked.every((one) => side(one) >= least)) return [];
    return small.map(
      (cell) => `${cell.getAttribute("aria-label")}: ${Math.round(side(cell))} pixels`,
    );

    function side(element) {
      const { width, height } = element.getBoundingClientRect();
      return Math.min(width, height);
    }
  },
};
