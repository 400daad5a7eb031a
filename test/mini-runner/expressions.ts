/** A value of an expression: contexts are objects, and what a context does not have is null. */
export type ExpressionValue = string | number | boolean | null | { readonly [name: string]: ExpressionValue };

export interface ExpressionScope {
  readonly contexts: { readonly [name: string]: ExpressionValue };
  /** Status functions by name: `always`, `success`, `failure`, `cancelled`. */
  readonly functions: { readonly [name: string]: () => ExpressionValue };
}

type Token =
  | { kind: "literal"; value: ExpressionValue }
  | { kind: "name"; value: string }
  | { kind: "sign"; value: string };

const pattern = /\s*(?:'((?:[^']|'')*)'|([A-Za-z_][A-Za-z0-9_-]*)|(-?\d+(?:\.\d+)?)|(==|!=|&&|\|\||[!().]))/y;

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (source.slice(pattern.lastIndex).trim() !== "") {
    const start = pattern.lastIndex;
    const match = pattern.exec(source);
    if (match === null) throw new Error(`The mini-runner cannot read this expression from "${source.slice(start)}" on`);
    const [, quoted, name, number, sign] = match;
    if (quoted !== undefined) tokens.push({ kind: "literal", value: quoted.replaceAll("''", "'") });
    else if (number !== undefined) tokens.push({ kind: "literal", value: Number(number) });
    else if (sign !== undefined) tokens.push({ kind: "sign", value: sign });
    else if (name === "true" || name === "false") tokens.push({ kind: "literal", value: name === "true" });
    else if (name === "null") tokens.push({ kind: "literal", value: null });
    else if (name !== undefined) tokens.push({ kind: "name", value: name });
  }
  return tokens;
}

/** Numbers as the runner coerces them: '' is 0, what is no number is NaN. */
function toNumber(value: ExpressionValue): number {
  if (typeof value === "object") return value === null ? 0 : Number.NaN;
  return Number(value);
}

function isEqual(left: ExpressionValue, right: ExpressionValue): boolean {
  if (typeof left === "string" && typeof right === "string") return left.toLowerCase() === right.toLowerCase();
  if (typeof left === typeof right && (left === null) === (right === null)) return left === right;
  return toNumber(left) === toNumber(right);
}

const isTruthy = (value: ExpressionValue): boolean => Boolean(value);

class Evaluation {
  private readonly tokens: readonly Token[];
  private readonly scope: ExpressionScope;
  private position = 0;

  constructor(tokens: readonly Token[], scope: ExpressionScope) {
    this.tokens = tokens;
    this.scope = scope;
  }

  whole(): ExpressionValue {
    const value = this.or();
    const rest = this.tokens[this.position];
    if (rest !== undefined)
      throw new Error(`The expression goes on where it should end: ${JSON.stringify(rest.value)}`);
    return value;
  }

  private take(sign: string): boolean {
    const token = this.tokens[this.position];
    if (token?.kind !== "sign" || token.value !== sign) return false;
    this.position += 1;
    return true;
  }

  private or(): ExpressionValue {
    let value = this.and();
    while (this.take("||")) {
      const right = this.and();
      value = isTruthy(value) ? value : right;
    }
    return value;
  }

  private and(): ExpressionValue {
    let value = this.comparison();
    while (this.take("&&")) {
      const right = this.comparison();
      value = isTruthy(value) ? right : value;
    }
    return value;
  }

  private comparison(): ExpressionValue {
    let value = this.unary();
    for (;;) {
      if (this.take("==")) value = isEqual(value, this.unary());
      else if (this.take("!=")) value = !isEqual(value, this.unary());
      else return value;
    }
  }

  private unary(): ExpressionValue {
    if (this.take("!")) return !isTruthy(this.unary());
    if (this.take("(")) {
      const value = this.or();
      if (!this.take(")")) throw new Error("The expression lacks a closing parenthesis");
      return value;
    }
    const token = this.tokens[this.position];
    this.position += 1;
    if (token?.kind === "literal") return token.value;
    if (token?.kind === "name") return this.take("(") ? this.call(token.value) : this.lookUp(token.value);
    throw new Error("The expression ends where a value was due");
  }

  private call(name: string): ExpressionValue {
    const found = this.scope.functions[name];
    if (found === undefined) throw new Error(`The mini-runner does not know the function ${name}()`);
    if (!this.take(")")) throw new Error(`The mini-runner gives ${name}() no arguments`);
    return found();
  }

  private lookUp(context: string): ExpressionValue {
    let value = this.scope.contexts[context];
    if (value === undefined) throw new Error(`The mini-runner does not know the context ${context}`);
    while (this.take(".")) {
      const token = this.tokens[this.position];
      this.position += 1;
      if (token?.kind !== "name") throw new Error("The expression lacks a name after the dot");
      value = typeof value === "object" && value !== null ? (value[token.value] ?? null) : null;
    }
    return value;
  }
}

/**
 * Evaluates the part of the expression language that action.yml uses: literals, contexts, `== != && || !`, parentheses
 * and status functions; operators give back operands and text is compared without case, as the runner does.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/expressions
 * @throws on anything outside that part.
 */
export function evaluate(source: string, scope: ExpressionScope): ExpressionValue {
  return new Evaluation(tokenize(source), scope).whole();
}

/** Replaces each `${{ ... }}` in a text by its value. */
export function interpolate(text: string, scope: ExpressionScope): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/gs, (_whole, source: string) => {
    const value = evaluate(source, scope);
    return typeof value === "object" ? "" : String(value);
  });
}
