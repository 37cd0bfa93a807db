import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../words/words.js";
import { Bars } from "./bars.js";
import { Button } from "./button.js";
import styles from "./frame.module.css";
import { Icon, type IconName } from "./icon.js";

interface Place {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  /** Why it cannot be opened. */
  readonly refused?: string;
}

export interface FrameProps {
  /** Path of the address. */
  readonly path: string;
  /** Products that the user's company has. */
  readonly products: readonly string[] | undefined;
  readonly who: string;
  readonly company: string;
  readonly onSearch: () => void;
  readonly onKeys: () => void;
  readonly children: ComponentChildren;
}

/** What is around every screen: where one can go, who one is, and what is wrong everywhere. */
export function Frame(props: FrameProps) {
  const { path, products, who, company, onSearch, onKeys, children } = props;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const places = placesOf(products);
  return (
    <div class={styles["frame"]}>
      <a class={styles["skip"]} href="#content">
        {words.frame.skip}
      </a>
      <header class={styles["top"]}>
        <Brand />
        <Button
          icon={isOpen ? "close" : "menu"}
          label={words.frame.menu}
          expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </header>
      <nav
        class={isOpen ? `${styles["side"] ?? ""} ${styles["open"] ?? ""}` : styles["side"]}
        aria-label={words.frame.navigation}
      >
        <Brand />
        {places.map((place) => (
          <PlaceLink key={place.href} place={place} path={path} />
        ))}
        <div class={styles["space"]} />
        <button type="button" class={styles["link"]} onClick={onSearch}>
          <Icon name="search" />
          {words.frame.search}
          <kbd>Ctrl K</kbd>
        </button>
        <button type="button" class={styles["link"]} onClick={onKeys}>
          <Icon name="keyboard" />
          {words.frame.shortcuts}
          <kbd>?</kbd>
        </button>
        <PlaceLink place={{ href: "/settings/account", label: words.frame.settings, icon: "settings" }} path={path} />
        <a class={styles["link"]} href="/settings/account" aria-label={words.frame.signedInAs(who, company)}>
          <Icon name="user" />
          <span class={styles["name"]}>
            <bdi>{who}</bdi>
            <br />
            <bdi class="muted small">{company}</bdi>
          </span>
        </a>
      </nav>
      <div class={styles["main"]}>
        <aside class={styles["bars"]} aria-label={words.frame.notices}>
          <Bars />
        </aside>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  );
}

function Brand() {
  return (
    <a class={styles["brand"]} href="/">
      <Icon name="hourglass" size={22} />
      {words.frame.product}
    </a>
  );
}

function PlaceLink({ place, path }: { readonly place: Place; readonly path: string }) {
  const { href, label, icon, refused } = place;
  const isCurrent = href === "/" ? path === "/" : path.startsWith(href.replace(/\/account$/, ""));
  if (refused !== undefined) {
    return (
      <a class={styles["link"]} aria-disabled="true" role="link" tabIndex={0} title={refused}>
        <Icon name={icon} />
        {label}
        <span class="sr-only">{refused}</span>
      </a>
    );
  }
  return (
    <a class={styles["link"]} href={href} aria-current={isCurrent ? (path === href ? "page" : "true") : undefined}>
      <Icon name={icon} />
      {label}
    </a>
  );
}

function placesOf(products: readonly string[] | undefined): Place[] {
  const { frame, problems } = words;
  const refused = (product: string, name: string): { readonly refused?: string } =>
    products === undefined || products.includes(product) ? {} : { refused: problems.noProduct(name) };
  return [
    { href: "/", label: frame.home, icon: "home" },
    { href: "/insights", label: frame.insights, icon: "insights", ...refused("insight", "Insight") },
    { href: "/analyses", label: frame.analyses, icon: "analyses", ...refused("api", "API") },
    { href: "/exports", label: frame.exports, icon: "exports", ...refused("insight", "Insight") },
  ];
}
