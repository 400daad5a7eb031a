import { un as Failure } from "./core.mjs";

// src/trust/armor.ts
const armorStart = "-----BEGIN PGP ";
function isArmored(bytes) {
	return bytes.length === 0 || ((bytes[0] ?? 0) & 128) === 0;
}
function onlyBlock(text, kind, subject) {
	const blocks = text.split(armorStart).length - 1;
	if (blocks === 0) throw refused(subject, "there is no signature in it");
	const whole = new RegExp(`^\\s*(${armorStart}${kind}-----\\r?\\n(?:(?!-----)[^\\n]*\\n)+-----END PGP ${kind}-----)\\s*$`).exec(text)?.[1];
	if (blocks > 1 || whole === void 0) throw refused(subject, "it is cut off, or more than one signature block is in it");
	return whole;
}
function publicKeyBlocks(text, subject) {
	const begun = text.split(`${armorStart}PUBLIC KEY BLOCK-----`).length - 1;
	const blocks = text.match(/-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n(?:(?!-----)[^\n]*\n)+-----END PGP PUBLIC KEY BLOCK-----/g) ?? [];
	if (begun === 0) throw refused(subject, "there is no public key in it");
	if (blocks.length !== begun) throw refused(subject, "a key block in it is cut off");
	return blocks;
}
function onlyClearsigned(text, subject) {
	const signed = /^-----BEGIN PGP SIGNED MESSAGE-----\r?\n(?:Hash: [A-Za-z0-9, -]+\r?\n)*\r?\n([\s\S]*?)\n(-----BEGIN PGP SIGNATURE-----\r?\n(?:(?!-----)[^\n]*\n)+-----END PGP SIGNATURE-----)\s*$/.exec(text);
	if (signed === null) throw refused(subject, text.includes(`${armorStart}SIGNED MESSAGE-----`) ? "something stands before or after the signed text, or it is cut off" : "it is not signed");
	if (/^-(?! )/m.test(signed[1] ?? "")) throw refused(subject, "a line in it is not escaped as a signed message asks");
	return text.trim();
}
function refused(subject, why, remedy = [], cause) {
	return new Failure("verification", `${subject} is not accepted: ${why}.`, {
		remedy: [...remedy, "Nothing was taken from it. If it comes from a mirror or through a proxy, compare it with the original; otherwise try again later."],
		cause
	});
}

// src/trust/keyring.ts
var KeyExpired = class extends Failure {
	fingerprint;
	expired;
	constructor(subject, fingerprint, expired) {
		super("verification", `${subject}: the key ${fingerprint} expired on ${day(expired)}; an expired key is not trusted.`, { remedy: ["Wait until its owner publishes the extended key, or name a source that has it."] });
		this.fingerprint = fingerprint;
		this.expired = expired;
	}
};
async function readKeyring(bytes, subject) {
	const { readKeys } = await import("./load-openpgp.mjs");
	try {
		if (!isArmored(bytes)) return publicOnly(await readKeys({ binaryKeys: bytes }));
		const blocks = publicKeyBlocks(Buffer.from(bytes).toString("utf8"), subject);
		return publicOnly((await Promise.all(blocks.map((armoredKeys) => readKeys({ armoredKeys })))).flat());
	} catch (error) {
		if (error instanceof Failure) throw error;
		throw refused(subject, `its keys cannot be read (${reasonOf(error)})`, [], error);
	}
}
function publicOnly(keys) {
	return keys.map((key) => key.toPublic());
}
async function pinnedKeys(keys, fingerprints, now, subject) {
	const wanted = fingerprints?.map(normalFingerprint);
	const byFingerprint = /* @__PURE__ */ new Map();
	for (const key of keys) {
		const fingerprint = fingerprintOf(key);
		if (wanted !== void 0 && !wanted.includes(fingerprint)) continue;
		const known = byFingerprint.get(fingerprint);
		byFingerprint.set(fingerprint, known === void 0 ? key : await known.update(key, now));
	}
	if (byFingerprint.size > 0) return [...byFingerprint.values()];
	const there = keys.map(fingerprintOf).join(", ") || "none";
	throw refused(subject, wanted === void 0 ? "it holds no key" : `it does not hold the key ${wanted.join(" or ")}; there: ${there}`);
}
async function proveUsable(key, now, subject) {
	const fingerprint = fingerprintOf(key);
	if (await key.isRevoked(void 0, void 0, now)) throw refused(subject, `the key ${fingerprint} has been revoked by its owner`);
	const expires = await key.getExpirationTime();
	if (expires === null) throw refused(subject, `the key ${fingerprint} has no valid signature of its own`);
	if (expires instanceof Date && expires.getTime() <= now.getTime()) throw new KeyExpired(subject, fingerprint, expires);
	return expires instanceof Date ? expires : void 0;
}
function normalFingerprint(text) {
	return text.replace(/[\s:]|^0x/gi, "").toUpperCase();
}
function fingerprintOf(key) {
	return key.getFingerprint().toUpperCase();
}
function day(date) {
	return `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
function reasonOf(error) {
	return error instanceof Error ? error.message : String(error);
}

// src/trust/key.ts
async function readKey(input) {
	const [key] = await pinnedKeys(await readKeyring(input.bytes, input.subject), [input.fingerprint], input.now, input.subject);
	if (key === void 0) throw new TypeError("pinnedKeys gives at least one key");
	const expires = await proveUsable(key, input.now, input.subject);
	return {
		armored: key.armor(),
		fingerprint: key.getFingerprint().toUpperCase(),
		...expires === void 0 ? {} : { expires }
	};
}

// src/trust/ubuntu-cloud-images.asc
var ubuntu_cloud_images_default = "-----BEGIN PGP PUBLIC KEY BLOCK-----\nComment: Hostname:\nVersion: Hockeypuck 2.2\n\nxsFNBEqwKTUBEAC8V01JGfeYVVlwlcr0dmwF8n+We/lbxwArjR/gZlH7/MJEZnAL\nQHUrDTpD3SkfbsjQgeNt8eS3Jyzoc2r3t2nos4rXPH4kIzAvtqslz6Ns4ZYjoHVk\nVC2oV8vYbxER+3/lDjTWVII7omtDVvqH33QlqYZ8+bQbs21lZb2ROJIQCiH0Yzaq\nYR0I2SEykBL873V0ygdyW/mCMwniXTLUyGAUV4/28NOzw/6LGvJElJe4UqwQxl/a\nXtPIJjPka8LA8+nDi5/u6WEgDWgBhLEHvQG1BNdttm3WCjbu4zS3mNfNBidTamZf\nOaMJUZVYxhOB5kNQqyR4eYqFK/U+305eLrZ05ocadsmcQWkHQVbgt+g4yyFNl56N\n5AirkFjVtfArkUJfINGgJ7gkSeyqTJK24f33vsIpPwRQ5eFn7H4PwGc0Piym73YL\nJnlR94LNEG0ceOJ7u1r+WuaesIj+lKIZsG/rRLf7besaMCCtPcimVgEAmBoIdpTp\ndP3aa54w/dvfSwW47mGY14G5PBk/0MDy2Y5HOeXat3RXpGZZFh7zbwSQ93RhYH3b\nNPNd5lMu3ZRkYX19FWxoLCi5lx4K3flYhiolZ5i4KxJCoGRobsKjm74Xv2QlvCXY\nyAk5BnAQCsu5hKZ1sOhQADCcKz1Zbg8JRc3vmelaJ/VFvHTzs4hJTUvOowARAQAB\nzTRVRUMgSW1hZ2UgQXV0b21hdGljIFNpZ25pbmcgS2V5IDxjZGltYWdlQHVidW50\ndS5jb20+wsGRBBMBCgA7AhsDAheAFiEE0utEYm/dwwtRPVu3Gl1sTH24fIEFAmiv\n5esFCwkIBwICIgIGFQoJCAsCBBYCAwECHgcACgkQGl1sTH24fIFdOhAAt/AooKkr\nzvBbVdOSkQTsK/JdMP5HeO9vyY1H8xfgpMt4Co82tFjOzwyMbCYQM8cMg90MyRuU\n+y4Ql0Jebahem+f4/0eNVRks1tneMnMSQftNc4RW3SyPN/j26R/SwbQyNTkC+hrf\njESUTL9H+z7fRuF1VFcyyZBv4dLOO8iFwEKydcuUk4z7Vih1ooSnC0LR5kimMkjr\ni1TDxUKm19YTW39tqdlbTnwv4LC4Yd7G0KRHwxODGoHmmsGbGGSu4zHYzkkPCeOH\nqhoyHysbv461dL/mDZv/KfRoPNPoujZfvMGhlCQWAhdg1nNmlMp+ufwpK8wtVJVV\niVzww6gMXElvNevMSi7anpaEM7nmAslZxeFd7tw/zS0KIfk94RbVdcNhFJKxanTP\n6iCmepP6U52epiM8fnqoiu0EWa4CNlJcNd821/cw3XiHwtTjUMX+WQ8lAwgC4eLt\nHTooNBtgEkFcURKS+tNMeTbKRU49zhibL4ShScB20JHr8XDDRLeiprmx4HA8fikT\nuTzajI+GwhkzTOkEVoYtbdyUmT1rr9TK3Uh7MSuLgNOR8XwaNjMtLnmqqP61WzIR\nYDWNMuQKG1DoEZCZ7dMZiv7gwvuyTOk72554C2T3mgY8tD1SqUIpOQN/IfItTK5t\n2ZXZSzz8r4zAuI3aoe7+KUuC0A9mYqFlkZLCwXcEEwECACECGwMCHgECF4AFAkqw\nKiUFCwkIBwMFFQoJCAsFFgIDAQAACgkQGl1sTH24fIEuJw/+NeN8uGzbnmhPyCa8\nFdL1YMZJ2k+JozF3QIcTIe5P9d1ayhRRhcA8C2LwXKTYr32bN76fhIsJFEmHGpiV\nylXLaJxzjX9WQoj13+kXi3nhEzlOV51ikpVXvFOChQdmm4vaZbNpPrUzNEDFSqpp\nTjb/FIvEu3+eivI8ejnsiCEldsByaAuEVPR9ma0PL1wPggG+6tkXpxG4wlePFmay\nye0wewVmXg8QLehH9aAkDfs6uMxV6P2v4kD3T2+vkr9Q74/aBZg4f/YKcYOVpO7v\nbBSst/pBXmMzIpzr4bt/DltMl32UTwqbYf7jP1763sg6/2jGiO8RK7bt7EPgtTtK\nPNmWhieaVMKx0fCBIlWd/6Wpehl5Q1P1OaS7xXPAKgTFPCj17FolQd47wAGR+wlW\navLjSi/NAAeHjbv7o2nGCRYStWhyebngs8hC5xlgmuDTyz9rNHMKOWxgKGxpYy8a\nUxlCjnYy4u8RMdU+1KCA/uwt4g6VL7y07XKRIljrmPwAdgFXqFv0Q6NaaqnHfcZe\nfwDII+Iyz3+mZ44jRXpgybocIsDBlv6tFLqBzK312VbItTRAuWmbAdI5Uky/auc0\nJS3PqlvzL+j0A3ZnjxGkf0L1x+/h0B9u1ifu5N34zeCTjHJRFESDbG4OetpgWzpx\nnrT9tLLrcbFPKL9wJzRLnsaC04rCwVwEEAEIAAYFAkqwLScACgkQV1nzUAGqSmQJ\nGhAAvMq1MUUGKrksCEC66OC8U0jZsizZtJcmXibGXEPvVeII4fkQzLUFJPNLACO9\nmkGtJlj+pUF6tX2MtK4WkQTMqSWTCNIcW8jCwPkoNLwzG89LtXqESZ0r92XLTQzw\n9qKO4ZwKjSZ+QwjYFUzcioXSJxtIMdHY3w0Xw6rf9JQnP2G3e45eO8NnfE4sM2Cj\nq7v089BpCefiMQX3HxJybWPTkqT/MZedE+aMuaOc8EoU1lpArP4MUVkXJ+dayejN\nWLakXs0SU9Jme2mxoOG1kV3Dyt4NY7ezSUrtwbztv8QQqUKmiHpnY9ooFNzkdWHs\nbiCP5T6BGOcN5NJRuFhpUhJmnUGA8ffMDGhDZCEvfha4FF7Mnsxuq92047Wc+ava\nfNHcKh02WqebSwVgyMl0VlpmktP2r4M3YPhJj1yLDgLLj+PEMJlYkRV2T9Q5wo3o\n9CdnUvebQNB/UE6+vgIX1vTDP0Kh5kUM/H5SeF7JWkbd6xgy8lBLgSivJGjMINa1\na8yMY26tVRNcpOeSvrxpaReRtx4DYx3GovPC30WMrqCweQMq7WdEuhgWjC4uHMxi\nR/BEAOY/EZdjmpwP4iVjo6uki7yYjBFEBXkkDdR4eGdvtpg504KksNLzt+gaB4/8\nLH2pjC1EQrQK3LctYOIghPCQnVoCwM6uK0wxBH+B94VyS9PCRgQQEQgABgUCSrAt\nMwAKCRAo3q5/KZguWgXSAJ9zbPf8Zj0q+OpIxaD9rU5K56nOpwCeMQLiM1PtRT1z\nl1LWUW7hwHbO2OE=\n=scXX\n-----END PGP PUBLIC KEY BLOCK-----\n";

// src/trust/ubuntu.ts
const ubuntuFingerprint = "D2EB44626FDDC30B513D5BB71A5D6C4C7DB87C81";
const ubuntuKeyring = Buffer.from(ubuntu_cloud_images_default, "latin1");

// src/trust/verify.ts
async function verifyDetached(input) {
	const { subject } = input;
	const keys = await trusted(input);
	const { createMessage, readSignature, verify } = await import("./load-openpgp.mjs");
	const text = isArmored(input.signature) ? onlyBlock(Buffer.from(input.signature).toString("latin1"), "SIGNATURE", `The signature of ${subject}`) : void 0;
	const signature = await readable(subject, async () => text === void 0 ? await readSignature({ binarySignature: input.signature }) : await readSignature({ armoredSignature: text }));
	const message = await createMessage({ binary: input.data });
	const { signatures } = await readable(subject, async () => await verify({
		message,
		signature,
		...verification(keys, input.now),
		format: "binary"
	}));
	return await proofOf(signatures, signature, keys, subject);
}
async function verifyClearsigned(input) {
	const { subject } = input;
	const keys = await trusted(input);
	const { readCleartextMessage, verify } = await import("./load-openpgp.mjs");
	const cleartextMessage = onlyClearsigned(new TextDecoder("utf-8").decode(input.message), subject);
	const message = await readable(subject, async () => await readCleartextMessage({ cleartextMessage }));
	const { data, signatures } = await readable(subject, async () => await verify({
		message,
		...verification(keys, input.now)
	}));
	return {
		data,
		...await proofOf(signatures, void 0, keys, subject)
	};
}
async function trusted(input) {
	const subject = `The keyring for ${input.subject}`;
	const keys = await pinnedKeys(await readKeyring(input.keyring, subject), input.fingerprints, input.now, subject);
	const results = await Promise.allSettled(keys.map((key) => proveUsable(key, input.now, input.subject)));
	const usable = keys.filter((_, index) => results[index]?.status === "fulfilled");
	const refusal = results.find((result) => result.status === "rejected");
	if (usable.length === 0 && refusal !== void 0) throw refusal.reason;
	return usable;
}
function verification(keys, date) {
	return {
		verificationKeys: keys,
		date,
		config: { allowInsecureVerificationWithReformattedKeys: true }
	};
}
async function proofOf(results, detached, keys, subject) {
	if (results.length === 0) throw refused(subject, detached === void 0 || detached.packets.length === 0 ? "there is no signature" : "its signature is of another kind");
	let proof;
	const foreign = [];
	for (const result of results) {
		const key = keys.find((candidate) => candidate.getKeys(result.keyID).length > 0);
		if (key === void 0) {
			foreign.push(result.keyID.toHex().toUpperCase());
			continue;
		}
		try {
			await result.verified;
		} catch (error) {
			throw refused(subject, `the signature by ${fingerprintOf(key)} does not hold (${reasonOf(error)})`, [], error);
		}
		const [packet] = (await result.signature).packets;
		if (packet?.created instanceof Date) proof ??= {
			signer: fingerprintOf(key),
			signedAt: packet.created
		};
	}
	if (proof !== void 0) return proof;
	throw refused(subject, `it is signed by ${foreign.join(", ") || "nobody"}, and only ${keys.map(fingerprintOf).join(" or ")} is trusted for it`);
}
async function readable(subject, read) {
	try {
		return await read();
	} catch (error) {
		if (error instanceof Failure) throw error;
		throw refused(subject, `its signature cannot be read (${reasonOf(error)})`, [], error);
	}
}

export { readKey as a, ubuntuKeyring as i, verifyDetached as n, KeyExpired as o, ubuntuFingerprint as r, verifyClearsigned as t };