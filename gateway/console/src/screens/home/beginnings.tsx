import { useState } from "preact/hooks";
import { hourglass } from "../../data/api.js";
import { useOnce } from "../../data/idempotency.js";
import { usePlatforms } from "../../data/settings.js";
import { Button, LinkButton } from "../../parts/button.js";
import { Select, TextArea, TextField } from "../../parts/field.js";
import { useAddress } from "../../parts/navigation.js";
import { Problem } from "../../parts/states.js";
import { Form } from "../../parts/form.js";
import { words } from "../../words/words.js";
import styles from "./home.module.css";

export interface BeginningsProps {
  /** Nothing was done yet: the ways to begin are boxes; later, a row of buttons. */
  readonly isFirst: boolean;
  readonly products: readonly string[];
  /** The insight of the demonstration, which then is the way to begin. */
  readonly demoInsight: number | undefined;
}

/** The ways to begin. */
export function Beginnings({ isFirst, products, demoInsight }: BeginningsProps) {
  const [hasApi, hasInsight] = [products.includes("api"), products.includes("insight")];
  const w = words.home;
  if (demoInsight !== undefined) {
    return (
      <div class={styles["box"]}>
        <p>{w.demoHelp}</p>
        <div class={styles["row"]}>
          <LinkButton kind="primary" icon="insights" href={`/insights/${demoInsight}`}>
            {w.lookAtDemo}
          </LinkButton>
          <LinkButton icon="analyses" href="/analyses/new">
            {w.analyzeText}
          </LinkButton>
        </div>
      </div>
    );
  }
  if (!isFirst) {
    return (
      <div class={styles["row"]}>
        {hasApi ? (
          <>
            <LinkButton icon="analyses" href="/analyses/new">
              {w.analyzeText}
            </LinkButton>
            <LinkButton icon="file" href="/analyses/new?type=files">
              {w.analyzeFiles}
            </LinkButton>
          </>
        ) : null}
        {hasInsight ? (
          <LinkButton icon="insights" href="/insights/new">
            {w.startInsight}
          </LinkButton>
        ) : null}
      </div>
    );
  }
  return (
    <div class={styles["boxes"]}>
      {hasApi ? <TextBox /> : null}
      {hasApi ? (
        <section class={styles["box"]} aria-labelledby="files-box">
          <h2 id="files-box">{w.analyzeFiles}</h2>
          <p>{w.filesHelp}</p>
          <div class={styles["space"]} />
          <div>
            <LinkButton href="/analyses/new?type=files" icon="file">
              {w.chooseFiles}
            </LinkButton>
          </div>
        </section>
      ) : null}
      {hasInsight ? <InsightBox /> : null}
    </div>
  );
}

type Sample = keyof typeof words.home.samples;
const SAMPLES = Object.keys(words.home.samples) as Sample[];

/** The analyses that say most about one text. */
const SAID_MOST = ["sentiment-simple", "sentiment-real", "topic", "intention", "spam-detection"] as const;

/** One text with the analyses that say most about it; the result shows what decided. */
function TextBox() {
  const w = words.home;
  const { go } = useAddress();
  const [text, setText] = useState("");
  const once = useOnce();
  const [failure, setFailure] = useState<unknown>();
  const analyze = async (): Promise<void> => {
    setFailure(undefined);
    const wanted = {
      type: "text" as const,
      analyses: [...SAID_MOST],
      contents: [text],
      explain: true,
      offsets: "utf16" as const,
    };
    try {
      go(`/analyses/${await once(wanted, (key) => hourglass.createOperation(wanted, key))}`);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <Form class={styles["box"]} label={w.analyzeText} onSubmit={analyze}>
      <h2>{w.analyzeText}</h2>
      <TextArea label={w.text} value={text} onInput={setText} rows={4} placeholder={w.textPlaceholder} />
      <Select
        label={w.sample}
        value=""
        options={[
          { value: "", label: w.chooseSample },
          ...SAMPLES.map((value) => ({ value, label: w.sampleNames[value] })),
        ]}
        onChange={(value) => setText(value === "" ? text : w.samples[value])}
      />
      {failure === undefined ? null : <Problem error={failure} />}
      <div>
        <Button type="submit" kind="primary" disabled={text.trim() === ""}>
          {w.analyze}
        </Button>
      </div>
    </Form>
  );
}

function InsightBox() {
  const w = words.home;
  const { go } = useAddress();
  const { data: platforms } = usePlatforms();
  const [terms, setTerms] = useState("");
  const missing = platforms?.filter(({ state }) => state === "not_configured").length ?? 0;
  return (
    <Form
      class={styles["box"]}
      label={w.startInsight}
      onSubmit={() => go(`/insights/new?words=${encodeURIComponent(terms)}`)}
    >
      <h2>{w.startInsight}</h2>
      <p>{w.insightHelp}</p>
      <TextField label={w.wordsToLookFor} value={terms} onInput={setTerms} placeholder={w.wordsPlaceholder} />
      <p>{platforms === undefined ? "" : w.platforms(platforms.length - missing, missing)}</p>
      <div class={styles["space"]} />
      <div>
        <Button type="submit">{w.next}</Button>
      </div>
    </Form>
  );
}
