/** A paragraph's fields; names in lower case, since they are case-insensitive. Continuation lines keep their line ends. */
export type Paragraph = ReadonlyMap<string, string>;

/** Reads control data paragraphs as apt's indexes have them (deb822(5)). @throws SyntaxError for a line that is none of it */
export function* paragraphs(text: string): Generator<Paragraph> {
  let fields = new Map<string, string>();
  let last: string | undefined;
  let number = 0;
  for (const line of text.split("\n")) {
    number += 1;
    if (/^\s*$/.test(line)) {
      if (fields.size > 0) yield fields;
      fields = new Map();
      last = undefined;
    } else if (line.startsWith(" ") || line.startsWith("\t")) {
      if (last === undefined) throw new SyntaxError(`line ${number} continues nothing`);
      fields.set(last, `${fields.get(last) ?? ""}\n${line.slice(1)}`);
    } else {
      last = field(fields, line, number);
    }
  }
  if (fields.size > 0) yield fields;
}

function field(fields: Map<string, string>, line: string, number: number): string {
  const [, name, value] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? [];
  if (name === undefined || name.startsWith("-") || name.startsWith("#"))
    throw new SyntaxError(`line ${number} is no field`);
  const key = name.toLowerCase();
  if (fields.has(key)) throw new SyntaxError(`line ${number} has the field ${name} again`);
  fields.set(key, value ?? "");
  return key;
}
