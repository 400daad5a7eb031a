/**
 * Compares two Debian package versions: negative, 0 or positive. The algorithm of deb-version(7): epoch, upstream version,
 * revision; in each, runs without digits by a special order (`~` before everything, letters before signs), then numbers.
 */
export function compareDebianVersions(left: string, right: string): number {
  const a = split(left);
  const b = split(right);
  return a.epoch - b.epoch || compareParts(a.upstream, b.upstream) || compareParts(a.revision, b.revision);
}

function split(version: string): { epoch: number; upstream: string; revision: string } {
  const [, epoch = "0", rest = version] = /^(\d+):(.*)$/.exec(version) ?? [];
  const dash = rest.lastIndexOf("-");
  return {
    epoch: Number(epoch),
    upstream: dash < 0 ? rest : rest.slice(0, dash),
    revision: dash < 0 ? "" : rest.slice(dash + 1),
  };
}

function compareParts(left: string, right: string): number {
  let a = left;
  let b = right;
  while (a !== "" || b !== "") {
    const [aText = ""] = /^\D*/.exec(a) ?? [];
    const [bText = ""] = /^\D*/.exec(b) ?? [];
    const byText = compareText(aText, bText);
    if (byText !== 0) return byText;
    const [aDigits = ""] = /^\d*/.exec(a.slice(aText.length)) ?? [];
    const [bDigits = ""] = /^\d*/.exec(b.slice(bText.length)) ?? [];
    const byNumber = Number(aDigits || 0) - Number(bDigits || 0);
    if (byNumber !== 0) return byNumber;
    a = a.slice(aText.length + aDigits.length);
    b = b.slice(bText.length + bDigits.length);
  }
  return 0;
}

function compareText(left: string, right: string): number {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const difference = rank(left[at]) - rank(right[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `~` sorts before the end, the end before letters, letters before all other signs. */
function rank(sign: string | undefined): number {
  if (sign === "~") return -1;
  if (sign === undefined) return 0;
  const code = sign.codePointAt(0) ?? 0;
  return /[A-Za-z]/.test(sign) ? code : code + 256;
}
