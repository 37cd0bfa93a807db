import { useRoute } from "preact-iso/router";
import { useMe } from "../../data/server.js";
import { Screen } from "../../parts/screen.js";
import { Tabs } from "../../parts/tabs.js";
import { words } from "../../words/settings.js";
import { NotFound } from "../not-found/not-found.js";
import { AccountSettings } from "./account.js";
import { KeySettings } from "./api-keys.js";
import { ModelSettings } from "./models.js";
import { PlatformSettings } from "./platforms.js";
import { ServerSettings } from "./server.js";
import { UserSettings } from "./users.js";

const TABS = {
  account: AccountSettings,
  keys: KeySettings,
  users: UserSettings,
  platforms: PlatformSettings,
  models: ModelSettings,
  server: ServerSettings,
} as const;

type TabName = keyof typeof TABS;

/** Who one is, and what this server is, has and needs. */
export function Settings() {
  const { params } = useRoute();
  const { data: me } = useMe();
  const name = params["tab"] ?? "account";
  if (!isTab(name)) return <NotFound />;
  const Content = TABS[name];
  const hidden: readonly string[] = me === undefined || me.role === "admin" ? [] : ["users", "keys"];
  return (
    <Screen title={words.settings.title}>
      <Tabs
        label={words.settings.title}
        tabs={Object.keys(TABS)
          .filter(isTab)
          .filter((tab) => !hidden.includes(tab))
          .map((tab) => ({ href: `/settings/${tab}`, label: words.settings.tabs[tab], isCurrent: tab === name }))}
      />
      <Content />
    </Screen>
  );
}

function isTab(name: string): name is TabName {
  return Object.hasOwn(TABS, name);
}
