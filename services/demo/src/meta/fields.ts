/** A field of a request: its name, what `.name(value)` says of it, and its own fields. */
export interface RequestedField {
  readonly name: string;
  readonly modifiers: Readonly<Record<string, string>>;
  readonly fields: readonly RequestedField[];
}

/** Reads the parameter `fields` of the Graph API, such as `id,comments.limit(5){message}`. Throws SyntaxError. */
export function readFields(text: string): RequestedField[] {
  const reader = new Reader(text);
  const fields = reader.fields();
  if (!reader.isAtEnd) throw new SyntaxError("The fields are not well formed.");
  return fields;
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  fields(): RequestedField[] {
    const found = [this.field()];
    while (this.takes(",")) found.push(this.field());
    return found;
  }

  private field(): RequestedField {
    const name = this.word();
    const modifiers: Record<string, string> = {};
    while (this.takes(".")) {
      const modifier = this.word();
      this.mustTake("(");
      const end = this.text.indexOf(")", this.at);
      if (end === -1) throw new SyntaxError("A parenthesis is open.");
      modifiers[modifier] = this.text.slice(this.at, end);
      this.at = end + 1;
    }
    if (!this.takes("{")) return { name, modifiers, fields: [] };
    const fields = this.fields();
    this.mustTake("}");
    return { name, modifiers, fields };
  }

  private word(): string {
    const [word = ""] = /^\w+/.exec(this.text.slice(this.at)) ?? [];
    if (word === "") throw new SyntaxError(`A name is missing at ${this.at}.`);
    this.at += word.length;
    return word;
  }

  private takes(sign: string): boolean {
    if (this.text[this.at] !== sign) return false;
    this.at += 1;
    return true;
  }

  private mustTake(sign: string): void {
    if (!this.takes(sign)) throw new SyntaxError(`A ${sign} is missing at ${this.at}.`);
  }
}
