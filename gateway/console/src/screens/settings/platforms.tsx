import { useMe } from "../../data/server.js";
import { usePlatforms, type PlatformInfo } from "../../data/settings.js";
import { CopyButton } from "../../parts/copy-button.js";
import { Icon } from "../../parts/icon.js";
import { PlatformState } from "../../parts/platform-state.js";
import { Load } from "../../parts/states.js";
import { words } from "../../words/settings.js";
import styles from "./settings.module.css";

/** The platforms of this server: what each does, and what it needs, step by step. */
export function PlatformSettings() {
  const { data: me } = useMe();
  const w = words.settings.platforms;
  const has = me?.company.products.some(({ uid, active }) => uid === "insight" && active);
  if (has === false) return <p>{w.noProduct}</p>;
  return <Platforms />;
}

function Platforms() {
  const w = words.settings.platforms;
  return (
    <div class={styles["stack"]}>
      <p class="muted">{w.intro}</p>
      <Load query={usePlatforms()} height="30rem">
        {(platforms) => (
          <div class={styles["stack"]}>
            {platforms.map((platform) => (
              <Platform key={platform.platform} info={platform} />
            ))}
          </div>
        )}
      </Load>
    </div>
  );
}

function Platform({ info: { platform, state, mode, missing } }: { readonly info: PlatformInfo }) {
  const w = words.settings.platforms;
  const steps = w.guides[platform] ?? [];
  return (
    <details class={styles["fold"]} id={platform} open={location.hash === `#${platform}`}>
      <summary class={styles["summary"]}>
        <Icon name="down" size={14} />
        <h2>{words.labels.platform(platform)}</h2>
        <PlatformState state={state} />
        <span class="muted">{w.modes[mode] ?? mode}</span>
      </summary>
      <div class={styles["stack"]}>
        {missing === null ? null : (
          <p>
            <strong>{w.needs}: </strong>
            {missing}
          </p>
        )}
        {steps.length === 0 ? null : (
          <>
            <h3>{w.steps}</h3>
            <ol class={styles["steps"]}>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </>
        )}
        <p class="muted">{w.where}</p>
        <div class={styles["row"]}>
          <code>{w.check}</code>
          <CopyButton text={w.check} />
        </div>
      </div>
    </details>
  );
}
