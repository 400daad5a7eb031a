import { n as version$2, t as requestDefaults } from "./start.mjs";
import * as net from "node:net";
import { BlockList, isIP, isIPv4 } from "node:net";
import { createHash, randomBytes } from "node:crypto";
import * as https from "node:https";
import * as tls from "node:tls";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

// src/failure/failure.ts
var Failure = class extends Error {
	name = "Failure";
	kind;
	remedy;
	evidence;
	constructor(kind, message, detail = {}) {
		super(message, detail.cause === void 0 ? void 0 : { cause: detail.cause });
		this.kind = kind;
		this.remedy = detail.remedy ?? [];
		this.evidence = detail.evidence ?? [];
	}
};

// node_modules/zod/v4/core/util.js
function getEnumValues(entries) {
	const numericValues = Object.values(entries).filter((v) => typeof v === "number");
	return Object.entries(entries).filter(([k, _]) => numericValues.indexOf(+k) === -1).map(([_, v]) => v);
}
function joinValues(array, separator = "|") {
	return array.map((val) => stringifyPrimitive(val)).join(separator);
}
function jsonStringifyReplacer(_, value) {
	if (typeof value === "bigint") return value.toString();
	return value;
}
var Cached = class {
	constructor(getter) {
		this._getter = getter;
		this._value = void 0;
	}
	get value() {
		const getter = this._getter;
		if (getter !== void 0) {
			this._value = getter();
			this._getter = void 0;
		}
		return this._value;
	}
};
function cached(getter) {
	return new Cached(getter);
}
function nullish$1(input) {
	return input === null || input === void 0;
}
function cleanRegex(source) {
	const start = source.startsWith("^") ? 1 : 0;
	const end = source.endsWith("$") ? source.length - 1 : source.length;
	return source.slice(start, end);
}
function assignProp(target, prop, value) {
	Object.defineProperty(target, prop, {
		value,
		writable: true,
		enumerable: true,
		configurable: true
	});
}
function rawShape(def) {
	const desc = Object.getOwnPropertyDescriptor(def, "shape");
	return desc?.get ? desc.get.raw : desc?.value;
}
function sourceShape(schema) {
	return rawShape(schema._zod.def) ?? schema._zod.def.shape;
}
function deferProp(target, key, getter) {
	Object.defineProperty(target, key, {
		get() {
			const value = getter();
			assignProp(this, key, value);
			return value;
		},
		enumerable: true,
		configurable: true
	});
}
function putProp(target, key, value) {
	if (key in target) assignProp(target, key, value);
	else target[key] = value;
}
function mirrorShape(target, source, keys, wrap) {
	const raw = sourceShape(source);
	for (const key of keys) {
		const desc = Object.getOwnPropertyDescriptor(raw, key);
		if (!desc.enumerable) continue;
		if (desc.get) deferProp(target, key, () => {
			const value = source._zod.def.shape[key];
			return wrap ? wrap(value, key) : value;
		});
		else putProp(target, key, wrap ? wrap(desc.value, key) : desc.value);
	}
}
function mirrorProps(target, source) {
	for (const key of Reflect.ownKeys(source)) {
		const desc = Object.getOwnPropertyDescriptor(source, key);
		if (!desc.enumerable) continue;
		if (desc.get) deferProp(target, key, () => source[key]);
		else putProp(target, key, desc.value);
	}
}
function mergeDefs(...defs) {
	const mergedDescriptors = {};
	for (const def of defs) {
		const descriptors = Object.getOwnPropertyDescriptors(def);
		Object.assign(mergedDescriptors, descriptors);
	}
	return Object.defineProperties({}, mergedDescriptors);
}
const captureStackTrace = "captureStackTrace" in Error ? Error.captureStackTrace : (..._args) => {};
function isObject(data) {
	return typeof data === "object" && data !== null && !Array.isArray(data);
}
function isPlainObject(o) {
	if (isObject(o) === false) return false;
	const ctor = o.constructor;
	if (ctor === void 0) return true;
	if (typeof ctor !== "function") return true;
	const prot = ctor.prototype;
	if (isObject(prot) === false) return false;
	if (Object.prototype.hasOwnProperty.call(prot, "isPrototypeOf") === false) return false;
	return true;
}
function shallowClone(o) {
	if (isPlainObject(o)) return { ...o };
	if (Array.isArray(o)) return [...o];
	if (o instanceof Map) return new Map(o);
	if (o instanceof Set) return new Set(o);
	return o;
}
const propertyKeyTypes = /* @__PURE__*/ new Set([
	"string",
	"number",
	"symbol"
]);
function escapeRegex(str) {
	return str.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
function clone(inst, def, params) {
	const cl = new inst._zod.constr(def ?? inst._zod.def);
	if (!def || params?.parent) cl._zod.parent = inst;
	return cl;
}
function normalizeParams(_params) {
	const params = _params;
	if (!params) return {};
	if (typeof params === "string") return { error: () => params };
	if (params?.message !== void 0) {
		if (params?.error !== void 0) throw new Error("Cannot specify both `message` and `error` params");
		params.error = params.message;
	}
	delete params.message;
	if (typeof params.error === "string") return {
		...params,
		error: () => params.error
	};
	return params;
}
function stringifyPrimitive(value) {
	if (typeof value === "bigint") return value.toString() + "n";
	if (typeof value === "string") return `"${value}"`;
	return `${value}`;
}
function optionalKeys(shape) {
	return Object.keys(shape).filter((k) => {
		return shape[k]._zod.optin !== void 0 && shape[k]._zod.optout === "optional";
	});
}
const NUMBER_FORMAT_RANGES = /*@__PURE__*/ (() => ({
	safeint: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
	int32: [-0x80000000, 0x7fffffff],
	uint32: [0, 0xffffffff],
	float32: [-34028234663852886e22, 34028234663852886e22],
	float64: [-Number.MAX_VALUE, Number.MAX_VALUE]
}))();
function pick$1(schema, mask) {
	const currDef = schema._zod.def;
	const checks = currDef.checks;
	if (checks && checks.length > 0) throw new Error(".pick() cannot be used on object schemas containing refinements");
	const newShape = {};
	mirrorShape(newShape, schema, maskedKeys(schema, mask));
	return clone(schema, mergeDefs(currDef, {
		shape: newShape,
		checks: []
	}));
}
function maskedKeys(schema, mask) {
	const raw = sourceShape(schema);
	const keys = [];
	for (const key of Reflect.ownKeys(mask)) {
		if (!Object.getOwnPropertyDescriptor(raw, key)?.enumerable) throw new Error(`Unrecognized key: "${String(key)}"`);
		if (mask[key]) keys.push(key);
	}
	return keys;
}
function extend$1(schema, shape) {
	if (!isPlainObject(shape)) throw new Error("Invalid input to extend: expected a plain object");
	const checks = schema._zod.def.checks;
	if (checks && checks.length > 0) {
		const existingShape = sourceShape(schema);
		for (const key of Reflect.ownKeys(shape)) if (Object.getOwnPropertyDescriptor(existingShape, key) !== void 0) throw new Error("Cannot overwrite keys on object schemas containing refinements. Use `.safeExtend()` instead.");
	}
	return clone(schema, mergeDefs(schema._zod.def, { shape: extended(schema, shape) }));
}
function extended(schema, shape) {
	const newShape = {};
	mirrorShape(newShape, schema, Reflect.ownKeys(sourceShape(schema)));
	mirrorProps(newShape, shape);
	return newShape;
}
function aborted(x, startIndex = 0) {
	if (x.aborted === true) return true;
	for (let i = startIndex; i < x.issues.length; i++) if (x.issues[i]?.continue !== true) return true;
	return false;
}
function explicitlyAborted(x, startIndex = 0) {
	if (x.aborted === true) return true;
	for (let i = startIndex; i < x.issues.length; i++) if (x.issues[i]?.continue === false) return true;
	return false;
}
function prefixIssues(path, issues) {
	return issues.map((iss) => {
		var _a;
		(_a = iss).path ?? (_a.path = []);
		iss.path.unshift(path);
		return iss;
	});
}
function unwrapMessage(message) {
	return typeof message === "string" ? message : message?.message;
}
function sizeCaps(defChecks) {
	const caps = [];
	for (const ch of defChecks ?? []) {
		const d = ch._zod.def;
		if (!/_(length|size)$|_equals$/.test(d.check)) break;
		const max = d.maximum ?? d.length ?? d.size;
		if (max >= 0) caps.push([max, ch]);
	}
	return caps;
}
function attachSchema(issues, start, inst) {
	var _a;
	for (let i = start; i < issues.length; i++) (_a = issues[i]).schema ?? (_a.schema = inst);
}
function finalizeIssue(iss, ctx, config) {
	var _a;
	const traits = iss.inst?._zod?.traits;
	if (traits?.has("$ZodType")) {
		if (traits.has("$ZodCheck")) (_a = iss).schema ?? (_a.schema = iss.inst);
		else iss.schema = iss.inst;
	}
	const schemaError = iss.schema !== iss.inst ? iss.schema?._zod.def?.error : void 0;
	const message = iss.message ? iss.message : unwrapMessage(iss.inst?._zod.def?.error?.(iss)) ?? unwrapMessage(schemaError?.(iss)) ?? unwrapMessage(ctx?.error?.(iss)) ?? unwrapMessage(config.customError?.(iss)) ?? unwrapMessage(config.localeError?.(iss)) ?? "Invalid input";
	const full = {};
	for (const k of Object.keys(iss)) {
		if (k === "inst" || k === "schema" || k === "continue" || k === "input" || k === "__proto__") continue;
		full[k] = iss[k];
	}
	full.path ?? (full.path = []);
	full.message = message;
	if (ctx?.reportInput) full.input = iss.input;
	return full;
}
const highSurrogate = /[\uD800-\uDBFF]/;
function codePointLength(str) {
	const units = str.length;
	if (!highSurrogate.test(str)) return units;
	let count = units;
	for (let i = 0; i < units - 1; i++) if ((str.charCodeAt(i) & 64512) === 55296 && (str.charCodeAt(i + 1) & 64512) === 56320) {
		count--;
		i++;
	}
	return count;
}
function getLengthableOrigin(input) {
	if (Array.isArray(input)) return "array";
	if (typeof input === "string") return "string";
	return "unknown";
}
function parsedType(data) {
	const t = typeof data;
	switch (t) {
		case "number": return Number.isNaN(data) ? "nan" : "number";
		case "object": {
			if (data === null) return "null";
			if (Array.isArray(data)) return "array";
			const obj = data;
			if (obj && Object.getPrototypeOf(obj) !== Object.prototype && "constructor" in obj && obj.constructor) return obj.constructor.name;
		}
	}
	return t;
}
function issue(...args) {
	const [iss, input, inst] = args;
	if (typeof iss === "string") return {
		message: iss,
		code: "custom",
		input,
		inst
	};
	return { ...iss };
}
function members(proto, table) {
	for (const key in table) {
		const desc = Object.getOwnPropertyDescriptor(table, key);
		if (desc.get) Object.defineProperty(proto, key, {
			...desc,
			enumerable: false
		});
		else defineBound(proto, key, desc.value);
	}
}
function own(inst, key, value, enumerable = true) {
	Object.defineProperty(inst, key, {
		configurable: true,
		writable: true,
		enumerable,
		value
	});
	return value;
}
function hide(inst, key, value) {
	return own(inst, key, value, false);
}
function defineBound(proto, key, fn) {
	Object.defineProperty(proto, key, {
		configurable: true,
		get() {
			return this == null ? fn : own(this, key, fn.bind(this));
		},
		set(value) {
			own(this, key, value);
		}
	});
}
function claim(inst, sentinel) {
	const proto = Object.getPrototypeOf(inst);
	return sentinel in proto ? void 0 : proto;
}
let installing;
let broke = false;
const breaker = {
	configurable: true,
	get() {
		broke = true;
	}
};
function defineLazyInternal(inst, key, compute) {
	const proto = Object.getPrototypeOf(inst._zod);
	if (key in proto && installing !== inst._zod) {
		installing = void 0;
		return;
	}
	installing = inst._zod;
	Object.defineProperty(proto, key, {
		configurable: true,
		get() {
			Object.defineProperty(this, key, breaker);
			const outer = broke;
			broke = false;
			try {
				const value = compute(this);
				if (broke) delete this[key];
				else Object.defineProperty(this, key, {
					configurable: true,
					writable: true,
					value
				});
				broke = broke || outer;
				return value;
			} catch (err) {
				delete this[key];
				broke = broke || outer;
				throw err;
			}
		},
		set(value) {
			Object.defineProperty(this, key, {
				configurable: true,
				writable: true,
				value
			});
		}
	});
}
function installLazyProp(inst, key, make, enumerable) {
	const proto = claim(inst, key);
	if (!proto) return;
	Object.defineProperty(proto, key, {
		configurable: true,
		get() {
			const desc = {
				configurable: true,
				writable: true,
				enumerable,
				value: void 0
			};
			Object.defineProperty(this, key, desc);
			desc.value = make(this);
			Object.defineProperty(this, key, desc);
			return desc.value;
		},
		set(value) {
			Object.defineProperty(this, key, {
				configurable: true,
				writable: true,
				enumerable,
				value
			});
		}
	});
}

// node_modules/zod/v4/core/core.js
var _a;
const NEVER = /*@__PURE__*/ Object.freeze({ status: "aborted" });
const _zodDesc = {
	value: void 0,
	enumerable: false
};
let _E = "captureStackTrace" in Error ? Error : null;
function newError(Definition) {
	const E = _E;
	if (E) {
		const saved = E.stackTraceLimit;
		if (typeof saved === "number") {
			try {
				E.stackTraceLimit = 0;
			} catch {
				_E = null;
				return new Definition();
			}
			try {
				return new Definition();
			} finally {
				E.stackTraceLimit = saved;
			}
		}
	}
	return new Definition();
}
/* @__NO_SIDE_EFFECTS__ */
function $constructor(name, initializer, proto, params) {
	const zodProto = {};
	function Internals(def) {
		this.def = def;
		this.constr = _;
		this.traits = /* @__PURE__ */ new Set();
	}
	Internals.prototype = zodProto;
	const protoMembers = proto;
	const initialized = protoMembers && /* @__PURE__ */ new WeakSet();
	function init(inst, def) {
		if (!inst._zod) {
			_zodDesc.value = new Internals(def);
			try {
				Object.defineProperty(inst, "_zod", _zodDesc);
			} finally {
				_zodDesc.value = void 0;
			}
		} else if (inst._zod.traits.has(name)) return;
		inst._zod.traits.add(name);
		initializer(inst, def);
		if (initialized) {
			const own = Object.getPrototypeOf(inst);
			const ctorProto = inst._zod.constr.prototype;
			let up = own;
			while (up && up !== ctorProto) up = Object.getPrototypeOf(up);
			const target = up ?? own;
			if (!initialized.has(target)) {
				initialized.add(target);
				members(target, protoMembers);
			}
		}
		const proto = _.prototype;
		for (const k in proto) {
			if (!Object.prototype.hasOwnProperty.call(proto, k)) continue;
			if (!(k in inst)) inst[k] = proto[k].bind(inst);
		}
	}
	const Parent = params?.Parent ?? Object;
	class Definition extends Parent {}
	Object.defineProperty(Definition, "name", { value: name });
	function _(def) {
		const inst = params?.Parent ? newError(Definition) : this;
		init(inst, def);
		const deferred = inst._zod.deferred;
		if (deferred) {
			for (const fn of deferred) fn();
			inst._zod.deferred = void 0;
		}
		const pp = globalThis.__zod_globalConfig?.postProcessor;
		if (pp) pp(inst);
		return inst;
	}
	Object.defineProperty(_, "init", { value: init });
	Object.defineProperty(_, Symbol.hasInstance, { value: (inst) => {
		if (params?.Parent && inst instanceof params.Parent) return true;
		return inst?._zod?.traits?.has(name);
	} });
	Object.defineProperty(_, "name", { value: name });
	return _;
}
var $ZodAsyncError = class extends Error {
	constructor() {
		super(`Encountered Promise during synchronous parse. Use .parseAsync() instead.`);
	}
};
var $ZodEncodeError = class extends Error {
	constructor(name) {
		super(`Encountered unidirectional transform during encode: ${name}`);
		this.name = "ZodEncodeError";
	}
};
(_a = globalThis).__zod_globalConfig ?? (_a.__zod_globalConfig = {});
const globalConfig = globalThis.__zod_globalConfig;
function config(newConfig) {
	if (newConfig) Object.assign(globalConfig, newConfig);
	return globalConfig;
}

// node_modules/zod/v4/core/errors.js
function _getMessage() {
	const internals = this._zod;
	internals.message ?? (internals.message = JSON.stringify(internals.def, jsonStringifyReplacer, 2));
	return internals.message;
}
function _setMessage(value) {
	this._zod.message = value;
}
const _messageDesc = {
	get: _getMessage,
	set: _setMessage,
	enumerable: true,
	configurable: true
};
const _issuesDesc = {
	value: void 0,
	enumerable: false
};
const _installedToString = /* @__PURE__ */ new WeakSet([Object.prototype, Error.prototype]);
const initializer = (inst, def) => {
	inst.name = "$ZodError";
	_issuesDesc.value = def;
	Object.defineProperty(inst, "issues", _issuesDesc);
	_issuesDesc.value = void 0;
	Object.defineProperty(inst, "message", _messageDesc);
	const proto = Object.getPrototypeOf(inst);
	if (!_installedToString.has(proto)) {
		_installedToString.add(proto);
		Object.defineProperty(proto, "toString", {
			configurable: true,
			enumerable: false,
			get() {
				const value = () => this.message;
				Object.defineProperty(this, "toString", {
					value,
					configurable: true,
					writable: true
				});
				return value;
			},
			set(value) {
				Object.defineProperty(this, "toString", {
					value,
					configurable: true,
					writable: true
				});
			}
		});
	}
};
const $ZodRealError = /* @__PURE__ */ $constructor("$ZodError", initializer, void 0, { Parent: Error });

// node_modules/zod/v4/core/parse.js
const _parse = (_Err) => {
	const fn = (schema, value, _ctx, _params) => {
		const ctx = _ctx ? {
			..._ctx,
			async: false
		} : { async: false };
		const result = schema._zod.run({
			value,
			issues: []
		}, ctx);
		if (result instanceof Promise) throw new $ZodAsyncError();
		if (result.issues.length) {
			const e = new ((_params?.Err) ?? _Err)(result.issues.map((iss) => finalizeIssue(iss, ctx, config())));
			captureStackTrace(e, _params?.callee ?? fn);
			throw e;
		}
		return result.value;
	};
	return fn;
};
const parse$1 = /* @__PURE__*/ _parse($ZodRealError);
const _parseAsync = (_Err) => {
	const fn = async (schema, value, _ctx, params) => {
		const ctx = _ctx ? {
			..._ctx,
			async: true
		} : { async: true };
		let result = schema._zod.run({
			value,
			issues: []
		}, ctx);
		if (result instanceof Promise) result = await result;
		if (result.issues.length) {
			const e = new ((params?.Err) ?? _Err)(result.issues.map((iss) => finalizeIssue(iss, ctx, config())));
			captureStackTrace(e, params?.callee ?? fn);
			throw e;
		}
		return result.value;
	};
	return fn;
};
const parseAsync = /* @__PURE__*/ _parseAsync($ZodRealError);
const _safeParse = (_Err) => (schema, value, _ctx) => {
	const ctx = _ctx ? {
		..._ctx,
		async: false
	} : { async: false };
	const result = schema._zod.run({
		value,
		issues: []
	}, ctx);
	if (result instanceof Promise) throw new $ZodAsyncError();
	return result.issues.length ? failure(_Err, result.issues, ctx) : {
		success: true,
		data: result.value
	};
};
const safeParse = /* @__PURE__*/ _safeParse($ZodRealError);
function failure(Err, issues, ctx) {
	let error;
	return {
		success: false,
		get error() {
			if (!error) {
				error = new Err(issues.map((iss) => finalizeIssue(iss, ctx, config())));
				issues = void 0;
				ctx = void 0;
			}
			return error;
		},
		set error(e) {
			error = e;
			issues = void 0;
			ctx = void 0;
		}
	};
}
const _safeParseAsync = (_Err) => async (schema, value, _ctx) => {
	const ctx = _ctx ? {
		..._ctx,
		async: true
	} : { async: true };
	let result = schema._zod.run({
		value,
		issues: []
	}, ctx);
	if (result instanceof Promise) result = await result;
	return result.issues.length ? failure(_Err, result.issues, ctx) : {
		success: true,
		data: result.value
	};
};
const safeParseAsync = /* @__PURE__*/ _safeParseAsync($ZodRealError);

// node_modules/zod/v4/core/regexes.js
const httpProtocol = /^https?$/;
const dateSource = `(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))`;
function timeSource(args) {
	const hhmm = `(?:[01]\\d|2[0-3]):[0-5]\\d`;
	return typeof args.precision === "number" ? args.precision === -1 ? `${hhmm}` : args.precision === 0 ? `${hhmm}:[0-5]\\d` : `${hhmm}:[0-5]\\d\\.\\d{${args.precision}}` : args.seconds ? `${hhmm}:[0-5]\\d(?:\\.\\d+)?` : `${hhmm}(?::[0-5]\\d(?:\\.\\d+)?)?`;
}
function datetime(args) {
	const opts = ["Z"];
	if (args.offset) opts.push(`([+-](?:[01]\\d|2[0-3]):[0-5]\\d)`);
	const qualified = `${timeSource({
		precision: args.precision,
		seconds: true
	})}(?:${opts.join("|")})`;
	const timeRegex = args.local ? `${qualified}|${timeSource({ precision: args.precision })}` : qualified;
	return new RegExp(`^${dateSource}T(?:${timeRegex})$`);
}
const anyString = /^[\s\S]{0,}$/;
const number$2 = /^-?\d+(?:\.\d+)?$/;
const boolean$2 = /^(?:true|false)$/i;

// node_modules/zod/v4/core/checks.js
const $ZodCheck = /*@__PURE__*/ $constructor("$ZodCheck", (inst, def) => {
	var _a;
	inst._zod ?? (inst._zod = {});
	inst._zod.def = def;
	(_a = inst._zod).onattach ?? (_a.onattach = []);
});
const _whenHasLength = (payload) => {
	const val = payload.value;
	return !nullish$1(val) && val.length !== void 0;
};
const numericOriginMap = {
	number: "number",
	bigint: "bigint",
	object: "date"
};
const $ZodCheckLessThan = /*@__PURE__*/ $constructor("$ZodCheckLessThan", (inst, def) => {
	$ZodCheck.init(inst, def);
	const origin = numericOriginMap[typeof def.value];
	inst._zod.check = (payload) => {
		if (def.inclusive ? payload.value <= def.value : payload.value < def.value) return;
		payload.issues.push({
			origin: numericOriginMap[typeof payload.value] ?? origin,
			code: "too_big",
			maximum: typeof def.value === "object" ? def.value.getTime() : def.value,
			input: payload.value,
			inclusive: def.inclusive,
			inst,
			continue: !def.abort
		});
	};
});
const $ZodCheckGreaterThan = /*@__PURE__*/ $constructor("$ZodCheckGreaterThan", (inst, def) => {
	$ZodCheck.init(inst, def);
	const origin = numericOriginMap[typeof def.value];
	inst._zod.check = (payload) => {
		if (def.inclusive ? payload.value >= def.value : payload.value > def.value) return;
		payload.issues.push({
			origin: numericOriginMap[typeof payload.value] ?? origin,
			code: "too_small",
			minimum: typeof def.value === "object" ? def.value.getTime() : def.value,
			input: payload.value,
			inclusive: def.inclusive,
			inst,
			continue: !def.abort
		});
	};
});
const $ZodCheckNumberFormat = /*@__PURE__*/ $constructor("$ZodCheckNumberFormat", (inst, def) => {
	$ZodCheck.init(inst, def);
	def.format = def.format || "float64";
	const isInt = def.format?.includes("int");
	const origin = isInt ? "int" : "number";
	const [minimum, maximum] = NUMBER_FORMAT_RANGES[def.format];
	inst._zod.check = (payload) => {
		const input = payload.value;
		if (isInt) {
			if (!Number.isInteger(input)) {
				payload.issues.push({
					expected: origin,
					format: def.format,
					code: "invalid_type",
					continue: false,
					input,
					inst
				});
				return;
			}
			if (!Number.isSafeInteger(input)) {
				if (input > 0) payload.issues.push({
					input,
					code: "too_big",
					maximum: Number.MAX_SAFE_INTEGER,
					note: "Integers must be within the safe integer range.",
					inst,
					origin,
					inclusive: true,
					continue: !def.abort
				});
				else payload.issues.push({
					input,
					code: "too_small",
					minimum: Number.MIN_SAFE_INTEGER,
					note: "Integers must be within the safe integer range.",
					inst,
					origin,
					inclusive: true,
					continue: !def.abort
				});
				return;
			}
		}
		if (input < minimum) payload.issues.push({
			origin: "number",
			input,
			code: "too_small",
			minimum,
			inclusive: true,
			inst,
			continue: !def.abort
		});
		if (input > maximum) payload.issues.push({
			origin: "number",
			input,
			code: "too_big",
			maximum,
			inclusive: true,
			inst,
			continue: !def.abort
		});
	};
});
const $ZodCheckMaxLength = /*@__PURE__*/ $constructor("$ZodCheckMaxLength", (inst, def) => {
	var _a;
	$ZodCheck.init(inst, def);
	(_a = inst._zod.def).when ?? (_a.when = _whenHasLength);
	inst._zod.check = (payload) => {
		const input = payload.value;
		const units = input.length;
		if ((typeof input === "string" && units > def.maximum ? codePointLength(input) : units) <= def.maximum) return;
		const origin = getLengthableOrigin(input);
		payload.issues.push({
			origin,
			code: "too_big",
			maximum: def.maximum,
			inclusive: true,
			input,
			inst,
			continue: !def.abort
		});
	};
});
const $ZodCheckMinLength = /*@__PURE__*/ $constructor("$ZodCheckMinLength", (inst, def) => {
	var _a;
	$ZodCheck.init(inst, def);
	(_a = inst._zod.def).when ?? (_a.when = _whenHasLength);
	inst._zod.check = (payload) => {
		const input = payload.value;
		const units = input.length;
		if ((typeof input === "string" && units >= def.minimum && units < def.minimum * 2 ? codePointLength(input) : units) >= def.minimum) return;
		const origin = getLengthableOrigin(input);
		payload.issues.push({
			origin,
			code: "too_small",
			minimum: def.minimum,
			inclusive: true,
			input,
			inst,
			continue: !def.abort
		});
	};
});
const $ZodCheckStringFormat = /*@__PURE__*/ $constructor("$ZodCheckStringFormat", (inst, def) => {
	var _a, _b;
	$ZodCheck.init(inst, def);
	if (def.pattern) (_a = inst._zod).check ?? (_a.check = (payload) => {
		def.pattern.lastIndex = 0;
		if (def.pattern.test(payload.value)) return;
		payload.issues.push({
			origin: "string",
			code: "invalid_format",
			format: def.format,
			input: payload.value,
			...def.pattern ? { pattern: def.pattern.toString() } : {},
			inst,
			continue: !def.abort
		});
	});
	else (_b = inst._zod).check ?? (_b.check = () => {});
});
const $ZodCheckRegex = /*@__PURE__*/ $constructor("$ZodCheckRegex", (inst, def) => {
	$ZodCheckStringFormat.init(inst, def);
	inst._zod.check = (payload) => {
		def.pattern.lastIndex = 0;
		if (def.pattern.test(payload.value)) return;
		payload.issues.push({
			origin: "string",
			code: "invalid_format",
			format: "regex",
			input: payload.value,
			pattern: def.pattern.toString(),
			inst,
			continue: !def.abort
		});
	};
});
const $ZodCheckOverwrite = /*@__PURE__*/ $constructor("$ZodCheckOverwrite", (inst, def) => {
	$ZodCheck.init(inst, def);
	inst._zod.check = (payload) => {
		payload.value = def.tx(payload.value);
	};
});

// node_modules/zod/v4/core/versions.js
const version$1 = {
	major: 4,
	minor: 6,
	patch: 7
};

// node_modules/zod/v4/core/schemas.js
const $ZodType = /*@__PURE__*/ $constructor("$ZodType", (inst, def) => {
	var _a;
	inst ?? (inst = {});
	inst._zod.def = def;
	inst._zod.bag = inst._zod.bag || {};
	inst._zod.version = version$1;
	const defChecks = inst._zod.def.checks;
	const checks = inst._zod.traits.has("$ZodCheck") ? [inst, ...defChecks ?? []] : defChecks?.length ? [...defChecks] : [];
	for (const ch of checks) for (const fn of ch._zod.onattach) fn(inst);
	if (checks.length === 0) {
		(_a = inst._zod).deferred ?? (_a.deferred = []);
		inst._zod.deferred?.push(() => {
			inst._zod.run = inst._zod.parse;
		});
	} else {
		const runChecks = (payload, checks, ctx) => {
			if (payload.memo) return payload;
			let isAborted = aborted(payload);
			let asyncResult;
			for (const ch of checks) {
				if (ch._zod.def.when) {
					if (explicitlyAborted(payload)) continue;
					if (!ch._zod.def.when(payload)) continue;
				} else if (isAborted) continue;
				const currLen = payload.issues.length;
				const _ = ch._zod.check(payload);
				if (_ instanceof Promise && ctx?.async === false) throw new $ZodAsyncError();
				if (asyncResult || _ instanceof Promise) asyncResult = (asyncResult ?? Promise.resolve()).then(async () => {
					await _;
					if (payload.issues.length === currLen) return;
					attachSchema(payload.issues, currLen, inst);
					if (!isAborted) isAborted = aborted(payload, currLen);
				});
				else {
					if (payload.issues.length === currLen) continue;
					attachSchema(payload.issues, currLen, inst);
					if (!isAborted) isAborted = aborted(payload, currLen);
				}
			}
			if (asyncResult) return asyncResult.then(() => {
				return payload;
			});
			return payload;
		};
		const handleCanaryResult = (canary, payload, ctx) => {
			if (aborted(canary)) {
				canary.aborted = true;
				return canary;
			}
			const checkResult = runChecks(payload, checks, ctx);
			if (checkResult instanceof Promise) {
				if (ctx.async === false) throw new $ZodAsyncError();
				return checkResult.then((checkResult) => inst._zod.parse(checkResult, ctx));
			}
			return inst._zod.parse(checkResult, ctx);
		};
		inst._zod.run = (payload, ctx) => {
			if (ctx.skipChecks) return inst._zod.parse(payload, ctx);
			if (ctx.direction === "backward") {
				const canary = inst._zod.parse({
					value: payload.value,
					issues: []
				}, {
					...ctx,
					skipChecks: true
				});
				if (canary instanceof Promise) return canary.then((canary) => {
					return handleCanaryResult(canary, payload, ctx);
				});
				return handleCanaryResult(canary, payload, ctx);
			}
			const result = inst._zod.parse(payload, ctx);
			if (result instanceof Promise) {
				if (ctx.async === false) throw new $ZodAsyncError();
				return result.then((result) => runChecks(result, checks, ctx));
			}
			return runChecks(result, checks, ctx);
		};
	}
}, {
	get "~standard"() {
		return hide(this, "~standard", standardProps(this));
	},
	set "~standard"(value) {
		own(this, "~standard", value);
	}
});
const toStandardResult = (r, ctx) => r.issues.length ? { issues: r.issues.map((iss) => finalizeIssue(iss, ctx, config())) } : { value: r.value };
async function validateAsync(inst, value) {
	const ctx = { async: true };
	return toStandardResult(await inst._zod.run({
		value,
		issues: []
	}, ctx), ctx);
}
function standardProps(inst) {
	return {
		validate: (value) => {
			const ctx = { async: false };
			try {
				const r = inst._zod.run({
					value,
					issues: []
				}, ctx);
				if (!(r instanceof Promise)) return toStandardResult(r, ctx);
			} catch (_) {}
			return validateAsync(inst, value);
		},
		vendor: "zod",
		version: 1
	};
}
const $ZodString = /*@__PURE__*/ $constructor("$ZodString", (inst, def) => {
	$ZodType.init(inst, def);
	inst._zod.pattern = def.pattern ?? anyString;
	inst._zod.parse = (payload, _) => {
		if (def.coerce) try {
			payload.value = String(payload.value);
		} catch (_) {}
		if (typeof payload.value === "string") return payload;
		payload.issues.push({
			expected: "string",
			code: "invalid_type",
			input: payload.value,
			inst
		});
		return payload;
	};
});
const $ZodStringFormat = /*@__PURE__*/ $constructor("$ZodStringFormat", (inst, def) => {
	$ZodCheckStringFormat.init(inst, def);
	$ZodString.init(inst, def);
});
const URL_BAD_FORMAT = 1;
const URL_UNPARSEABLE = 2;
function canParseURL(input) {
	try {
		if (typeof URL !== "undefined" && typeof URL.canParse === "function") return URL.canParse(input);
		new URL(input);
		return true;
	} catch {
		return false;
	}
}
function validateURL(trimmed, def) {
	if (!("normalize" in def) && !("hostname" in def) && !("protocol" in def)) return canParseURL(trimmed) || 2;
	return parseURLObject(trimmed, def);
}
function parseURLObject(trimmed, def) {
	if (!def.normalize && def.protocol?.source === httpProtocol.source && !/^https?:\/\//i.test(trimmed)) return 1;
	try {
		if (typeof URL !== "undefined") {
			const URLStatic = URL;
			if (typeof URLStatic.parse === "function") return URLStatic.parse(trimmed) ?? 2;
		}
		return new URL(trimmed);
	} catch {
		return 2;
	}
}
const asciiTabOrNewline = /[\t\n\r]/g;
function stripTabAndNewline(value) {
	return value.replace(asciiTabOrNewline, "");
}
function urlHostnameOk(url, hostname) {
	hostname.lastIndex = 0;
	return hostname.test(url.hostname);
}
function urlProtocolOk(url, protocol) {
	protocol.lastIndex = 0;
	return protocol.test(url.protocol.endsWith(":") ? url.protocol.slice(0, -1) : url.protocol);
}
const $ZodURL = /*@__PURE__*/ $constructor("$ZodURL", (inst, def) => {
	$ZodStringFormat.init(inst, def);
	inst._zod.check = (payload) => {
		try {
			const trimmed = payload.value.trim();
			const url = validateURL(trimmed, def);
			if (url === 1) {
				payload.issues.push({
					code: "invalid_format",
					format: "url",
					note: "Invalid URL format",
					input: payload.value,
					inst,
					continue: !def.abort
				});
				return;
			}
			if (url === 2) {
				payload.issues.push({
					code: "invalid_format",
					format: "url",
					input: payload.value,
					inst,
					continue: !def.abort
				});
				return;
			}
			if (url === true) {
				payload.value = stripTabAndNewline(trimmed);
				return;
			}
			if (def.hostname && !urlHostnameOk(url, def.hostname)) payload.issues.push({
				code: "invalid_format",
				format: "url",
				note: "Invalid hostname",
				pattern: def.hostname.source,
				input: payload.value,
				inst,
				continue: !def.abort
			});
			if (def.protocol && !urlProtocolOk(url, def.protocol)) payload.issues.push({
				code: "invalid_format",
				format: "url",
				note: "Invalid protocol",
				pattern: def.protocol.source,
				input: payload.value,
				inst,
				continue: !def.abort
			});
			payload.value = def.normalize ? url.href : stripTabAndNewline(trimmed);
			return;
		} catch (_) {
			payload.issues.push({
				code: "invalid_format",
				format: "url",
				input: payload.value,
				inst,
				continue: !def.abort
			});
		}
	};
});
const $ZodISODateTime = /*@__PURE__*/ $constructor("$ZodISODateTime", (inst, def) => {
	def.pattern ?? (def.pattern = datetime(def));
	$ZodStringFormat.init(inst, def);
});
const $ZodNumber = /*@__PURE__*/ $constructor("$ZodNumber", (inst, def) => {
	$ZodType.init(inst, def);
	inst._zod.pattern = number$2;
	inst._zod.parse = (payload, _ctx) => {
		if (def.coerce) try {
			payload.value = Number(payload.value);
		} catch (_) {}
		const input = payload.value;
		if (typeof input === "number" && !Number.isNaN(input) && Number.isFinite(input)) return payload;
		const received = typeof input === "number" ? Number.isNaN(input) ? "NaN" : !Number.isFinite(input) ? String(input) : void 0 : void 0;
		payload.issues.push({
			expected: "number",
			code: "invalid_type",
			input,
			inst,
			...received ? { received } : {}
		});
		return payload;
	};
});
const $ZodNumberFormat = /*@__PURE__*/ $constructor("$ZodNumberFormat", (inst, def) => {
	$ZodCheckNumberFormat.init(inst, def);
	$ZodNumber.init(inst, def);
});
const $ZodBoolean = /*@__PURE__*/ $constructor("$ZodBoolean", (inst, def) => {
	$ZodType.init(inst, def);
	inst._zod.pattern = boolean$2;
	inst._zod.parse = (payload, _ctx) => {
		if (def.coerce) try {
			payload.value = Boolean(payload.value);
		} catch (_) {}
		const input = payload.value;
		if (typeof input === "boolean") return payload;
		payload.issues.push({
			expected: "boolean",
			code: "invalid_type",
			input,
			inst
		});
		return payload;
	};
});
const $ZodUnknown = /*@__PURE__*/ $constructor("$ZodUnknown", (inst, def) => {
	$ZodType.init(inst, def);
	inst._zod.parse = (payload) => payload;
});
function capSize(inst, size) {
	const caps = sizeCaps(inst._zod.def.checks);
	if (!caps.length) return;
	const cap = Math.min(...caps.map((c) => c[0]));
	const parse = inst._zod.parse;
	inst._zod.parse = (payload, ctx) => {
		const n = size(payload.value);
		if (n > cap && !ctx?.skipChecks && ctx?.direction !== "backward") {
			for (const [max, ch] of sizeCaps(inst._zod.def.checks)) if (n > max && ch._zod.def.when(payload)) {
				const start = payload.issues.length;
				ch._zod.check(payload);
				payload.issues[start].continue = false;
				attachSchema(payload.issues, start, inst);
				return payload;
			}
		}
		return parse(payload, ctx);
	};
}
const arraySize = (input) => Array.isArray(input) ? input.length : -1;
function handleArrayResult(result, final, index) {
	if (result.issues.length) final.issues.push(...prefixIssues(index, result.issues));
	final.value[index] = result.value;
}
const $ZodArray = /*@__PURE__*/ $constructor("$ZodArray", (inst, def) => {
	$ZodType.init(inst, def);
	const memo = globalConfig.memoizer;
	memo?.attach(inst);
	inst._zod.parse = (payload, ctx) => {
		const input = payload.value;
		if (!Array.isArray(input)) {
			payload.issues.push({
				expected: "array",
				code: "invalid_type",
				input,
				inst
			});
			return payload;
		}
		payload.value = memo ? memo.alloc(inst, payload, Array(input.length), ctx) : Array(input.length);
		const proms = [];
		const abortEarly = ctx?.abortEarly;
		for (let i = 0; i < input.length; i++) {
			const item = input[i];
			const result = def.element._zod.run({
				value: item,
				issues: []
			}, ctx);
			if (result instanceof Promise) proms.push(result.then((result) => handleArrayResult(result, payload, i)));
			else {
				handleArrayResult(result, payload, i);
				if (abortEarly && result.issues.length !== 0 && aborted(result)) break;
			}
		}
		if (proms.length) return Promise.all(proms).then(() => payload);
		return payload;
	};
	capSize(inst, arraySize);
});
function handlePropertyResult(result, final, key, input, optin, optout) {
	const isPresent = key in input;
	const isOptionalOut = optout === "optional";
	if (!isPresent && isOptionalOut && optin === "optional") return;
	if (result.issues.length) {
		if (optin !== void 0 && isOptionalOut && !isPresent) return;
		final.issues.push(...prefixIssues(key, result.issues));
	}
	if (!isPresent && optin === void 0) {
		if (!result.issues.length) final.issues.push({
			code: "invalid_type",
			expected: "nonoptional",
			input: void 0,
			path: [key]
		});
		return;
	}
	if (result.value === void 0) {
		if (isPresent || optin === "defaulted" && !isOptionalOut) final.value[key] = void 0;
	} else final.value[key] = result.value;
}
const NO_SYMBOL_KEYS = [];
function normalizeDef(def) {
	const keys = Object.keys(def.shape);
	const ownSymbols = Object.getOwnPropertySymbols(def.shape);
	const symbolKeys = ownSymbols.length ? ownSymbols : NO_SYMBOL_KEYS;
	const allKeys = symbolKeys.length ? [...keys, ...symbolKeys] : keys;
	for (const k of allKeys) if (!def.shape?.[k]?._zod?.traits?.has("$ZodType")) throw new Error(`Invalid element at key "${String(k)}": expected a Zod schema`);
	const okeys = optionalKeys(def.shape);
	return {
		...def,
		allKeys,
		symbolKeys,
		keySet: new Set(keys),
		numKeys: keys.length,
		optionalKeys: new Set(okeys)
	};
}
function handleCatchall(proms, input, payload, ctx, def, inst, abortEarly) {
	const unrecognized = [];
	const keySet = def.keySet;
	const _catchall = def.catchall._zod;
	const t = _catchall.def.type;
	const optin = _catchall.optin;
	const optout = _catchall.optout;
	let seen = 0;
	for (const key in input) {
		if (abortEarly && payload.issues.length !== seen) {
			if (aborted(payload, seen)) break;
			seen = payload.issues.length;
		}
		if (keySet.has(key)) continue;
		if (key === "__proto__") {
			if (t === "never") unrecognized.push(key);
			continue;
		}
		if (t === "never") {
			unrecognized.push(key);
			continue;
		}
		const r = _catchall.run({
			value: input[key],
			issues: []
		}, ctx);
		if (r instanceof Promise) proms.push(r.then((r) => handlePropertyResult(r, payload, key, input, optin, optout)));
		else handlePropertyResult(r, payload, key, input, optin, optout);
	}
	if (unrecognized.length) payload.issues.push({
		code: "unrecognized_keys",
		keys: unrecognized,
		input,
		inst,
		continue: true
	});
	if (!proms.length) return payload;
	return Promise.all(proms).then(() => {
		return payload;
	});
}
const $ZodObject = /*@__PURE__*/ $constructor("$ZodObject", (inst, def) => {
	$ZodType.init(inst, def);
	const desc = Object.getOwnPropertyDescriptor(def, "shape");
	const sh = desc?.get ? desc.get.raw : def.shape ?? {};
	if (sh) {
		const get = () => {
			const newSh = { ...sh };
			Object.defineProperty(def, "shape", { value: newSh });
			get.raw = newSh;
			return newSh;
		};
		get.raw = sh;
		Object.defineProperty(def, "shape", { get });
	}
	const _normalized = cached(() => normalizeDef(def));
	defineLazyInternal(inst, "propValues", (zod) => {
		const shape = zod.def.shape;
		const propValues = {};
		for (const key in shape) {
			const field = shape[key]._zod;
			if (field.values) {
				if (!Object.prototype.hasOwnProperty.call(propValues, key)) assignProp(propValues, key, /* @__PURE__ */ new Set());
				for (const v of field.values) propValues[key].add(v);
				if (field.optin !== void 0) propValues[key].add(void 0);
			}
		}
		return propValues;
	});
	const isObject$1 = isObject;
	const catchall = def.catchall;
	let value;
	const memo = globalConfig.memoizer;
	memo?.attach(inst);
	inst._zod.parse = (payload, ctx) => {
		value ?? (value = _normalized.value);
		const input = payload.value;
		if (!isObject$1(input)) {
			payload.issues.push({
				expected: "object",
				code: "invalid_type",
				input,
				inst
			});
			return payload;
		}
		payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
		const proms = [];
		const shape = value.shape;
		const abortEarly = ctx?.abortEarly;
		let seen = payload.issues.length;
		for (const key of value.allKeys) {
			if (abortEarly && payload.issues.length !== seen) {
				if (aborted(payload, seen)) break;
				seen = payload.issues.length;
			}
			if (key === "__proto__") continue;
			const el = shape[key];
			const optin = el._zod.optin;
			const optout = el._zod.optout;
			const r = el._zod.run({
				value: input[key],
				issues: []
			}, ctx);
			if (r instanceof Promise) proms.push(r.then((r) => handlePropertyResult(r, payload, key, input, optin, optout)));
			else handlePropertyResult(r, payload, key, input, optin, optout);
		}
		if (!catchall) return proms.length ? Promise.all(proms).then(() => payload) : payload;
		return handleCatchall(proms, input, payload, ctx, _normalized.value, inst, abortEarly === true);
	};
});
function handleUnionResults(results, final, inst, ctx) {
	for (const result of results) if (result.issues.length === 0) {
		final.value = result.value;
		return final;
	}
	const nonaborted = results.filter((r) => !aborted(r));
	if (nonaborted.length === 1) {
		final.value = nonaborted[0].value;
		return nonaborted[0];
	}
	final.issues.push({
		code: "invalid_union",
		input: final.value,
		inst,
		errors: results.map((result) => result.issues.map((iss) => finalizeIssue(iss, ctx, config())))
	});
	return final;
}
const $ZodUnion = /*@__PURE__*/ $constructor("$ZodUnion", (inst, def) => {
	$ZodType.init(inst, def);
	defineLazyInternal(inst, "optin", (zod) => zod.def.options.some((o) => o._zod.optin === "defaulted") ? "defaulted" : zod.def.options.some((o) => o._zod.optin !== void 0) ? "optional" : void 0);
	defineLazyInternal(inst, "optout", (zod) => zod.def.options.some((o) => o._zod.optout === "optional") ? "optional" : void 0);
	defineLazyInternal(inst, "values", (zod) => {
		if (zod.def.options.every((o) => o._zod.values)) return new Set(zod.def.options.flatMap((option) => Array.from(option._zod.values)));
	});
	defineLazyInternal(inst, "pattern", (zod) => {
		if (zod.def.options.every((o) => o._zod.pattern)) {
			const patterns = zod.def.options.map((o) => o._zod.pattern);
			return new RegExp(`^(${patterns.map((p) => cleanRegex(p.source)).join("|")})$`);
		}
	});
	const first = def.options.length === 1 ? def.options[0]._zod.run : null;
	inst._zod.parse = (payload, ctx) => {
		if (first) return first(payload, ctx);
		let async = false;
		const results = [];
		for (const option of def.options) {
			const result = option._zod.run({
				value: payload.value,
				issues: []
			}, ctx);
			if (result instanceof Promise) {
				results.push(result);
				async = true;
			} else {
				if (result.issues.length === 0) return result;
				results.push(result);
			}
		}
		if (!async) return handleUnionResults(results, payload, inst, ctx);
		return Promise.all(results).then((results) => {
			return handleUnionResults(results, payload, inst, ctx);
		});
	};
});
function discriminatorMap(def) {
	const map = /* @__PURE__ */ new Map();
	for (const option of def.options) {
		const values = option._zod.propValues?.[def.discriminator];
		if (!values || values.size === 0) throw new Error(`Invalid discriminated union option at index "${def.options.indexOf(option)}"`);
		for (const value of values) if (map.has(value)) {
			if (value !== void 0) throw new Error(`Duplicate discriminator value "${String(value)}"`);
			map.set(value, null);
		} else map.set(value, option);
	}
	return map;
}
const $ZodDiscriminatedUnion = /*@__PURE__*/ $constructor("$ZodDiscriminatedUnion", (inst, def) => {
	def.inclusive = false;
	$ZodUnion.init(inst, def);
	const _super = inst._zod.parse;
	defineLazyInternal(inst, "propValues", (zod) => {
		const propValues = {};
		let undefinedCount = 0;
		for (const option of zod.def.options) {
			const pv = option._zod.propValues;
			if (!pv || Object.keys(pv).length === 0) throw new Error(`Invalid discriminated union option at index "${zod.def.options.indexOf(option)}"`);
			if (pv[zod.def.discriminator]?.has(void 0)) undefinedCount++;
			for (const [k, v] of Object.entries(pv)) {
				if (!Object.prototype.hasOwnProperty.call(propValues, k)) assignProp(propValues, k, /* @__PURE__ */ new Set());
				for (const val of v) propValues[k].add(val);
			}
		}
		if (!zod.def.unionFallback && undefinedCount > 1) propValues[zod.def.discriminator]?.delete(void 0);
		return propValues;
	});
	def.options.forEach((option, i) => {
		const propShape = rawShape(option._zod.def);
		if (propShape && !Object.prototype.hasOwnProperty.call(propShape, def.discriminator)) throw new Error(`Invalid discriminated union option at index "${i}"`);
	});
	const disc = cached(() => discriminatorMap(def));
	inst._zod.parse = (payload, ctx) => {
		const input = payload.value;
		if (!isObject(input)) {
			payload.issues.push({
				code: "invalid_type",
				expected: "object",
				input,
				inst
			});
			return payload;
		}
		const value = input?.[def.discriminator];
		const opt = disc.value.get(value);
		if (opt && (value !== void 0 || ctx.direction !== "backward")) return opt._zod.run(payload, ctx);
		if (def.unionFallback || ctx.direction === "backward") return _super(payload, ctx);
		payload.issues.push({
			code: "invalid_union",
			errors: [],
			note: "No matching discriminator",
			discriminator: def.discriminator,
			options: Array.from(disc.value.keys()).filter((value) => disc.value.get(value) !== null),
			input,
			path: [def.discriminator],
			inst
		});
		return payload;
	};
});
const $ZodRecord = /*@__PURE__*/ $constructor("$ZodRecord", (inst, def) => {
	$ZodType.init(inst, def);
	const memo = globalConfig.memoizer;
	memo?.attach(inst);
	inst._zod.parse = (payload, ctx) => {
		const input = payload.value;
		if (!isPlainObject(input)) {
			payload.issues.push({
				expected: "record",
				code: "invalid_type",
				input,
				inst
			});
			return payload;
		}
		const proms = [];
		const values = def.keyType._zod.values;
		if (values && !def.partial) {
			payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
			const recordKeys = /* @__PURE__ */ new Set();
			for (const key of values) if (typeof key === "string" || typeof key === "number" || typeof key === "symbol") {
				recordKeys.add(typeof key === "number" ? key.toString() : key);
				if (key === "__proto__") continue;
				const keyResult = def.keyType._zod.run({
					value: key,
					issues: []
				}, ctx);
				if (keyResult instanceof Promise) throw new Error("Async schemas not supported in object keys currently");
				if (keyResult.issues.length) {
					payload.issues.push({
						code: "invalid_key",
						origin: "record",
						issues: keyResult.issues.map((iss) => finalizeIssue(iss, ctx, config())),
						input: key,
						path: [key],
						inst
					});
					continue;
				}
				const outKey = keyResult.value;
				if (outKey === "__proto__") continue;
				const result = def.valueType._zod.run({
					value: input[key],
					issues: []
				}, ctx);
				if (result instanceof Promise) proms.push(result.then((result) => {
					if (result.issues.length) payload.issues.push(...prefixIssues(key, result.issues));
					payload.value[outKey] = result.value;
				}));
				else {
					if (result.issues.length) payload.issues.push(...prefixIssues(key, result.issues));
					payload.value[outKey] = result.value;
				}
			}
			let unrecognized;
			for (const key in input) if (!recordKeys.has(key)) {
				if (def.mode === "loose") {
					if (key === "__proto__") continue;
					payload.value[key] = input[key];
				} else {
					unrecognized = unrecognized ?? [];
					unrecognized.push(key);
				}
			}
			if (unrecognized && unrecognized.length > 0) payload.issues.push({
				code: "unrecognized_keys",
				input,
				inst,
				keys: unrecognized,
				continue: true
			});
		} else {
			payload.value = memo ? memo.alloc(inst, payload, {}, ctx) : {};
			let unrecognized;
			for (const key of Reflect.ownKeys(input)) {
				if (key === "__proto__") continue;
				if (!Object.prototype.propertyIsEnumerable.call(input, key)) continue;
				let keyResult = def.keyType._zod.run({
					value: key,
					issues: []
				}, ctx);
				if (keyResult instanceof Promise) throw new Error("Async schemas not supported in object keys currently");
				if (typeof key === "string" && number$2.test(key) && keyResult.issues.length) {
					const retryResult = def.keyType._zod.run({
						value: Number(key),
						issues: []
					}, ctx);
					if (retryResult instanceof Promise) throw new Error("Async schemas not supported in object keys currently");
					if (retryResult.issues.length === 0) keyResult = retryResult;
				}
				if (keyResult.issues.length) {
					if (def.mode === "loose") payload.value[key] = input[key];
					else if (values) {
						unrecognized = unrecognized ?? [];
						unrecognized.push(key);
					} else payload.issues.push({
						code: "invalid_key",
						origin: "record",
						issues: keyResult.issues.map((iss) => finalizeIssue(iss, ctx, config())),
						input: key,
						path: [key],
						inst
					});
					continue;
				}
				const outKey = keyResult.value;
				if (outKey === "__proto__") continue;
				const result = def.valueType._zod.run({
					value: input[key],
					issues: []
				}, ctx);
				if (result instanceof Promise) proms.push(result.then((result) => {
					if (result.issues.length) payload.issues.push(...prefixIssues(key, result.issues));
					payload.value[outKey] = result.value;
				}));
				else {
					if (result.issues.length) payload.issues.push(...prefixIssues(key, result.issues));
					payload.value[outKey] = result.value;
				}
			}
			if (unrecognized && unrecognized.length > 0) payload.issues.push({
				code: "unrecognized_keys",
				input,
				inst,
				keys: unrecognized,
				continue: true
			});
		}
		if (proms.length) return Promise.all(proms).then(() => payload);
		return payload;
	};
});
const $ZodEnum = /*@__PURE__*/ $constructor("$ZodEnum", (inst, def) => {
	$ZodType.init(inst, def);
	const values = getEnumValues(def.entries);
	const valuesSet = new Set(values);
	inst._zod.values = valuesSet;
	defineLazyInternal(inst, "pattern", (zod) => {
		const patternValues = getEnumValues(zod.def.entries).filter((k) => propertyKeyTypes.has(typeof k));
		return new RegExp(patternValues.length ? `^(${patternValues.map((o) => escapeRegex(o.toString())).join("|")})$` : "^[^\\s\\S]$");
	});
	inst._zod.parse = (payload, _ctx) => {
		const input = payload.value;
		if (valuesSet.has(input)) return payload;
		payload.issues.push({
			code: "invalid_value",
			values,
			input,
			inst
		});
		return payload;
	};
});
const $ZodLiteral = /*@__PURE__*/ $constructor("$ZodLiteral", (inst, def) => {
	$ZodType.init(inst, def);
	const values = new Set(def.values);
	inst._zod.values = values;
	defineLazyInternal(inst, "pattern", (zod) => {
		const vals = zod.def.values;
		return new RegExp(vals.length ? `^(${vals.map((o) => typeof o === "string" ? escapeRegex(o) : o ? escapeRegex(o.toString()) : String(o)).join("|")})$` : "^[^\\s\\S]$");
	});
	inst._zod.parse = (payload, _ctx) => {
		const input = payload.value;
		if (values.has(input)) return payload;
		payload.issues.push({
			code: "invalid_value",
			values: def.values,
			input,
			inst
		});
		return payload;
	};
});
const $ZodTransform = /*@__PURE__*/ $constructor("$ZodTransform", (inst, def) => {
	$ZodType.init(inst, def);
	inst._zod.optin = "optional";
	globalConfig.memoizer?.guard(inst);
	inst._zod.parse = (payload, ctx) => {
		if (ctx.direction === "backward") throw new $ZodEncodeError(inst.constructor.name);
		const _out = def.transform(payload.value, payload);
		if (ctx.async) return (_out instanceof Promise ? _out : Promise.resolve(_out)).then((output) => {
			payload.value = output;
			return payload;
		});
		if (_out instanceof Promise) throw new $ZodAsyncError();
		payload.value = _out;
		return payload;
	};
});
function handleOptionalResult(payload, result) {
	payload.value = result.issues.length ? void 0 : result.value;
	return payload;
}
const $ZodOptional = /*@__PURE__*/ $constructor("$ZodOptional", (inst, def) => {
	$ZodType.init(inst, def);
	defineLazyInternal(inst, "optin", (zod) => zod.def.innerType._zod.optin === "defaulted" ? "defaulted" : "optional");
	inst._zod.optout = "optional";
	defineLazyInternal(inst, "values", (zod) => {
		const values = zod.def.innerType._zod.values;
		return values ? /* @__PURE__ */ new Set([...values, void 0]) : void 0;
	});
	defineLazyInternal(inst, "pattern", (zod) => {
		const pattern = zod.def.innerType._zod.pattern;
		return pattern ? new RegExp(`^(${cleanRegex(pattern.source)})?$`) : void 0;
	});
	inst._zod.parse = (payload, ctx) => {
		if (payload.value === void 0) {
			if (def.innerType._zod.optin !== "defaulted") return payload;
			const result = def.innerType._zod.run({
				value: payload.value,
				issues: []
			}, ctx);
			if (result instanceof Promise) return result.then((result) => handleOptionalResult(payload, result));
			return handleOptionalResult(payload, result);
		}
		return def.innerType._zod.run(payload, ctx);
	};
});
const $ZodNullable = /*@__PURE__*/ $constructor("$ZodNullable", (inst, def) => {
	$ZodType.init(inst, def);
	defineLazyInternal(inst, "optin", (zod) => zod.def.innerType._zod.optin);
	defineLazyInternal(inst, "optout", (zod) => zod.def.innerType._zod.optout);
	defineLazyInternal(inst, "pattern", (zod) => {
		const pattern = zod.def.innerType._zod.pattern;
		return pattern ? new RegExp(`^(${cleanRegex(pattern.source)}|null)$`) : void 0;
	});
	defineLazyInternal(inst, "values", (zod) => {
		return zod.def.innerType._zod.values ? /* @__PURE__ */ new Set([...zod.def.innerType._zod.values, null]) : void 0;
	});
	inst._zod.parse = (payload, ctx) => {
		if (payload.value === null) return payload;
		return def.innerType._zod.run(payload, ctx);
	};
});
const $ZodPrefault = /*@__PURE__*/ $constructor("$ZodPrefault", (inst, def) => {
	$ZodType.init(inst, def);
	inst._zod.optin = "defaulted";
	defineLazyInternal(inst, "values", (zod) => zod.def.innerType._zod.values);
	inst._zod.parse = (payload, ctx) => {
		if (ctx.direction === "backward") return def.innerType._zod.run(payload, ctx);
		if (payload.value === void 0) payload.value = def.defaultValue;
		return def.innerType._zod.run(payload, ctx);
	};
});
const $ZodPipe = /*@__PURE__*/ $constructor("$ZodPipe", (inst, def) => {
	$ZodType.init(inst, def);
	defineLazyInternal(inst, "values", (zod) => zod.def.in._zod.values);
	defineLazyInternal(inst, "optin", (zod) => zod.def.in._zod.optin);
	defineLazyInternal(inst, "optout", (zod) => zod.def.out._zod.optout);
	defineLazyInternal(inst, "propValues", (zod) => zod.def.in._zod.propValues);
	inst._zod.parse = (payload, ctx) => {
		if (ctx.direction === "backward") {
			const right = def.out._zod.run(payload, ctx);
			if (right instanceof Promise) return right.then((right) => handlePipeResult(right, def.in, ctx));
			return handlePipeResult(right, def.in, ctx);
		}
		const left = def.in._zod.run(payload, ctx);
		if (left instanceof Promise) return left.then((left) => handlePipeResult(left, def.out, ctx));
		return handlePipeResult(left, def.out, ctx);
	};
});
function handlePipeResult(left, next, ctx) {
	if (left.issues.some((iss) => iss.code !== "unrecognized_keys")) {
		left.aborted = true;
		return left;
	}
	return next._zod.run({
		value: left.value,
		issues: left.issues
	}, ctx);
}
const $ZodCustom = /*@__PURE__*/ $constructor("$ZodCustom", (inst, def) => {
	$ZodCheck.init(inst, def);
	$ZodType.init(inst, def);
	inst._zod.parse = (payload, _) => {
		return payload;
	};
	inst._zod.check = (payload) => {
		const input = payload.value;
		const r = def.fn(input);
		if (r instanceof Promise) return r.then((r) => handleRefineResult(r, payload, input, inst));
		handleRefineResult(r, payload, input, inst);
	};
});
function handleRefineResult(result, payload, input, inst) {
	if (!result) {
		const _iss = {
			code: "custom",
			input,
			inst,
			path: [...inst._zod.def.path ?? []],
			continue: !inst._zod.def.abort
		};
		if (inst._zod.def.params) _iss.params = inst._zod.def.params;
		payload.issues.push(issue(_iss));
	}
}

// node_modules/zod/v4/locales/en.js
const error = () => {
	const Sizable = {
		string: {
			unit: "characters",
			verb: "to have"
		},
		file: {
			unit: "bytes",
			verb: "to have"
		},
		array: {
			unit: "items",
			verb: "to have"
		},
		set: {
			unit: "items",
			verb: "to have"
		},
		map: {
			unit: "entries",
			verb: "to have"
		}
	};
	function getSizing(origin) {
		return Sizable[origin] ?? null;
	}
	const FormatDictionary = {
		regex: "input",
		email: "email address",
		url: "URL",
		emoji: "emoji",
		uuid: "UUID",
		uuidv4: "UUIDv4",
		uuidv6: "UUIDv6",
		nanoid: "nanoid",
		guid: "GUID",
		cuid: "cuid",
		cuid2: "cuid2",
		ulid: "ULID",
		xid: "XID",
		ksuid: "KSUID",
		datetime: "ISO datetime",
		date: "ISO date",
		time: "ISO time",
		duration: "ISO duration",
		ipv4: "IPv4 address",
		ipv6: "IPv6 address",
		mac: "MAC address",
		cidrv4: "IPv4 range",
		cidrv6: "IPv6 range",
		base64: "base64-encoded string",
		base64url: "base64url-encoded string",
		json_string: "JSON string",
		e164: "E.164 number",
		currency_code: "currency code",
		credit_card: "credit card number",
		iban: "IBAN",
		jwt: "JWT",
		template_literal: "input"
	};
	const TypeDictionary = { nan: "NaN" };
	function getTypeName(type, input) {
		if (type === "number" && typeof input === "number" && !Number.isFinite(input)) return String(input);
		return TypeDictionary[type] ?? type;
	}
	return (issue) => {
		switch (issue.code) {
			case "invalid_type": return `Invalid input: expected ${getTypeName(issue.expected)}, received ${getTypeName(parsedType(issue.input), issue.input)}`;
			case "invalid_value":
				if (issue.values.length === 1) return `Invalid input: expected ${stringifyPrimitive(issue.values[0])}`;
				return `Invalid option: expected one of ${joinValues(issue.values, "|")}`;
			case "too_big": {
				const adj = issue.exact ? "exactly " : issue.inclusive ? "<=" : "<";
				const sizing = getSizing(issue.origin);
				if (sizing) return `Too big: expected ${issue.origin ?? "value"} to have ${adj}${issue.maximum.toString()} ${sizing.unit ?? "elements"}`;
				return `Too big: expected ${issue.origin ?? "value"} to be ${adj}${issue.maximum.toString()}`;
			}
			case "too_small": {
				const adj = issue.exact ? "exactly " : issue.inclusive ? ">=" : ">";
				const sizing = getSizing(issue.origin);
				if (sizing) return `Too small: expected ${issue.origin} to have ${adj}${issue.minimum.toString()} ${sizing.unit}`;
				return `Too small: expected ${issue.origin} to be ${adj}${issue.minimum.toString()}`;
			}
			case "invalid_format": {
				const _issue = issue;
				if (_issue.format === "starts_with") return `Invalid string: must start with "${_issue.prefix}"`;
				if (_issue.format === "ends_with") return `Invalid string: must end with "${_issue.suffix}"`;
				if (_issue.format === "includes") return `Invalid string: must include "${_issue.includes}"`;
				if (_issue.format === "regex") return `Invalid string: must match pattern ${_issue.pattern}`;
				return `Invalid ${FormatDictionary[_issue.format] ?? issue.format}`;
			}
			case "not_multiple_of": return `Invalid number: must be a multiple of ${issue.divisor}`;
			case "unrecognized_keys": return `Unrecognized key${issue.keys.length > 1 ? "s" : ""}: ${joinValues(issue.keys, ", ")}`;
			case "invalid_key": return `Invalid key in ${issue.origin}`;
			case "invalid_union":
				if (issue.options && Array.isArray(issue.options) && issue.options.length > 0) return `Invalid discriminator value. Expected ${issue.options.map((o) => `'${o}'`).join(" | ")}`;
				if (issue.inclusive === false) return "Invalid input: more than one option matched";
				return "Invalid input";
			case "invalid_element": return `Invalid value in ${issue.origin}`;
			default: return `Invalid input`;
		}
	};
};
function en_default() {
	return { localeError: error() };
}

// node_modules/zod/v4/core/api.js
function snapshotChecks(def) {
	if (def.checks) def.checks = [...def.checks];
	return def;
}
// @__NO_SIDE_EFFECTS__
function _string(Class, params) {
	return new Class(snapshotChecks({
		type: "string",
		...normalizeParams(params)
	}));
}
// @__NO_SIDE_EFFECTS__
function _url(Class, params) {
	return new Class({
		type: "string",
		format: "url",
		check: "string_format",
		abort: false,
		...normalizeParams(params)
	});
}
// @__NO_SIDE_EFFECTS__
function _isoDateTime(Class, params) {
	return new Class({
		type: "string",
		format: "datetime",
		check: "string_format",
		offset: false,
		local: false,
		precision: null,
		...normalizeParams(params)
	});
}
// @__NO_SIDE_EFFECTS__
function _number(Class, params) {
	return new Class(snapshotChecks({
		type: "number",
		checks: [],
		...normalizeParams(params)
	}));
}
// @__NO_SIDE_EFFECTS__
function _coercedNumber(Class, params) {
	return new Class(snapshotChecks({
		type: "number",
		coerce: true,
		checks: [],
		...normalizeParams(params)
	}));
}
// @__NO_SIDE_EFFECTS__
function _int(Class, params) {
	return new Class({
		type: "number",
		check: "number_format",
		abort: false,
		format: "safeint",
		...normalizeParams(params)
	});
}
// @__NO_SIDE_EFFECTS__
function _boolean(Class, params) {
	return new Class({
		type: "boolean",
		...normalizeParams(params)
	});
}
// @__NO_SIDE_EFFECTS__
function _coercedBoolean(Class, params) {
	return new Class({
		type: "boolean",
		coerce: true,
		...normalizeParams(params)
	});
}
// @__NO_SIDE_EFFECTS__
function _unknown(Class) {
	return new Class({ type: "unknown" });
}
// @__NO_SIDE_EFFECTS__
function _lte(value, params) {
	return new $ZodCheckLessThan({
		check: "less_than",
		...normalizeParams(params),
		value,
		inclusive: true
	});
}
// @__NO_SIDE_EFFECTS__
function _gte(value, params) {
	return new $ZodCheckGreaterThan({
		check: "greater_than",
		...normalizeParams(params),
		value,
		inclusive: true
	});
}
// @__NO_SIDE_EFFECTS__
function _maxLength(maximum, params) {
	return new $ZodCheckMaxLength({
		check: "max_length",
		...normalizeParams(params),
		maximum
	});
}
// @__NO_SIDE_EFFECTS__
function _minLength(minimum, params) {
	return new $ZodCheckMinLength({
		check: "min_length",
		...normalizeParams(params),
		minimum
	});
}
// @__NO_SIDE_EFFECTS__
function _regex(pattern, params) {
	return new $ZodCheckRegex({
		check: "string_format",
		format: "regex",
		...normalizeParams(params),
		pattern
	});
}
// @__NO_SIDE_EFFECTS__
function _overwrite(tx) {
	return new $ZodCheckOverwrite({
		check: "overwrite",
		tx
	});
}
// @__NO_SIDE_EFFECTS__
function _trim() {
	return /* @__PURE__ */ _overwrite((input) => input.trim());
}
// @__NO_SIDE_EFFECTS__
function _toLowerCase() {
	return /* @__PURE__ */ _overwrite((input) => input.toLowerCase());
}
// @__NO_SIDE_EFFECTS__
function _refine(Class, fn, _params) {
	return new Class({
		type: "custom",
		check: "custom",
		fn,
		...normalizeParams(_params)
	});
}

// node_modules/zod/v4/mini/schemas.js
const ZodMiniType = /*@__PURE__*/ $constructor("ZodMiniType", (inst, def) => {
	if (!inst._zod) throw new Error("Uninitialized schema in ZodMiniType.");
	$ZodType.init(inst, def);
	inst.def = def;
	inst.type = def.type;
}, {
	get with() {
		return this.check;
	},
	set with(value) {
		own(this, "with", value);
	},
	parse(data, params) {
		return parse$1(this, data, params, { callee: this.parse });
	},
	parseAsync(data, params) {
		return parseAsync(this, data, params, { callee: this.parseAsync });
	},
	safeParse(data, params) {
		return safeParse(this, data, params);
	},
	safeParseAsync(data, params) {
		return safeParseAsync(this, data, params);
	},
	check(...checks) {
		const def = this.def;
		return this.clone({
			...def,
			checks: [...def.checks ?? [], ...checks.map((ch) => typeof ch === "function" ? { _zod: {
				check: ch,
				def: { check: "custom" },
				onattach: []
			} } : ch)]
		}, { parent: true });
	},
	clone(_def, params) {
		return clone(this, _def, params);
	},
	brand() {
		return this;
	},
	register(reg, meta) {
		reg.add(this, meta);
		return this;
	},
	apply(fn, ...args) {
		return args.length === 0 ? fn(this) : fn(this, ...args);
	}
});
const ZodMiniString = /*@__PURE__*/ $constructor("ZodMiniString", (inst, def) => {
	$ZodString.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function string(params) {
	return _string(ZodMiniString, params);
}
const ZodMiniStringFormat = /*@__PURE__*/ $constructor("ZodMiniStringFormat", (inst, def) => {
	$ZodStringFormat.init(inst, def);
	ZodMiniString.init(inst, def);
});
const ZodMiniURL = /*@__PURE__*/ $constructor("ZodMiniURL", (inst, def) => {
	$ZodURL.init(inst, def);
	ZodMiniStringFormat.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function url(params) {
	return _url(ZodMiniURL, params);
}
const ZodMiniNumber = /*@__PURE__*/ $constructor("ZodMiniNumber", (inst, def) => {
	$ZodNumber.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function number$1(params) {
	return _number(ZodMiniNumber, params);
}
const ZodMiniNumberFormat = /*@__PURE__*/ $constructor("ZodMiniNumberFormat", (inst, def) => {
	$ZodNumberFormat.init(inst, def);
	ZodMiniNumber.init(inst, def);
});
function int(params) {
	return _int(ZodMiniNumberFormat, params);
}
const ZodMiniBoolean = /*@__PURE__*/ $constructor("ZodMiniBoolean", (inst, def) => {
	$ZodBoolean.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function boolean$1(params) {
	return _boolean(ZodMiniBoolean, params);
}
const ZodMiniUnknown = /*@__PURE__*/ $constructor("ZodMiniUnknown", (inst, def) => {
	$ZodUnknown.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function unknown() {
	return _unknown(ZodMiniUnknown);
}
const ZodMiniArray = /*@__PURE__*/ $constructor("ZodMiniArray", (inst, def) => {
	$ZodArray.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function array(element, params) {
	return new ZodMiniArray({
		type: "array",
		element,
		...normalizeParams(params)
	});
}
const ZodMiniObject = /*@__PURE__*/ $constructor("ZodMiniObject", (inst, def) => {
	$ZodObject.init(inst, def);
	ZodMiniType.init(inst, def);
	installLazyProp(inst, "shape", (self) => self._zod.def.shape, false);
});
// @__NO_SIDE_EFFECTS__
function object(shape, params) {
	const def = {
		type: "object",
		shape: shape ?? {},
		...normalizeParams(params)
	};
	return new ZodMiniObject(def);
}
// @__NO_SIDE_EFFECTS__
function looseObject(shape, params) {
	return new ZodMiniObject({
		type: "object",
		shape,
		catchall: /* @__PURE__ */ unknown(),
		...normalizeParams(params)
	});
}
// @__NO_SIDE_EFFECTS__
function extend(schema, shape) {
	return extend$1(schema, shape);
}
// @__NO_SIDE_EFFECTS__
function pick(schema, mask) {
	return pick$1(schema, mask);
}
const ZodMiniUnion = /*@__PURE__*/ $constructor("ZodMiniUnion", (inst, def) => {
	$ZodUnion.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function union(options, params) {
	return new ZodMiniUnion({
		type: "union",
		options,
		...normalizeParams(params)
	});
}
const ZodMiniDiscriminatedUnion = /*@__PURE__*/ $constructor("ZodMiniDiscriminatedUnion", (inst, def) => {
	$ZodDiscriminatedUnion.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function discriminatedUnion(discriminator, options, params) {
	return new ZodMiniDiscriminatedUnion({
		type: "union",
		options,
		discriminator,
		...normalizeParams(params)
	});
}
const ZodMiniRecord = /*@__PURE__*/ $constructor("ZodMiniRecord", (inst, def) => {
	$ZodRecord.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function record(keyType, valueType, params) {
	if (!valueType || !valueType._zod) return new ZodMiniRecord({
		type: "record",
		keyType: /* @__PURE__ */ string(),
		valueType: keyType,
		...normalizeParams(valueType)
	});
	return new ZodMiniRecord({
		type: "record",
		keyType,
		valueType,
		...normalizeParams(params)
	});
}
const ZodMiniEnum = /*@__PURE__*/ $constructor("ZodMiniEnum", (inst, def) => {
	$ZodEnum.init(inst, def);
	ZodMiniType.init(inst, def);
	inst.options = [...inst._zod.values];
});
// @__NO_SIDE_EFFECTS__
function _enum(values, params) {
	const entries = Array.isArray(values) ? Object.fromEntries(values.map((v) => [v, v])) : values;
	return new ZodMiniEnum({
		type: "enum",
		entries,
		...normalizeParams(params)
	});
}
const ZodMiniLiteral = /*@__PURE__*/ $constructor("ZodMiniLiteral", (inst, def) => {
	$ZodLiteral.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function literal(value, params) {
	return new ZodMiniLiteral({
		type: "literal",
		values: Array.isArray(value) ? value : [value],
		...normalizeParams(params)
	});
}
const ZodMiniTransform = /*@__PURE__*/ $constructor("ZodMiniTransform", (inst, def) => {
	$ZodTransform.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function transform(fn) {
	return new ZodMiniTransform({
		type: "transform",
		transform: fn
	});
}
const ZodMiniOptional = /*@__PURE__*/ $constructor("ZodMiniOptional", (inst, def) => {
	$ZodOptional.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function optional(innerType) {
	return new ZodMiniOptional({
		type: "optional",
		innerType
	});
}
const ZodMiniNullable = /*@__PURE__*/ $constructor("ZodMiniNullable", (inst, def) => {
	$ZodNullable.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function nullable(innerType) {
	return new ZodMiniNullable({
		type: "nullable",
		innerType
	});
}
// @__NO_SIDE_EFFECTS__
function nullish(innerType) {
	return /* @__PURE__ */ optional(/* @__PURE__ */ nullable(innerType));
}
const ZodMiniPrefault = /*@__PURE__*/ $constructor("ZodMiniPrefault", (inst, def) => {
	$ZodPrefault.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function prefault(innerType, defaultValue) {
	return new ZodMiniPrefault({
		type: "prefault",
		innerType,
		get defaultValue() {
			return typeof defaultValue === "function" ? defaultValue() : shallowClone(defaultValue);
		}
	});
}
const ZodMiniPipe = /*@__PURE__*/ $constructor("ZodMiniPipe", (inst, def) => {
	$ZodPipe.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function pipe(in_, out) {
	return new ZodMiniPipe({
		type: "pipe",
		in: in_,
		out
	});
}
const ZodMiniCustom = /*@__PURE__*/ $constructor("ZodMiniCustom", (inst, def) => {
	$ZodCustom.init(inst, def);
	ZodMiniType.init(inst, def);
});
// @__NO_SIDE_EFFECTS__
function refine(fn, _params = {}) {
	return _refine(ZodMiniCustom, fn, _params);
}

// node_modules/zod/v4/mini/coerce.js
// @__NO_SIDE_EFFECTS__
function number(params) {
	return _coercedNumber(ZodMiniNumber, params);
}
// @__NO_SIDE_EFFECTS__
function boolean(params) {
	return _coercedBoolean(ZodMiniBoolean, params);
}

// src/templates/remnant.ts
const remnantSchema = () => discriminatedUnion("kind", [object({
	kind: literal("vm"),
	node: string(),
	vmid: int(),
	build: string(),
	upid: optional(string()),
	clonedFrom: optional(int())
}), object({
	kind: literal("volume"),
	node: string(),
	volume: string(),
	upid: optional(string()),
	whole: optional(boolean$1())
})]);
function remnantKey(remnant) {
	return remnant.kind === "vm" ? `vm ${remnant.vmid} ${remnant.build}` : `volume ${remnant.node} ${remnant.volume}`;
}
function sayRemnant(remnant) {
	return remnant.kind === "vm" ? `VM ${remnant.vmid} on ${remnant.node}` : `volume ${remnant.volume} on ${remnant.node}`;
}
function removalCommands(remnant) {
	return remnant.kind === "vm" ? [`qm unlock ${remnant.vmid}; qm stop ${remnant.vmid}; qm destroy ${remnant.vmid} --purge   # on node ${remnant.node}, after a look at its notes`] : [`pvesm free ${remnant.volume}   # on node ${remnant.node}`];
}

// src/shell/remains.ts
function sayRemains(remnants, why) {
	return remnants.flatMap((remnant) => {
		const reason = why?.(remnant);
		return [`left: ${sayRemnant(remnant)}${reason ? ` (${reason})` : ""}`, ...removalCommands(remnant).map((command) => `  ${command}`)];
	});
}
function sayLeft(left) {
	return sayRemains(left.map(({ remnant }) => remnant), (remnant) => left.find((one) => one.remnant === remnant)?.why);
}

// src/distributions/open-sources.ts
function openSources({ upstreams, environment, signal, version, clock }) {
	let http;
	let github;
	const now = () => new Date(clock.now());
	const shared = once(async () => {
		const [{ createHttp }, { githubSource }] = await Promise.all([import("./load-http.mjs"), import("./load-github.mjs")]);
		http = createHttp({
			environment,
			signal,
			version,
			sleep: (ms, abort) => clock.sleep(ms, abort)
		});
		github = githubSource(http, defined({
			token: upstreams.githubToken,
			apiUrl: upstreams.githubApiUrl
		}));
		return {
			http,
			github
		};
	});
	return {
		ubuntu: once(async () => {
			const [{ http: client }, { ubuntuSource }] = await Promise.all([shared(), import("./load-ubuntu.mjs")]);
			return ubuntuSource(client, {
				...defined({
					url: upstreams.ubuntuUrl,
					keyring: upstreams.ubuntuKeyring
				}),
				now
			});
		}),
		talos: once(async () => {
			const [{ http: client, github: releases }, { talosSource }] = await Promise.all([shared(), import("./load-talos.mjs")]);
			return talosSource(client, releases, defined({ factoryUrl: upstreams.talosFactoryUrl }));
		}),
		kubernetes: once(async () => {
			const [{ http: client, github: releases }, { kubernetesSource }] = await Promise.all([shared(), import("./load-kubernetes.mjs")]);
			return kubernetesSource(client, releases, {
				...defined({
					packagesUrl: upstreams.kubernetesPackagesUrl,
					releasesUrl: upstreams.kubernetesReleasesUrl,
					keyFingerprint: upstreams.kubernetesKeyFingerprint
				}),
				now
			});
		}),
		githubTrouble: () => github?.trouble()?.message,
		get traffic() {
			return http?.traffic ?? {
				up: 0,
				down: 0
			};
		},
		close: async () => await http?.close()
	};
}
function once(load) {
	let loaded;
	return () => loaded ??= load();
}
function defined(values) {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== void 0));
}

// src/http/url.ts
function parseUrl(text, base) {
	return URL.canParse(text, base?.href) ? new URL(text, base) : void 0;
}
function shownUrl(url) {
	const parsed = typeof url === "string" ? parseUrl(url) : url;
	if (parsed === void 0) return "an unreadable address";
	return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}
function splitCredentials(text) {
	const url = parseUrl(text);
	if (url === void 0 || url.protocol !== "http:" && url.protocol !== "https:") throw new Failure("usage", `${url === void 0 ? "An upstream address" : shownUrl(url)} is not an http or https address.`);
	if (url.username === "" && url.password === "") return { url };
	const userinfo = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
	url.username = "";
	url.password = "";
	return {
		url,
		authorization: `Basic ${Buffer.from(userinfo, "utf8").toString("base64")}`
	};
}

// src/http/proxy.ts
function variable(environment, name) {
	return environment[name.toLowerCase()] ?? environment[name];
}
function proxyFor(url, environment) {
	const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
	const value = variable(environment, name)?.trim();
	if (value === void 0 || value === "" || isExempt(url, variable(environment, "NO_PROXY") ?? "")) return void 0;
	const proxy = parseUrl(value.includes("://") ? value : `http://${value}`);
	if (proxy === void 0 || proxy.protocol !== "http:" && proxy.protocol !== "https:") throw new Failure("usage", `${name} does not hold an http or https address of a proxy.`, { remedy: [`Set ${name}=http://proxy.example.org:3128, or unset it.`] });
	return proxy.href;
}
function isExempt(url, list) {
	const host = url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
	const port = url.port || (url.protocol === "https:" ? "443" : "80");
	return list.split(/[\s,]+/).filter((entry) => entry !== "").some((entry) => matches(entry.toLowerCase(), host, port));
}
function matches(entry, host, port) {
	if (entry === "*") return true;
	if (isIP(host) !== 0 && entry.includes("/")) return inRange(entry, host);
	const [, name = entry, wantedPort] = /^([^:]+|\[[^\]]+\]):(\d+)$/.exec(entry) ?? [];
	if (wantedPort !== void 0 && wantedPort !== port) return false;
	const wanted = name.replace(/^\*?\./, "").replace(/^\[(.*)\]$/, "$1");
	return host === wanted || isIP(host) === 0 && host.endsWith(`.${wanted}`);
}
function inRange(entry, host) {
	const [network = "", prefix = ""] = entry.split("/");
	const family = isIP(network);
	const bits = Number(prefix);
	if (family === 0 || family !== isIP(host) || !Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) return false;
	const type = family === 4 ? "ipv4" : "ipv6";
	const ranges = new BlockList();
	ranges.addSubnet(network, bits, type);
	return ranges.check(host, type);
}

// src/failure/in-english.ts
let words$1;
const inEnglish = { error: (issue) => (words$1 ??= en_default().localeError)(issue) };

// src/proxmox/authentication.ts
function identityOf(authentication) {
	return authentication.kind === "token" ? authentication.token.slice(0, authentication.token.indexOf("=")) : authentication.user;
}
const renewAfterMs = 36e5;
const ticketSchema = () => object({ data: object({
	username: string(),
	ticket: string(),
	CSRFPreventionToken: optional(string()),
	NeedTFA: optional(number())
}) });
function authenticate(authentication, clock, send) {
	if (authentication.kind === "token") {
		const headers = { authorization: `PVEAPIToken=${authentication.token}` };
		return { headers: async () => headers };
	}
	let opening;
	const current = async () => {
		opening ??= "ticket" in authentication ? Promise.resolve({
			ticket: authentication.ticket,
			csrfToken: authentication.csrfToken,
			since: clock.now()
		}) : login(authentication.user, authentication.password);
		const held = await opening;
		if (clock.now() - held.since < renewAfterMs) return held;
		opening = login(authentication.user, held.ticket);
		return await opening;
	};
	const login = async (user, password) => {
		const since = clock.now();
		const answer = await send({
			method: "POST",
			path: "/api2/json/access/ticket",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body: Buffer.from(new URLSearchParams({
				username: user,
				password
			}).toString())
		});
		if (answer.status !== 200) throw new Failure("access", `Proxmox VE does not let ${user} in: ${answer.status} ${answer.reason}`, { remedy: ["check user, realm (USER@REALM) and password; a session ends after 2 h without renewal"] });
		const { data } = ticketSchema().parse(JSON.parse(answer.text), inEnglish);
		if (data.NeedTFA || !data.CSRFPreventionToken) throw new Failure("access", `Proxmox VE asks ${user} for a second factor, which cannot be given here`, { remedy: ["use an API token: tokens need no second factor"] });
		return {
			ticket: data.ticket,
			csrfToken: data.CSRFPreventionToken,
			since
		};
	};
	return { async headers(method) {
		const { ticket, csrfToken } = await current();
		return {
			cookie: `PVEAuthCookie=${encodeURIComponent(ticket)}`,
			...method === "GET" ? {} : { csrfpreventiontoken: csrfToken }
		};
	} };
}

// src/proxmox/error.ts
var ProxmoxError = class extends Failure {
	name = "ProxmoxError";
	call;
	status;
	reason;
	treatment;
	constructor(kind, message, detail) {
		super(kind, message, detail);
		this.call = detail.call;
		this.status = detail.status;
		this.reason = detail.reason;
		this.treatment = detail.treatment;
	}
};
function treatment(status, reason) {
	if (/can't lock file .* got timeout|got lock timeout|unable to acquire .*lock|cfs-lock .* error/i.test(reason)) return "locked";
	if (status === 595) return "not-sent";
	if (status === 596 || status === 599 || status === 502 || status === 503 || status === 504) return "ambiguous";
	return "final";
}
function kindOf(status, reason) {
	if (status === 401 || status === 403) return "access";
	if (/does not exist|no such/i.test(reason)) return "not-found";
	if (/is locked|can't lock file|lock timeout|already exists|protection mode/i.test(reason)) return "conflict";
	return "failure";
}
function isNodeDown(error) {
	return error.status === 595 || /no route to host|hostname lookup/i.test(error.reason);
}
function isMissingVm(error) {
	return error instanceof ProxmoxError && /^Configuration file '.*' does not exist/.test(error.reason);
}
function remedyFor(status, reason, tokenName) {
	if (status === 401) return /ticket/i.test(reason) ? ["give an API token as USER@REALM!TOKENID=SECRET"] : [`check the token ${tokenName} and its secret: the secret is shown once, when the token is made (\`pveum user token add\`)`];
	if (status === 403) return privilegeRemedy(reason, tokenName);
	if (status === 596 && /certificate verify|ssl|tls/i.test(reason)) return ["this is between the cluster's nodes, not about this program's TLS options: run `pvecm updatecerts` on the nodes"];
	if (status === 595) return ["a node of the cluster cannot be reached from the one that was asked: look at `pvecm status`"];
	if (status === 596 || status === 599) return ["the node answered too late: a slow or hanging storage is the usual reason (`pvesm status` on that node)"];
	if (/no space left/i.test(reason)) return ["uploads are spooled in /var/tmp on the node that is asked: make room there"];
	return [];
}
function privilegeRemedy(reason, tokenName) {
	const named = /\((\/[^,\s)]*),\s*([A-Za-z.]+)/.exec(reason);
	if (!named?.[1] || !named[2]) return [`look at what the token may do: pveum user permissions '${tokenName.split("!")[0]}'`];
	return grantLines(named[1], [named[2]], tokenName);
}
function grantLines(path, privileges, tokenName) {
	const role = `Kubehenge${path.split("/").filter(Boolean).slice(0, 1).join("").replace(/^./, (c) => c.toUpperCase()) || "Root"}`;
	const user = tokenName.split("!")[0] ?? tokenName;
	return [`pveum role add ${role} --privs "${privileges.join(" ")}" || pveum role modify ${role} --append 1 --privs "${privileges.join(" ")}"`, `pveum acl modify ${path} --roles ${role} --users '${user}'${tokenName.includes("!") ? ` --tokens '${tokenName}'` : ""}`];
}

// src/proxmox/multipart.ts
function multipart(fields, upload) {
	const boundary = `kubehenge${randomBytes(12).toString("hex")}`;
	const parts = [];
	for (const [name, value] of Object.entries(fields)) {
		if (value === void 0) continue;
		parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`));
	}
	const head = `Content-Disposition: form-data; name="filename"; filename="${upload.fileName}"\r\nContent-Type: application/octet-stream`;
	parts.push(Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), upload.bytes, Buffer.from(`\r\n--${boundary}--\r\n`));
	return {
		type: `multipart/form-data; boundary=${boundary}`,
		bytes: Buffer.concat(parts)
	};
}

// src/proxmox/repeat.ts
const gatewayAttempts = 5;
const lockAttempts = 6;
function mayRepeat(method, error, attempt) {
	if (!(error instanceof ProxmoxError)) return false;
	if (error.treatment === "locked") return attempt < lockAttempts;
	if (error.treatment === "not-sent") return attempt < gatewayAttempts;
	return error.treatment === "ambiguous" && method === "GET" && attempt < gatewayAttempts;
}
function pauseMs(error, attempt) {
	return (error instanceof ProxmoxError && error.treatment === "locked" ? 1e3 : 250) * 2 ** (attempt - 1) * (.75 + Math.random() / 2);
}

// src/proxmox/connection.ts
function parseConnection(input, name) {
	if (!input.url) throw new Failure("usage", `No Proxmox VE address: ${name("url")} is empty, such as https://pve.example.org:8006`);
	if (!input.token && !input.session) throw new Failure("usage", `No Proxmox VE API token: ${name("token")} is empty, such as root@pam!kubehenge=UUID`);
	return {
		origin: parseOrigin(input.url, name("url")),
		authentication: input.session ? parseSession(input.session) : {
			kind: "token",
			token: parseToken(input.token ?? "", name("token"))
		},
		ca: input.ca === void 0 || input.ca === "" ? void 0 : parseCa(input.ca, name("ca")),
		fingerprint: input.fingerprint ? parseFingerprint(input.fingerprint, name("fingerprint")) : void 0,
		insecure: input.insecure
	};
}
function parseOrigin(text, option) {
	const withScheme = text.includes("://") ? text : `https://${text}`;
	if (!URL.canParse(withScheme)) throw new Failure("usage", `${option} is not an address: ${JSON.stringify(text)}`);
	const url = new URL(withScheme);
	if (url.username || url.password) throw new Failure("usage", `${option} carries a user name or password; leave them out, the token is enough`);
	if (url.protocol !== "https:") throw new Failure("usage", `${option} is ${url.protocol}//…; the Proxmox VE API is served over https only`);
	if (!/^\/(api2(\/json)?\/?)?$/.test(url.pathname) || url.search || url.hash) throw new Failure("usage", `${option} has a path (${url.pathname}${url.search}${url.hash}); give only https://HOST:PORT`);
	const explicitPort = /:\d+\/?(api2.*)?$/.exec(text);
	return url.port || explicitPort ? `https://${url.hostname}:${url.port || "443"}` : `https://${url.hostname}:8006`;
}
function parseToken(text, option) {
	const token = text.trim().replace(/^PVEAPIToken=/, "");
	if (!/^[^\s!=:]+@[A-Za-z][A-Za-z0-9.\-_]*![A-Za-z][A-Za-z0-9.\-_]*=[^\s=]+$/.test(token)) throw new Failure("usage", `${option} does not look like a Proxmox VE API token: USER@REALM!TOKENID=SECRET is wanted`);
	return token;
}
function parseSession({ user, password }) {
	if (!/^[^\s!=:/]+@[A-Za-z][A-Za-z0-9.\-_]*$/.test(user)) throw new Failure("usage", `${JSON.stringify(user)} is not a user of Proxmox VE: USER@REALM is wanted, such as root@pam`);
	return {
		kind: "session",
		user,
		password
	};
}
function parseCa(text, option) {
	if (!text.includes("-----BEGIN CERTIFICATE-----")) throw new Failure("usage", `${option} holds no PEM certificate (-----BEGIN CERTIFICATE-----)`, { remedy: ["on a Proxmox VE node the cluster's own authority is /etc/pve/pve-root-ca.pem"] });
	return text;
}
function parseFingerprint(text, option) {
	const hex = text.trim().replace(/^sha-?256[:=]/i, "").replaceAll(":", "").toLowerCase();
	if (!/^[0-9a-f]{64}$/.test(hex)) throw new Failure("usage", `${option} is not a SHA-256 fingerprint (64 hex digits, colons allowed): ${JSON.stringify(text)}`, { remedy: ["`pvenode cert info` on the node shows it, and so does Node > Certificates in the web interface"] });
	return hex;
}
function colonHex(hex) {
	return (hex.match(/../g) ?? []).join(":").toUpperCase();
}

// src/proxmox/socket.ts
async function openSocket(connection, proxy, timeoutMs) {
	const target = new URL(connection.origin);
	const host = bareHost(target);
	const port = Number(target.port || 443);
	const tunnel = proxy ? await openTunnel(proxy, `${target.hostname}:${port}`, timeoutMs) : void 0;
	const socket = tls.connect({
		...tunnel ? { socket: tunnel } : {
			host,
			port
		},
		...net.isIP(host) ? {} : { servername: host },
		...connection.ca ? { ca: connection.ca } : {},
		rejectUnauthorized: !connection.insecure && !connection.fingerprint,
		ALPNProtocols: ["http/1.1"]
	});
	socket.setNoDelay(true);
	await secured(socket, timeoutMs, `no answer from ${connection.origin}`);
	if (connection.fingerprint) checkFingerprint(socket, connection.fingerprint, connection.origin);
	return socket;
}
function bareHost(url) {
	return url.hostname.replace(/^\[|\]$/g, "");
}
function checkFingerprint(socket, expected, origin) {
	const shown = socket.getPeerX509Certificate()?.fingerprint256.replaceAll(":", "").toLowerCase();
	if (shown === expected) return;
	socket.destroy();
	throw new Failure("verification", `${origin} shows the certificate ${shown ? colonHex(shown) : "(none)"}, not the expected ${colonHex(expected)}; the token was not sent`, { remedy: ["compare with `pvenode cert info` on the node itself; if the certificate was renewed, set the fingerprint anew"] });
}
async function openTunnel(proxy, authority, timeoutMs) {
	const http = await import("node:http");
	const where = `the proxy ${proxy.protocol}//${proxy.host}`;
	const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
	return await new Promise((resolve, reject) => {
		const request = http.request({
			host: bareHost(proxy),
			port: proxy.port || 80,
			method: "CONNECT",
			path: authority,
			timeout: timeoutMs,
			headers: {
				host: authority,
				...proxy.username ? { "proxy-authorization": `Basic ${Buffer.from(credentials).toString("base64")}` } : {}
			}
		});
		request.on("connect", (answer, socket) => {
			if (answer.statusCode === 200) return resolve(socket);
			socket.destroy();
			const refusal = `${where} refused a connection to ${authority}: ${answer.statusCode} ${answer.statusMessage}`;
			reject(new Failure("failure", refusal, { remedy: ["name the Proxmox VE host in NO_PROXY if it is to be reached directly"] }));
		});
		request.on("timeout", () => request.destroy(Object.assign(/* @__PURE__ */ new Error(`no answer from ${where}`), { code: "ETIMEDOUT" })));
		request.on("error", reject);
		request.end();
	});
}
function secured(socket, timeoutMs, late) {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => socket.destroy(Object.assign(new Error(late), { code: "ETIMEDOUT" })), timeoutMs);
		const fail = (error) => {
			clearTimeout(timer);
			reject(error);
		};
		socket.once("error", fail);
		socket.once("close", () => fail(Object.assign(/* @__PURE__ */ new Error("the connection was closed"), { code: "ECONNRESET" })));
		socket.once("secureConnect", () => {
			clearTimeout(timer);
			socket.off("error", fail);
			resolve();
		});
	});
}

// src/proxmox/transport.ts
var NoAnswer = class extends Error {
	name = "NoAnswer";
	sent;
	constructor(cause, sent) {
		super(cause.message || cause.code || "the connection failed", { cause });
		this.sent = sent;
	}
};
const connectMs = 1e4;
const idleMs = 4e3;
const answerLimitMiB = 32;
const tooLarge = `an answer of more than ${answerLimitMiB} MiB`;
function createTransport(connection, options = {}) {
	const timeoutMs = options.timeoutMs ?? 6e4;
	const agent = new https.Agent({
		keepAlive: true,
		maxSockets: 8,
		timeout: idleMs
	});
	const refusedBeforeSending = /* @__PURE__ */ new WeakSet();
	agent.createConnection = (_options, callback) => {
		openSocket(connection, options.proxy, connectMs).then((socket) => callback?.(null, socket), (error) => {
			refusedBeforeSending.add(error);
			callback?.(error, void 0);
		});
	};
	const traffic = {
		up: 0,
		down: 0
	};
	const origin = new URL(connection.origin);
	const send = (exchange, signal) => new Promise((resolve, reject) => {
		const request = https.request({
			host: bareHost(origin),
			port: origin.port || 443,
			method: exchange.method,
			path: exchange.path,
			headers: {
				"accept-encoding": "gzip",
				...exchange.headers,
				...exchange.body ? { "content-length": String(exchange.body.length) } : {}
			},
			agent,
			...signal ? { signal } : {}
		});
		const late = () => request.destroy(Object.assign(/* @__PURE__ */ new Error(`no answer within ${timeoutMs / 1e3} s`), { code: "ETIMEDOUT" }));
		const timer = setTimeout(late, timeoutMs);
		const fail = (error) => {
			clearTimeout(timer);
			if (signal?.aborted) reject(signal.reason);
			else if (error instanceof Failure) reject(error);
			else reject(new NoAnswer(error, !refusedBeforeSending.has(error)));
		};
		request.on("error", fail);
		request.on("response", (response) => {
			const chunks = [];
			let size = 0;
			response.on("data", (chunk) => {
				size += chunk.length;
				if (size > answerLimitMiB * 1024 * 1024) request.destroy(new Error(tooLarge));
				chunks.push(chunk);
			});
			response.on("error", fail);
			response.on("end", () => {
				clearTimeout(timer);
				traffic.down += size;
				bodyText(Buffer.concat(chunks), response.headers["content-encoding"]).then((text) => resolve({
					status: response.statusCode ?? 0,
					reason: response.statusMessage ?? "",
					text
				}), fail);
			});
		});
		traffic.up += exchange.body?.length ?? 0;
		request.end(exchange.body);
	});
	const open = async () => {
		try {
			return await openSocket(connection, options.proxy, connectMs);
		} catch (error) {
			throw error instanceof Failure ? error : new NoAnswer(error, false);
		}
	};
	return {
		send,
		open,
		traffic,
		close: () => agent.destroy()
	};
}
async function bodyText(body, encoding) {
	if (encoding !== "gzip") return body.toString("utf8");
	const { gunzip } = await import("node:zlib");
	return await new Promise((resolve, reject) => {
		gunzip(body, { maxOutputLength: answerLimitMiB * 1024 * 1024 }, (error, text) => {
			if (error) reject(error.code === "ERR_BUFFER_TOO_LARGE" ? new Error(tooLarge) : error);
			else resolve(text.toString("utf8"));
		});
	});
}

// src/proxmox/client.ts
function apiPath(literals, ...values) {
	return literals.reduce((path, literal, at) => {
		const value = values[at - 1];
		if (value === "" || value === "." || value === "..") throw new Failure("usage", `An empty or relative name cannot be asked for below ${path}`);
		return path + encodeURIComponent(String(value)) + literal;
	});
}
function createProxmox(options) {
	const { connection, transport, clock } = options;
	const count = {
		calls: 0,
		get up() {
			return transport.traffic.up;
		},
		get down() {
			return transport.traffic.down;
		}
	};
	const tokenName = identityOf(connection.authentication);
	const authenticator = authenticate(connection.authentication, clock, (exchange) => {
		count.calls += 1;
		return transport.send(exchange, options.signal);
	});
	const once = async (call, signal) => {
		signal?.throwIfAborted();
		const name = `${call.method} ${call.path}`;
		const inQuery = call.method === "GET" || call.method === "DELETE";
		const form = encodeForm(call.parameters);
		const body = call.upload ? multipart(call.parameters ?? {}, call.upload) : !inQuery ? {
			type: "application/x-www-form-urlencoded",
			bytes: Buffer.from(form)
		} : void 0;
		count.calls += 1;
		let answer;
		let credentials = {};
		try {
			credentials = await authenticator.headers(call.method);
			answer = await transport.send({
				method: call.method,
				path: `/api2/json${call.path}${inQuery && form ? `?${form}` : ""}`,
				headers: {
					...credentials,
					accept: "application/json",
					...body ? { "content-type": body.type } : {}
				},
				body: body?.bytes
			}, call.method === "GET" ? signal : later(signal, writeGraceMs));
		} catch (error) {
			if (!(error instanceof NoAnswer)) throw error;
			throw unanswered(name, connection.origin, error);
		}
		if (answer.status !== 200) throw refused(name, withoutCredentials(answer, credentials), tokenName);
		return parse(name, answer, call.schema);
	};
	const openWebSocket = async (call, signal) => {
		signal?.throwIfAborted();
		const name = `GET ${call.path}`;
		const { startWebSocket, UpgradeRefused } = await import("./load-websocket.mjs");
		count.calls += 1;
		try {
			const headers = await authenticator.headers("GET");
			const { host } = new URL(connection.origin);
			const path = `/api2/json${call.path}?${encodeForm(call.parameters)}`;
			const request = {
				...call,
				host,
				path,
				headers,
				timeoutMs: upgradeMs
			};
			return await startWebSocket(await transport.open(), request);
		} catch (error) {
			if (error instanceof Failure) throw error;
			if (error instanceof UpgradeRefused) throw refused(name, {
				status: error.status,
				reason: error.reason,
				text: ""
			}, tokenName);
			throw unanswered(name, connection.origin, error instanceof NoAnswer ? error : new NoAnswer(error, true));
		}
	};
	const under = (signal) => ({
		openWebSocket: (call) => openWebSocket(call, signal),
		call: async (call) => {
			for (let attempt = 1;; attempt += 1) try {
				return await once(call, signal);
			} catch (error) {
				if (!mayRepeat(call.method, error, attempt)) throw error;
				await clock.sleep(pauseMs(error, attempt), signal);
			}
		},
		under,
		signal,
		clock,
		tokenName,
		origin: connection.origin,
		count,
		close: () => transport.close()
	});
	return under(options.signal);
}
const writeGraceMs = 3e3;
const upgradeMs = 3e4;
function later(signal, graceMs) {
	if (!signal) return void 0;
	const controller = new AbortController();
	const end = () => setTimeout(() => controller.abort(signal.reason), graceMs).unref();
	if (signal.aborted) end();
	else signal.addEventListener("abort", end, { once: true });
	return controller.signal;
}
function encodeForm(parameters = {}) {
	const form = new URLSearchParams();
	for (const [name, value] of Object.entries(parameters)) if (value !== void 0) form.append(name, String(value));
	return form.toString();
}
function withoutCredentials(answer, credentials) {
	const secrets = Object.values(credentials).flatMap((value) => value.split("=").map((_part, at, parts) => parts.slice(at).join("=")));
	const hide = (text) => secrets.filter((secret) => secret.length >= 6).reduce((rest, secret) => rest.replaceAll(secret, "***"), text);
	return {
		...answer,
		reason: hide(answer.reason),
		text: hide(answer.text)
	};
}
function unanswered(call, origin, error) {
	const code = error.cause?.code ?? "";
	const details = {
		call,
		status: 0,
		reason: error.message,
		cause: error
	};
	if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) return new ProxmoxError("verification", `${call}: the certificate of ${origin} is not trusted: ${error.message}`, {
		...details,
		treatment: "final",
		remedy: ["give the authority's certificate (on a node: /etc/pve/pve-root-ca.pem) or the certificate's SHA-256 fingerprint (`pvenode cert info`)"]
	});
	return new ProxmoxError("failure", `${call}: ${origin} gave no answer: ${error.message}`, {
		...details,
		treatment: error.sent ? "ambiguous" : "not-sent",
		remedy: [`check that ${origin} is the address of the Proxmox VE API (port 8006) and can be reached from here; proxies are taken from HTTPS_PROXY and NO_PROXY`]
	});
}
function refused(call, answer, tokenName) {
	const { message, errors } = errorBody(answer.text);
	const reason = [message && message !== "Parameter verification failed." ? message : answer.reason || `HTTP status ${answer.status}`, ...Object.entries(errors).map(([field, text]) => `${field}: ${text.trim()}`)].join("; ");
	return new ProxmoxError(kindOf(answer.status, reason), `${call}: Proxmox VE answered ${answer.status} ${reason}`, {
		call,
		status: answer.status,
		reason,
		treatment: treatment(answer.status, reason),
		remedy: remedyFor(answer.status, reason, tokenName)
	});
}
function errorBody(text) {
	try {
		const body = JSON.parse(text);
		const errors = typeof body.errors === "object" && body.errors !== null ? Object.entries(body.errors).map(([key, value]) => [key, String(value)]) : [];
		return {
			message: typeof body.message === "string" ? body.message.trim() : "",
			errors: Object.fromEntries(errors)
		};
	} catch {
		return {
			message: "",
			errors: {}
		};
	}
}
function parse(call, answer, schema) {
	let body;
	try {
		body = JSON.parse(answer.text);
	} catch {
		throw new Failure("failure", `${call}: the answer is not JSON: is this the Proxmox VE API?`, { remedy: ["check the address; a login page or another service answers there"] });
	}
	const checked = schema.safeParse(body.data, inEnglish);
	if (!checked.success) {
		const issue = checked.error.issues[0];
		throw new Failure("failure", `${call}: Proxmox VE answered something unexpected at ${issue?.path.join(".") || "its top"}: ${issue?.message}`, { cause: checked.error });
	}
	return checked.data;
}

// src/time/clock.ts
const systemClock = {
	now: () => Date.now(),
	sleep: (ms, signal) => new Promise((resolve, reject) => {
		if (signal?.aborted) {
			reject(signal.reason);
			return;
		}
		const onAbort = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", onAbort);
			resolve();
		}, ms);
		signal?.addEventListener("abort", onAbort, { once: true });
	})
};

// src/shell/session.ts
async function withSession(input, work) {
	const { connection, environment, reporter, journal, signal } = input;
	if (connection.insecure) reporter.warn("The server's certificate is not checked", `Whoever sits between here and ${connection.origin} can read the token. Give its fingerprint or its authority's certificate instead.`);
	const clock = input.clock ?? systemClock;
	const proxy = proxyFor(new URL(connection.origin), environment);
	const transport = createTransport(connection, proxy === void 0 ? {} : { proxy: new URL(proxy) });
	const sources = openSources({
		upstreams: input.upstreams,
		environment,
		signal,
		version: version$2,
		clock
	});
	const proxmox = createProxmox({
		connection,
		transport,
		clock,
		signal
	});
	try {
		const result = await work({
			proxmox,
			sources,
			reporter,
			journal,
			run: {
				...input.run,
				program: `kubehenge/${version$2}`
			}
		});
		const trouble = sources.githubTrouble();
		if (trouble) reporter.warn("GitHub was of no use, other sources were asked", trouble);
		return result;
	} finally {
		proxmox.close();
		await sources.close();
	}
}

// src/shell/signals.ts
const codes = {
	SIGINT: 130,
	SIGTERM: 143
};
function onSignals(leave) {
	const controller = new AbortController();
	let code;
	const handler = (name) => {
		if (code !== void 0) return leave(codes.SIGINT);
		code = codes[name];
		controller.abort(new Failure("interrupted", `The run was ended by ${name}`));
	};
	process.on("SIGINT", handler);
	process.on("SIGTERM", handler);
	return {
		signal: controller.signal,
		exitCode: () => code,
		stop: () => {
			process.off("SIGINT", handler);
			process.off("SIGTERM", handler);
		}
	};
}
function withDeadline(signal, ms, option) {
	const controller = new AbortController();
	setTimeout(() => controller.abort(new Failure("deadline", `The run took longer than its bound of ${ms / 6e4} minutes`, { remedy: [`give it more with ${option}`] })), ms).unref();
	return AbortSignal.any([signal, controller.signal]);
}

// src/templates/lease.ts
const makeSchema$1 = () => {
	const optionalText = optional(string());
	return object({
		schema: literal(1),
		state: _enum(["building", "kept"]),
		build: string().check(_regex(/^[0-9a-f]{12}$/)),
		tags: array(string()),
		title: string(),
		run: string(),
		runUrl: optionalText,
		since: string(),
		until: string(),
		seed: optionalText,
		image: optionalText,
		reason: optionalText
	}).check(refine(({ seed, build }) => seed === void 0 || /^[A-Za-z][A-Za-z0-9\-_.]*:iso\//.test(seed) && seed.endsWith(`:iso/${seedFileName(build)}`), "the seed is not this build's"));
};
let made$1;
const leaseSchema = () => made$1 ??= makeSchema$1();
function seedFileName(build) {
	return `kubehenge-seed-${build}.iso`;
}
const leaseGraceMs = 6e5;
function newLease(build, target, run, nowMs, deadlineMs, volumes) {
	return {
		schema: 1,
		state: "building",
		build,
		tags: [...target.tags],
		title: target.title,
		run: run.id,
		...run.url ? { runUrl: run.url } : {},
		since: new Date(nowMs).toISOString(),
		until: new Date(deadlineMs + leaseGraceMs).toISOString(),
		...volumes.seed ? { seed: volumes.seed } : {},
		image: volumes.image
	};
}
function hasEnded(lease, nowMs) {
	return lease.state === "building" && !(Date.parse(lease.until) > nowMs);
}
function sayLease(lease) {
	return `${lease.runUrl ? `run ${lease.run} (${lease.runUrl})` : `run ${lease.run}`} since ${lease.since}, until ${lease.until} at the latest`;
}

// src/templates/manifest.ts
const optionalText$3 = optional(string());
const makeSchema = () => object({
	schema: literal(1),
	build: string(),
	distribution: string(),
	version: string(),
	ubuntuRelease: optionalText$3,
	node: optionalText$3,
	architecture: string(),
	image: object({
		url: string(),
		sha256: optionalText$3,
		file: string()
	}),
	verified: array(object({
		what: string(),
		by: _enum(["signature", "tls"]),
		signer: optionalText$3,
		signedAt: optionalText$3
	})),
	packages: optional(record(string(), string())),
	packageListSha256: optionalText$3,
	packageCount: optional(number$1()),
	kernel: optionalText$3,
	created: string(),
	run: string(),
	runUrl: optionalText$3,
	program: string()
});
let made;
const manifestSchema = () => made ??= makeSchema();
function manifestDigest(manifest) {
	return `sha256:${createHash("sha256").update(canonicalJson(manifest)).digest("hex")}`;
}
function canonicalJson(value) {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value === "object" && value !== null) return `{${Object.entries(value).filter(([, item]) => item !== void 0).sort(([a], [b]) => a < b ? -1 : 1).map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(",")}}`;
	return JSON.stringify(value);
}

// src/templates/notes.ts
const notesLimit = 8192;
function templateNotes(target, manifest) {
	return withJson([
		`# ${escapeMarkdown(target.title)}`,
		"",
		`VM template for Cluster API clusters, made by kubehenge on ${manifest.created.slice(0, 10)}. It is found by its exact set of tags: leave them as they are.`,
		"",
		`- image: ${escapeMarkdown(manifest.image.url)}`,
		...manifest.image.sha256 ? [`- SHA-256: ${manifest.image.sha256}`] : [],
		...manifest.verified.map((one) => `- ${escapeMarkdown(one.what)}: ${one.by === "signature" ? `signed by ${one.signer ?? ""}` : "TLS only"}`),
		`- digest: ${manifestDigest(manifest)}`,
		`- run: ${escapeMarkdown(manifest.runUrl ?? manifest.run)}`
	].join("\n"), {
		kubehenge: "template",
		manifest
	});
}
function leaseNotes(lease) {
	return withJson((lease.state === "kept" ? [
		`# Kept: ${escapeMarkdown(lease.title)} failed`,
		"",
		escapeMarkdown(lease.reason ?? ""),
		"",
		"This VM was left for inspection. No template of this kind is built until it is gone: delete it here, or with `kubehenge template delete`."
	] : [
		`# Being built: ${escapeMarkdown(lease.title)}`,
		"",
		`By ${escapeMarkdown(lease.runUrl ?? lease.run)}, since ${lease.since}. After ${lease.until} any later run may remove this VM.`
	]).join("\n"), {
		kubehenge: "lease",
		lease
	});
}
function readNotes(description) {
	const block = /(?:^|\n)```json\n([^]*?)\n```\s*$/.exec(description ?? "")?.[1];
	if (!block) return void 0;
	try {
		const note = JSON.parse(block);
		if (note?.kubehenge === "lease") {
			const { data } = leaseSchema().safeParse(note.lease);
			return data && { lease: data };
		}
		if (note?.kubehenge !== "template") return void 0;
		const { data } = manifestSchema().safeParse(note.manifest);
		return data && { manifest: data };
	} catch {
		return;
	}
}
function withJson(text, json) {
	const block = `\n\n\`\`\`json\n${JSON.stringify(json)}\n\`\`\`\n`;
	return text.slice(0, Math.max(0, notesLimit - block.length)) + block;
}
function escapeMarkdown(text) {
	return text.replace(/[\r\n\t]+/g, " ").replace(/[\u0000-\u001f\u007f]/g, "").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/[\\`*_{}[\]()#+!|~]/g, (mark) => `\\${mark}`);
}

// src/distributions/upstreams.ts
const address = optional(url({
	protocol: /^https?$/,
	error: "is not an http or https address"
}));
const schema = object({
	"ubuntu-url": address,
	"talos-factory-url": address,
	"kubernetes-packages-url": address,
	"kubernetes-releases-url": address,
	"kubernetes-key-fingerprint": optional(string().check(_overwrite((text) => text.replaceAll(/[\s:]/g, "").toUpperCase()), _regex(/^[0-9A-F]{40}$/, "is not an OpenPGP fingerprint of 40 hex digits")))
});
function parseUpstreams(raw, name) {
	const set = Object.fromEntries(Object.entries(raw).flatMap(([key, text]) => text?.trim() ? [[key, text.trim()]] : []));
	const checked = schema.safeParse(set, inEnglish);
	if (!checked.success) throw new Failure("usage", checked.error.issues.map((issue) => `${name(String(issue.path[0]))} ${issue.message}`).join("; "));
	return {
		ubuntuUrl: checked.data["ubuntu-url"],
		talosFactoryUrl: checked.data["talos-factory-url"],
		kubernetesPackagesUrl: checked.data["kubernetes-packages-url"],
		kubernetesReleasesUrl: checked.data["kubernetes-releases-url"],
		kubernetesKeyFingerprint: checked.data["kubernetes-key-fingerprint"]
	};
}

// src/shell/journal.ts
function journalInto(write) {
	const entries = /* @__PURE__ */ new Map();
	const save = () => write([...entries.values()]);
	return {
		about(remnant) {
			entries.set(remnantKey(remnant), remnant);
			save();
		},
		settled(remnant) {
			if (entries.delete(remnantKey(remnant))) save();
		},
		get open() {
			return [...entries.values()];
		}
	};
}

// src/time/duration.ts
function sayDuration(ms) {
	if (ms < 1e3) return `${Math.round(ms)} ms`;
	if (ms < 6e4) return `${(ms / 1e3).toFixed(1)} s`;
	const seconds = Math.round(ms / 1e3);
	const two = (n) => String(n).padStart(2, "0");
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
	return `${Math.floor(seconds / 3600)} h ${two(Math.floor(seconds % 3600 / 60))} min`;
}

// src/proxmox/flag.ts
const flag$1 = (absent) => prefault(pipe(number(), transform((value) => value !== 0)), absent);

// src/proxmox/task.ts
const upidSchema = string().check(_regex(/^UPID:[^:]+:[0-9A-F]+:[0-9A-F]+:[0-9A-F]+:[^:]+:[^:]*:[^:]+:$/i));
const statusSchema$1 = () => object({
	status: _enum(["running", "stopped"]),
	exitstatus: optional(string())
});
const logSchema = () => array(object({
	n: int(),
	t: string()
}));
const firstPollMs = 100;
const slowestPollMs = 25e3;
const shortTaskLossMs = 1500;
const progressEveryMs = 15e3;
async function waitForTask(proxmox, upid, wait) {
	const node = taskNode(upid);
	const { clock, signal } = proxmox;
	const started = clock.now();
	const progress = {
		lines: 0,
		grownAt: started,
		askedAt: started
	};
	const schema = statusSchema$1();
	for (let pause = firstPollMs;; pause = nextPause(pause, clock.now() - started)) {
		await clock.sleep(pause, signal);
		const status = await proxmox.call({
			method: "GET",
			path: apiPath`/nodes/${node}/tasks/${upid}/status`,
			schema
		});
		if (status.status === "stopped") return await finish(proxmox, upid, wait.doing, status.exitstatus);
		if (clock.now() - progress.askedAt < progressEveryMs) continue;
		progress.askedAt = clock.now();
		const last = (await taskLog(proxmox, upid, progress.lines)).at(-1);
		if (last) {
			progress.lines = last.n;
			progress.grownAt = clock.now();
			wait.onProgress?.(last.t);
		}
		const still = clock.now() - progress.grownAt;
		if (wait.stallMs !== void 0 && still > wait.stallMs) throw new TaskFailure("deadline", `${wait.doing}: the task has shown no progress for ${sayDuration(still)} (its own bound is ${sayDuration(wait.stallMs)})`, upid, "stalled", await tail(proxmox, upid));
	}
}
function nextPause(pause, elapsed) {
	return Math.min(pause * 2, Math.max(elapsed / 10, shortTaskLossMs), slowestPollMs);
}
var TaskFailure = class extends Failure {
	name = "TaskFailure";
	upid;
	exitStatus;
	constructor(kind, message, upid, exitStatus, evidence) {
		super(kind, message, { evidence });
		this.upid = upid;
		this.exitStatus = exitStatus;
	}
	get outcomeUnknown() {
		return workerDied(this.exitStatus);
	}
	get lockTimeout() {
		return /can't lock file .* got timeout|got lock timeout|lock.* timeout/i.test(this.exitStatus);
	}
};
function workerDied(exitStatus) {
	return exitStatus === void 0 || exitStatus === "" || exitStatus === "unexpected status" || /^unable to (read tail|get last line)|interrupted by signal|^got unexpected/i.test(exitStatus);
}
async function finish(proxmox, upid, doing, first) {
	let exitStatus = first;
	if (workerDied(exitStatus)) {
		await proxmox.clock.sleep(1e3, proxmox.signal);
		exitStatus = (await proxmox.call({
			method: "GET",
			path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}/status`,
			schema: statusSchema$1()
		})).exitstatus ?? exitStatus;
	}
	if (exitStatus === "OK") return {
		upid,
		warnings: []
	};
	if (exitStatus && /^WARNINGS: \d+$/.test(exitStatus)) {
		const warnings = (await taskLog(proxmox, upid, 0)).map((line) => line.t).filter((line) => /^WARN/i.test(line));
		return {
			upid,
			warnings: warnings.length > 0 ? warnings : [exitStatus]
		};
	}
	const evidence = await tail(proxmox, upid);
	const said = exitStatus && !workerDied(exitStatus) ? exitStatus : `its worker died (${exitStatus || "no exit status"}), the outcome is unknown`;
	const kind = /permission check failed/i.test(said) ? "access" : /is locked|lock.*timeout|still in use|already exists/i.test(said) ? "conflict" : /checksum mismatch/i.test(said) ? "verification" : "failure";
	throw new TaskFailure(kind, `${doing}: the Proxmox VE task failed: ${said}`, upid, exitStatus ?? "", evidence);
}
async function taskLog(proxmox, upid, start) {
	return await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}/log`,
		parameters: {
			start,
			limit: 500
		},
		schema: logSchema()
	});
}
async function tail(proxmox, upid) {
	try {
		return (await taskLog(proxmox, upid, 0)).slice(-10).map((line) => line.t);
	} catch {
		return [];
	}
}
async function stopTask(proxmox, upid) {
	await proxmox.call({
		method: "DELETE",
		path: apiPath`/nodes/${taskNode(upid)}/tasks/${upid}`,
		schema: unknown()
	});
}
function taskOwner(upid) {
	return upid.split(":")[7] ?? "";
}
function taskStart(upid) {
	return Number.parseInt(upid.split(":")[4] ?? "", 16);
}
function taskNode(upid) {
	return upid.split(":")[1] ?? "";
}
const listedTask = () => object({
	upid: string(),
	type: string(),
	id: optional(string()),
	starttime: number$1(),
	status: optional(string()),
	endtime: optional(number$1())
});
async function findTask(proxmox, node, match) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/tasks`,
		parameters: {
			source: "all",
			typefilter: match.type,
			vmid: match.vmid,
			limit: 50
		},
		schema: array(listedTask())
	})).filter((task) => task.type === match.type && (task.id ?? "") === match.id).sort((a, b) => b.starttime - a.starttime)[0];
}

// src/proxmox/cluster.ts
const optionalText$2 = optional(string());
const guestRow = object({
	vmid: int(),
	node: string(),
	type: literal("qemu"),
	name: optionalText$2,
	pool: optionalText$2,
	tags: optionalText$2,
	status: optionalText$2,
	lock: optionalText$2,
	template: optional(number())
});
const lxcRow = object({ type: literal("lxc") });
function splitTags(text) {
	return text.split(/[;, ]+/).filter(Boolean).map((tag) => tag.toLowerCase()).sort();
}
async function listGuests(proxmox) {
	return (await proxmox.call({
		method: "GET",
		path: "/cluster/resources",
		parameters: { type: "vm" },
		schema: array(discriminatedUnion("type", [guestRow, lxcRow]))
	})).filter((row) => row.type === "qemu").map((row) => ({
		...row,
		tags: splitTags(row.tags ?? ""),
		status: row.status ?? "unknown"
	}));
}
const nodeRow = object({
	node: string(),
	type: literal("node"),
	status: prefault(string(), "unknown"),
	"host-arch": optional(_enum(["x86_64", "aarch64"]))
});
async function listNodes(proxmox) {
	return (await proxmox.call({
		method: "GET",
		path: "/cluster/resources",
		parameters: { type: "node" },
		schema: array(nodeRow)
	})).map((row) => ({
		name: row.node,
		online: row.status === "online",
		arch: row["host-arch"] === "aarch64" ? "arm64" : "amd64"
	})).sort((a, b) => a.name.localeCompare(b.name));
}
async function nextVmid(proxmox) {
	return await proxmox.call({
		method: "GET",
		path: "/cluster/nextid",
		schema: number().check(int(), _gte(100))
	});
}
async function listBridges(proxmox, node) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/network`,
		parameters: { type: "any_bridge" },
		schema: array(object({
			iface: string(),
			type: string()
		}))
	})).map((row) => ({
		name: row.iface,
		type: row.type
	}));
}

// src/proxmox/vm.ts
const optionalText$1 = optional(string());
const diskText = optional(pipe(union([string(), number$1()]), transform(String)));
const configSchema = looseObject({
	digest: optionalText$1,
	name: optionalText$1,
	description: optionalText$1,
	tags: pipe(prefault(string(), ""), transform(splitTags)),
	lock: optionalText$1,
	template: flag$1(0),
	protection: flag$1(0),
	scsi0: diskText,
	scsi1: diskText,
	smbios1: optionalText$1
});
async function readConfig(proxmox, node, vmid) {
	return await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/qemu/${vmid}/config`,
		schema: configSchema
	});
}
async function readConfigIfThere(proxmox, node, vmid) {
	try {
		return await readConfig(proxmox, node, vmid);
	} catch (error) {
		if (isMissingVm(error)) return void 0;
		throw error;
	}
}
function isWholeTemplate(config) {
	return config.template && config.lock === void 0 && /^[^:]+:([^,]*\/)?base-/.test(config.scsi0 ?? "");
}
async function createVm(proxmox, node, parameters) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu`,
		parameters,
		schema: upidSchema
	});
}
async function updateConfig(proxmox, node, vmid, parameters) {
	await proxmox.call({
		method: "PUT",
		path: apiPath`/nodes/${node}/qemu/${vmid}/config`,
		parameters,
		schema: unknown()
	});
}
async function resizeDisk(proxmox, node, vmid, disk, size) {
	return await proxmox.call({
		method: "PUT",
		path: apiPath`/nodes/${node}/qemu/${vmid}/resize`,
		parameters: {
			disk,
			size
		},
		schema: nullish(upidSchema)
	}) ?? void 0;
}
const statusSchema = () => object({
	status: string(),
	qmpstatus: optionalText$1,
	uptime: optional(number$1()),
	lock: optionalText$1,
	blockstat: optional(record(string(), looseObject({
		wr_highest_offset: optional(number$1()),
		rd_bytes: optional(number$1())
	})))
});
async function readStatus(proxmox, node, vmid) {
	return await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/qemu/${vmid}/status/current`,
		schema: statusSchema()
	});
}
async function startVm(proxmox, node, vmid) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/status/start`,
		schema: upidSchema
	});
}
async function shutdownVm(proxmox, node, vmid, timeout) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/status/shutdown`,
		parameters: {
			timeout,
			forceStop: 1
		},
		schema: upidSchema
	});
}
async function stopVm(proxmox, node, vmid) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/status/stop`,
		schema: upidSchema
	});
}
async function convertToTemplate(proxmox, node, vmid) {
	return await proxmox.call({
		method: "POST",
		path: apiPath`/nodes/${node}/qemu/${vmid}/template`,
		schema: upidSchema
	});
}
async function destroyVm(proxmox, node, vmid) {
	return await proxmox.call({
		method: "DELETE",
		path: apiPath`/nodes/${node}/qemu/${vmid}`,
		parameters: {
			purge: 1,
			"destroy-unreferenced-disks": 1
		},
		schema: upidSchema
	});
}
async function readGuestHostName(proxmox, node, vmid) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/qemu/${vmid}/agent/get-host-name`,
		schema: object({ result: object({ "host-name": string() }) })
	})).result["host-name"];
}
async function readGuestFile(proxmox, node, vmid, file) {
	return (await proxmox.call({
		method: "GET",
		path: apiPath`/nodes/${node}/qemu/${vmid}/agent/file-read`,
		parameters: { file },
		schema: object({
			content: string(),
			truncated: optional(boolean())
		})
	})).content;
}

// src/distributions/distribution.ts
function uniqueTargets(targets) {
	return [...new Map(targets.map((target) => [target.name, target])).values()];
}

// src/sources/exact-version.ts
const version = /^v?(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$/;
function isExact(selector) {
	return version.test(selector.trim());
}
function exactVersion(selector) {
	if (!isExact(selector)) throw nonsense(selector);
	return `v${selector.trim().replace(/^v/, "")}`;
}
function nonsense(selector, cause) {
	return new Failure("usage", `${JSON.stringify(selector.slice(0, 80))} is neither a version nor a range of versions.`, {
		remedy: ["Versions are given as v1.37.1, ~1.36, 1.37.x, \">=1.36 <1.38\" or latest."],
		cause
	});
}

// src/distributions/resolve-version.ts
async function resolveVersions(selectors, source) {
	if (selectors.length === 0) return [await (await source()).resolve(void 0)];
	return await Promise.all(selectors.map(async (selector) => isExact(selector) ? exactVersion(selector) : await (await source()).resolve(selector)));
}

// src/distributions/target.ts
const distributionNames = [
	"talos",
	"rke2",
	"k3s",
	"kubeadm"
];
const ownTag = "kubehenge";
function talosTarget(version) {
	return {
		distribution: "talos",
		version,
		tags: tagSet("talos", `talos-${version}`),
		name: `talos-${version}`,
		title: `Talos ${version}`
	};
}
function ubuntuTarget(distribution, release) {
	return {
		distribution,
		version: release,
		ubuntuRelease: release,
		tags: tagSet("ubuntu", `ubuntu-${release}`),
		name: `ubuntu-${release}`,
		title: `Ubuntu ${release} for RKE2 and k3s`
	};
}
function kubeadmTarget(version, release) {
	return {
		distribution: "kubeadm",
		version,
		ubuntuRelease: release,
		tags: tagSet("kubeadm", `kubernetes-${version}`, `ubuntu-${release}`),
		name: `kubeadm-${version}-ubuntu-${release}`,
		title: `kubeadm ${version} on Ubuntu ${release}`
	};
}
function onNode(target, node) {
	return {
		...target,
		node,
		tags: [...target.tags, `${nodePrefix}${node.toLowerCase()}`].sort(),
		name: `${target.name}-${node.toLowerCase()}`,
		title: `${target.title} for node ${node}`
	};
}
const nodePrefix = "node-";
function tagSet(...tags) {
	return [ownTag, ...tags].map((tag) => tag.toLowerCase()).sort();
}
function sameTags(one, other) {
	return one.length === other.length && one.every((tag) => other.includes(tag));
}
function targetOfTags(tags) {
	const value = (prefix) => tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length);
	const talos = value("talos-");
	const kubernetes = value("kubernetes-");
	const ubuntu = value("ubuntu-");
	const node = value(nodePrefix);
	const general = kubernetes && ubuntu ? kubeadmTarget(kubernetes, ubuntu) : ubuntu ? ubuntuTarget("rke2", ubuntu) : talos ? talosTarget(talos) : void 0;
	const candidate = general && node ? onNode(general, node) : general;
	return candidate && sameTags(candidate.tags, tags) ? candidate : void 0;
}

// src/distributions/ubuntu.ts
function ubuntu(distribution) {
	return {
		versionOf: "Ubuntu",
		async targets({ versions, ubuntuRelease }, sources) {
			if (versions.length > 0 && ubuntuRelease !== void 0 && versions.some((version) => version !== ubuntuRelease)) throw new Failure("usage", `Two Ubuntu releases were given for ${distribution}: versions ${versions.join(", ")} and ubuntu-release ${ubuntuRelease}`, { remedy: ["give one of them: for rke2 and k3s they mean the same"] });
			const selectors = versions.length > 0 ? versions : [ubuntuRelease];
			const releases = await Promise.all(selectors.map((selector) => resolveRelease(selector, sources)));
			return uniqueTargets(releases.map((release) => ubuntuTarget(distribution, release)));
		},
		async ingredients(target, arch, sources, options) {
			const { image, verified } = await ubuntuImage(target.version, arch, sources, options);
			return {
				image,
				hardware: ubuntuHardware(arch),
				guest: {},
				diskGiB: 6,
				verified: [verified]
			};
		}
	};
}
async function resolveRelease(selector, sources) {
	return selector !== void 0 && /^\d\d\.\d\d$/.test(selector) ? selector : await (await sources.ubuntu()).resolveRelease(selector);
}
async function ubuntuImage(release, arch, sources, options) {
	const image = await (await sources.ubuntu()).image(release, arch, options);
	return {
		image: {
			url: image.url,
			fileName: `kubehenge-ubuntu-${release}-${arch}-${image.sha256.slice(0, 16)}.qcow2`,
			sha256: image.sha256
		},
		verified: {
			what: `Ubuntu ${release} cloud image ${image.fileName}`,
			by: "signature",
			signer: image.signer,
			signedAt: image.signedAt.toISOString(),
			detail: `sha256:${image.sha256} from ${image.listUrl}`
		}
	};
}
function ubuntuHardware(arch) {
	return arch === "arm64" ? {
		bios: "ovmf",
		scsihw: "virtio-scsi-single",
		vga: "serial0"
	} : {
		bios: "seabios",
		cpu: "x86-64-v2-AES",
		scsihw: "virtio-scsi-single",
		vga: "serial0"
	};
}

// src/distributions/kubeadm.ts
const kubeadm = {
	versionOf: "Kubernetes",
	async targets({ versions, ubuntuRelease }, sources) {
		const [release, resolved] = await Promise.all([resolveRelease(ubuntuRelease, sources), resolveVersions(versions, sources.kubernetes)]);
		return uniqueTargets(resolved.map((version) => kubeadmTarget(version, release)));
	},
	async ingredients(target, arch, sources, options) {
		const source = await sources.kubernetes();
		const [{ image, verified }, packages] = await Promise.all([ubuntuImage(target.ubuntuRelease ?? "", arch, sources, options), source.packages(target.version, arch)]);
		const { kubeadm: kubeadmPackage, kubelet, kubectl, criTools, kubernetesCni } = packages;
		return {
			image,
			hardware: ubuntuHardware(arch),
			guest: { kubernetes: {
				version: target.version,
				repositoryUrl: packages.repositoryUrl,
				keyArmored: packages.key.armored,
				packages: {
					kubeadm: kubeadmPackage,
					kubelet,
					kubectl,
					criTools,
					kubernetesCni
				}
			} },
			diskGiB: 10,
			verified: [verified, {
				what: `Kubernetes ${target.version} packages`,
				by: "signature",
				signer: packages.verified.signer,
				signedAt: packages.verified.signedAt.toISOString(),
				detail: `${packages.repositoryUrl}: kubeadm ${kubeadmPackage}, kubelet ${kubelet}${packages.key.expires ? `; the key expires ${packages.key.expires.toISOString().slice(0, 10)}` : ""}`
			}]
		};
	}
};

// src/distributions/talos.ts
const talos = {
	versionOf: "Talos",
	async targets({ versions, ubuntuRelease }, sources) {
		if (ubuntuRelease !== void 0) throw new Failure("usage", `An Ubuntu release (${ubuntuRelease}) was given for Talos, which has none: leave ubuntu-release out`);
		return uniqueTargets((await resolveVersions(versions, sources.talos)).map(talosTarget));
	},
	async ingredients(target, arch, sources) {
		const image = await (await sources.talos()).image(target.version, arch);
		return {
			image: {
				url: image.url,
				fileName: `kubehenge-talos-${target.version}-${arch}-${image.schematicId.slice(0, 16)}.qcow2`
			},
			hardware: hardware(arch),
			verified: [{
				what: `Talos ${target.version} disk image`,
				by: "tls",
				detail: `${image.url}: the Image Factory signs no disk images; schematic ${image.schematicId} computed here and confirmed by the factory`
			}],
			warnings: image.url.startsWith("http:") ? [plainHttp(image.url)] : []
		};
	}
};
function plainHttp(url) {
	return {
		title: "A Talos image over plain http",
		text: `${url} is not encrypted, and the Image Factory signs no disk images: whoever sits in between can change it unseen`
	};
}
function hardware(arch) {
	return arch === "arm64" ? {
		bios: "ovmf",
		scsihw: "virtio-scsi-pci"
	} : {
		bios: "ovmf",
		machine: "q35",
		cpu: "x86-64-v2-AES",
		scsihw: "virtio-scsi-pci"
	};
}

// src/distributions/index.ts
const distributions = {
	talos,
	rke2: ubuntu("rke2"),
	k3s: ubuntu("k3s"),
	kubeadm
};

// src/templates/outcome.ts
function templateOf(target, { row, config }) {
	const manifest = readNotes(config.description)?.manifest;
	return {
		vmid: row.vmid,
		node: row.node,
		storage: (config.scsi0 ?? "").split(":")[0] ?? "",
		name: config.name ?? row.name ?? "",
		tags: target.tags,
		manifest,
		digest: manifest ? manifestDigest(manifest) : ""
	};
}

// src/templates/plan.ts
async function planTarget(proxmox, target, guests, input) {
	const withTags = guests.filter((row) => sameTags(row.tags, target.tags));
	const candidates = withTags.filter((row) => row.pool === input.pool);
	const shown = candidates.filter((row) => row.template === 1);
	const found = shown.length > 0 ? await readWhole(proxmox, shown) : await readWhole(proxmox, candidates);
	if (found.whole.length > 1) throw severalTemplates(target, found.whole);
	const [one] = found.whole;
	if (one) {
		await checkNode(proxmox, target, one, input.node);
		return {
			target,
			found: one,
			action: "reuse",
			why: `VM ${one.row.vmid} in pool ${input.pool} carries its tags and is whole`
		};
	}
	const [broken] = found.broken;
	if (broken) throw brokenTemplate(target, broken);
	const elsewhere = withTags.filter((row) => row.pool !== input.pool && row.template === 1);
	return {
		target,
		action: "build",
		why: `no template in pool ${input.pool} carries its tags`,
		warnings: elsewhere.map((row) => `VM ${row.vmid} ${row.pool ? `in pool ${row.pool}` : "outside any pool"} carries the same tags and is not reused, since it is not in pool ${input.pool}. Cluster API's Proxmox provider wants exactly one match in the whole cluster: remove one of them, or its tags.`)
	};
}
async function readWhole(proxmox, rows) {
	const there = (await Promise.all(rows.map(async (row) => ({
		row,
		config: await readCandidate(proxmox, row)
	})))).flatMap(({ row, config }) => config ? [{
		row,
		config
	}] : []);
	return {
		whole: there.filter(({ config }) => isWholeTemplate(config)),
		broken: there.filter(({ config }) => config.template && !isWholeTemplate(config))
	};
}
async function readCandidate(proxmox, row) {
	try {
		return await readConfigIfThere(proxmox, row.node, row.vmid);
	} catch (error) {
		if (!(error instanceof ProxmoxError) || !(error.status === 595 || error.status === 596 || /no route|hostname lookup/i.test(error.reason))) throw error;
		throw new Failure("conflict", `VM ${row.vmid} carries the wanted tags, but its node ${row.node} does not answer, so whether it is a whole template cannot be told: ${error.reason}`, {
			remedy: [`bring node ${row.node} up again; a second template with the same tags would leave Cluster API with two matches`],
			cause: error
		});
	}
}
async function checkNode(proxmox, target, { row, config }, wanted) {
	if (wanted === void 0 || wanted === row.node) return;
	const storage = (config.scsi0 ?? "").split(":")[0];
	const { listStorages } = await import("./load-storage.mjs");
	if ((await listStorages(proxmox, row.node)).find((one) => one.name === storage)?.shared) return;
	throw new Failure("conflict", `The template of ${target.title} is VM ${row.vmid} on node ${row.node}, on storage ${storage}, which is not shared: clones can start on ${row.node} only, not on ${wanted}. A second template with the same tags is not made, since Cluster API's Proxmox provider wants exactly one match in the whole cluster`, { remedy: [`move its disk to shared storage (qm disk move ${row.vmid} scsi0 STORAGE), or delete it and create it on ${wanted}`, `or leave the node out to reuse the one on ${row.node}`] });
}
function severalTemplates(target, found) {
	const list = found.map(({ row }) => `VM ${row.vmid} on ${row.node}`).join(", ");
	return new Failure("conflict", `Several templates carry the tags of ${target.title}: ${list}. Cluster API's Proxmox provider wants exactly one`, { remedy: found.slice(1).map(({ row }) => `qm destroy ${row.vmid} --purge   # on node ${row.node}, or take its tags away`) });
}
function brokenTemplate(target, { row, config }) {
	const why = config.lock ? `it is locked (${config.lock})` : `its disk ${config.scsi0?.split(",")[0] ?? "scsi0"} is no base volume: a conversion was interrupted`;
	return new Failure("conflict", `VM ${row.vmid} on node ${row.node} carries the tags of ${target.title} and calls itself a template, but is broken: ${why}`, { remedy: [`qm destroy ${row.vmid} --purge   # on node ${row.node}; or: kubehenge template delete`] });
}

// src/templates/untagged.ts
async function readUntagged(proxmox, guests, pool, apart) {
	const rows = guests.filter((row) => row.pool !== void 0 && (pool === void 0 || row.pool === pool) && row.tags.length === 0 && row.vmid !== apart);
	const read = await Promise.all(rows.map(async (row) => ({
		row,
		config: await readIfReachable(proxmox, row)
	})));
	const claims = [];
	const ready = [];
	for (const { row, config } of read) {
		if (!config) continue;
		const note = readNotes(config.description);
		if (note?.lease) claims.push({
			row,
			config,
			lease: note.lease
		});
		else if (note?.manifest && isWholeTemplate(config)) ready.push({
			row,
			config,
			manifest: note.manifest
		});
	}
	return {
		claims,
		ready
	};
}
async function readIfReachable(proxmox, { node, vmid }) {
	try {
		return await readConfigIfThere(proxmox, node, vmid);
	} catch (error) {
		if (error instanceof ProxmoxError && isNodeDown(error)) return void 0;
		throw error;
	}
}

// src/templates/create.ts
async function createTemplates(context, request) {
	const deadlineMs = context.proxmox.clock.now() + request.timeoutMs;
	if (!request.perNode) return await createOnce(context, request, deadlineMs);
	const reports = [];
	for (const node of await onlineNodes(context, request)) reports.push(await createOnce(context, {
		...request,
		node
	}, deadlineMs));
	return {
		outcomes: reports.flatMap(({ outcomes }) => outcomes),
		left: reports.flatMap(({ left }) => left),
		warnings: reports.flatMap(({ warnings }) => warnings),
		pruned: reports.flatMap(({ pruned }) => pruned)
	};
}
async function createOnce(context, request, deadlineMs) {
	const { reporter } = context;
	const { targets, guests, claims, plans, swept } = await planAll(context, request);
	const warnings = plans.flatMap((plan) => plan.action === "build" ? plan.warnings : []);
	for (const warning of warnings) reporter.warn("The same tags elsewhere", warning);
	const reused = plans.flatMap((plan) => plan.action === "reuse" ? [reusedOutcome(context, plan)] : []);
	const toBuild = plans.filter((plan) => plan.action === "build");
	if (toBuild.length === 0) return {
		outcomes: reused,
		left: swept.left,
		warnings,
		pruned: []
	};
	const { buildAll } = await import("./load-build-all.mjs");
	const built = await buildAll(context, {
		request,
		distribution: distributions[request.distribution],
		plans: toBuild,
		guests,
		claims,
		deadlineMs
	});
	const order = new Map(targets.map((target, at) => [target.name, at]));
	return {
		outcomes: [...reused, ...built.outcomes].sort((a, b) => (order.get(a.target.name) ?? 0) - (order.get(b.target.name) ?? 0)),
		left: [...swept.left, ...built.left],
		warnings,
		pruned: built.pruned
	};
}
async function planAll(context, request) {
	const { proxmox, reporter } = context;
	const [resolved, listed] = await bothOf(distributions[request.distribution].targets({
		versions: request.versions,
		ubuntuRelease: request.ubuntuRelease
	}, context.sources), listGuests(proxmox));
	const targets = request.perNode && request.node !== void 0 ? resolved.map((target) => onNode(target, request.node ?? "")) : resolved;
	const { claims, ready } = await readUntagged(proxmox, listed, request.pool);
	const guests = ready.length === 0 || request.dryRun ? listed : await (await import("./load-recover.mjs")).recoverPublications(context, ready, request.pool);
	const found = await Promise.all(targets.map((target) => planTarget(proxmox, target, guests, request)));
	const swept = request.dryRun || claims.length === 0 ? {
		removed: [],
		left: []
	} : await (await import("./load-sweep.mjs")).sweepVms(context, claims);
	for (const { what } of swept.removed) reporter.note(`Removed ${what}: it has outlived its lease`);
	return {
		targets,
		guests,
		claims,
		swept,
		plans: await withRefresh(context, request, found)
	};
}
async function withRefresh(context, request, found) {
	if (request.pin !== void 0 || request.pins) {
		(await import("./load-pinned.mjs")).checkPinned(found, request);
		return found;
	}
	if (request.refresh.when === "never") return found;
	return await (await import("./load-refresh.mjs")).planRefresh(context, request, distributions[request.distribution], found);
}
async function onlineNodes({ proxmox }, request) {
	const nodes = await listNodes(proxmox);
	if (request.node !== void 0) return [request.node];
	const offline = nodes.filter(({ online }) => !online);
	if (offline.length > 0) throw new Failure("failure", `One template per node was asked for, and ${offline.map(({ name }) => name).join(", ")} is offline`, { remedy: ["bring it up, or name the node to build on"] });
	return nodes.map(({ name }) => name);
}
async function bothOf(one, other) {
	const [first, second] = await Promise.allSettled([one, other]);
	if (first.status === "rejected") throw first.reason;
	if (second.status === "rejected") throw second.reason;
	return [first.value, second.value];
}
function reusedOutcome({ proxmox }, plan) {
	const now = proxmox.clock.now();
	return {
		target: plan.target,
		result: "reused",
		why: plan.why,
		template: templateOf(plan.target, plan.found),
		verified: [],
		warnings: [],
		left: [],
		phases: [],
		startedAt: now,
		endedAt: now
	};
}

// src/guest/network.ts
function parseGuestNetwork(given) {
	const dns = given.dns ?? [];
	if (given.address === void 0) {
		if (given.gateway !== void 0) throw usage(`A build gateway (${shown(given.gateway)}) was given without a build address.`);
		if (dns.length > 0) throw usage(`A build DNS server (${shown(dns[0] ?? "")}) was given without a build address.`);
		return { kind: "dhcp" };
	}
	if (given.gateway === void 0) throw usage(`The build address ${shown(given.address)} was given without a build gateway.`);
	const network = {
		kind: "static",
		address: given.address,
		gateway: given.gateway,
		dns: [...dns]
	};
	checkGuestNetwork(network);
	return network;
}
function checkGuestNetwork(network) {
	if (network.kind === "dhcp") return;
	const { address, prefix, family } = parseAddress(network.address);
	const block = new BlockList();
	block.addSubnet(address, prefix, family);
	checkHost(network.address, address, prefix, family);
	const gateway = network.gateway;
	if (isIP(gateway) === 0 || gateway.includes("%")) throw usage(`The build gateway ${shown(gateway)} is not an IP address.`);
	if (familyOf(gateway) !== family) throw usage(`The build gateway ${gateway} and the build address ${network.address} are of different IP versions.`);
	const linkLocal = new BlockList();
	linkLocal.addSubnet("fe80::", 10, "ipv6");
	if (!(block.check(gateway, family) || family === "ipv6" && linkLocal.check(gateway, "ipv6"))) throw usage(`The build gateway ${gateway} lies outside the network of the build address ${network.address}.`);
	if (sameAddress(gateway, address)) throw usage(`The build gateway ${gateway} is the build address itself.`);
	if (family === "ipv4") checkHost(`gateway ${gateway}`, gateway, prefix, family);
	for (const server of network.dns) if (isIP(server) === 0 || server.includes("%")) throw usage(`The build DNS server ${shown(server)} is not an IP address.`);
}
function parseAddress(text) {
	const match = /^([0-9A-Fa-f.:]+)\/(0|[1-9][0-9]{0,2})$/.exec(text);
	const address = match?.[1] ?? "";
	if (isIP(text) !== 0) throw usage(`The build address ${text} has no prefix length; write it as ${text}/${isIPv4(text) ? 24 : 64}.`);
	if (isIP(address) === 0) throw usage(`The build address ${shown(text)} is not an address with prefix length, such as 192.0.2.10/24.`);
	const family = familyOf(address);
	const prefix = Number(match?.[2]);
	const longest = family === "ipv4" ? 32 : 128;
	if (prefix < 1 || prefix > longest) throw usage(`The build address ${text} needs a prefix length of 1 to ${longest}.`);
	return {
		address,
		prefix,
		family
	};
}
function checkHost(text, address, prefix, family) {
	if (family === "ipv6" || prefix >= 31) return;
	const hostBits = 2 ** (32 - prefix);
	const host = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0) % hostBits;
	if (host === 0) throw usage(`The build address ${text} names the network itself, not a host in it.`);
	if (host === hostBits - 1) throw usage(`The build address ${text} is the broadcast address of its network.`);
}
function familyOf(address) {
	return isIPv4(address) ? "ipv4" : "ipv6";
}
function sameAddress(a, b) {
	const only = new BlockList();
	only.addAddress(a, familyOf(a));
	return only.check(b, familyOf(b));
}
function shown(text) {
	return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
function usage(message) {
	return new Failure("usage", message);
}

// src/templates/pins.ts
const digest = string().check(_regex(/^sha256:[0-9a-f]{64}$/, "is not a digest such as sha256:…"));
const lockSchema = () => object({
	schema: literal(1),
	templates: array(object({
		distribution: string(),
		version: string(),
		ubuntuRelease: optional(string()),
		tags: array(string()).check(_minLength(1)),
		digest,
		vmid: optional(int()),
		node: optional(string())
	}))
});
function parseLock(text, file) {
	let json;
	try {
		json = JSON.parse(text);
	} catch (error) {
		throw new Failure("usage", `${file} is not JSON: ${error.message}`, { cause: error });
	}
	const lock = lockSchema().safeParse(json, inEnglish);
	if (!lock.success) {
		const issue = lock.error.issues[0];
		throw new Failure("usage", `${file} is not a lock file of templates: ${issue?.path.join(".")}: ${issue?.message}`, { remedy: ["write it anew with --lock write, or see docs/lock-file.md"] });
	}
	return lock.data.templates.map(({ tags, digest: wanted }) => ({
		tags: tags.map((tag) => tag.toLowerCase()).sort(),
		digest: wanted
	}));
}
function writeLock(templates, former, file) {
	const kept = former === void 0 ? [] : lockedEntries(former, file).filter(({ tags }) => !templates.some(({ target }) => sameTags(target.tags, tags)));
	const entries = templates.map(({ target, template }) => ({
		distribution: target.distribution,
		version: target.version,
		...target.ubuntuRelease ? { ubuntuRelease: target.ubuntuRelease } : {},
		tags: [...target.tags],
		digest: template.digest,
		vmid: template.vmid,
		node: template.node
	}));
	const all = [...kept, ...entries].sort((a, b) => a.tags.join(";").localeCompare(b.tags.join(";"), "en", { numeric: true }));
	return `${JSON.stringify({
		schema: 1,
		templates: all
	}, void 0, 2)}\n`;
}
function lockedEntries(text, file) {
	parseLock(text, file);
	return lockSchema().parse(JSON.parse(text)).templates;
}
function parsePin(text, option) {
	const checked = digest.safeParse(text.trim().toLowerCase());
	if (!checked.success) throw new Failure("usage", `${option} is not a digest of a template such as sha256:…, but ${JSON.stringify(text)}`);
	return checked.data;
}
function checkPin(target, template, wanted) {
	if (template.digest === wanted) return;
	const shown = template.digest || "no manifest, so no digest";
	throw new Failure("verification", `The template of ${target.title} is not the pinned one: VM ${template.vmid} on node ${template.node} has ${shown}, pinned is ${wanted}`, { remedy: [`kubehenge template rollback ${target.distribution}   # if it was replaced by a refresh and the pinned build was kept`, "or pin the new one, after it was tested: `kubehenge template list -o wide` shows the digests"] });
}

// src/templates/request-inputs.ts
const flag = pipe(string().check(_regex(/^(true|false)$/i, "wants true or false")), transform((text) => text.toLowerCase() === "true"));
const wholeNumber = (low, high, unit) => pipe(string(), transform((text, { issues }) => {
	const number = Number(text);
	const refuse = (message) => issues.push({
		code: "custom",
		message,
		input: text
	});
	if (!/^\d{1,6}$/.test(text)) refuse(`wants a whole number${unit}`);
	else if (number < low || number > high) refuse(`wants a number from ${low} to ${high}${unit}`);
	return number;
}));
const node = string().check(_regex(/^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/, "is not a node's name"));
const storage = string().check(_regex(/^[A-Za-z][A-Za-z0-9\-_.]*[A-Za-z0-9]$/, "is not a storage's name"));
const pool = string().check(_regex(/^[A-Za-z0-9\-_.]+(\/[A-Za-z0-9\-_.]+){0,2}$/, "is not a pool's name"));
const bridge = string().check(_regex(/^[A-Za-z][A-Za-z0-9_.-]{0,14}$/, "is not a bridge's name"));
const lines = pipe(string(), transform((text) => text.split(/[\n,]+/).map((line) => line.trim()).filter(Boolean)));
const words = pipe(string(), transform((text) => text.split(/[\s,]+/).filter(Boolean)));
const units = {
	m: 6e4,
	h: 36e5,
	d: 864e5,
	w: 6048e5
};
const age = pipe(string().check(_regex(/^[1-9]\d{0,3}[mhdw]$/, "wants a number and m, h, d or w, such as 7d")), transform((text) => Number(text.slice(0, -1)) * units[text.at(-1)]));
const distribution = _enum(distributionNames, `is one of ${distributionNames.join(", ")}`);
function checkInputs(schema, raw, name) {
	const set = Object.fromEntries(Object.entries(raw).flatMap(([key, text]) => text?.trim() ? [[key, text.trim()]] : []));
	const checked = schema.safeParse(set, inEnglish);
	if (checked.success) return checked.data;
	const problems = checked.error.issues.map((issue) => {
		const input = String(issue.path[0]);
		return set[input] === void 0 ? `${name(input)} is missing: it ${issue.message}` : `${name(input)} ${issue.message}, not ${JSON.stringify(set[input])}`;
	});
	throw new Failure("usage", problems.join("; "));
}

// src/templates/request.ts
const optionalText = optional(string());
const createSchema = object({
	distribution,
	versions: prefault(lines, ""),
	"ubuntu-release": optionalText,
	node: optional(node),
	storage: optional(storage),
	pool: prefault(pool, requestDefaults.pool),
	"import-storage": prefault(storage, requestDefaults["import-storage"]),
	"iso-storage": optional(storage),
	bridge: prefault(bridge, requestDefaults.bridge),
	vlan: optional(wholeNumber(1, 4094, "")),
	"build-address": optionalText,
	"build-gateway": optionalText,
	"build-dns": prefault(words, ""),
	"disk-size": optional(wholeNumber(1, 65536, " of GiB")),
	timeout: prefault(wholeNumber(1, 1440, " of minutes"), requestDefaults.timeout),
	parallel: prefault(wholeNumber(1, 16, ""), requestDefaults.parallel),
	"keep-on-failure": prefault(flag, requestDefaults["keep-on-failure"]),
	"dry-run": prefault(flag, requestDefaults["dry-run"]),
	"per-node": prefault(flag, requestDefaults["per-node"]),
	pin: optionalText,
	keep: prefault(wholeNumber(0, 100, ""), requestDefaults.keep),
	"keep-versions": optional(wholeNumber(1, 100, "")),
	force: prefault(flag, requestDefaults.force),
	refresh: prefault(_enum([
		"never",
		"outdated",
		"always"
	], "is one of never, outdated, always"), requestDefaults.refresh),
	"max-age": optional(age),
	"smoke-test": optional(flag),
	"image-repository": optional(string().check(_regex(/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._-]+)*$/, "is not an image repository, such as registry.example.org/k8s"))),
	"apt-mirror": optional(url({
		protocol: /^https?$/,
		error: "is not an http or https address"
	}))
});
function parsePlanRequests(raw, name) {
	const names = (raw["distribution"] ?? "").split(/[\s,]+/).filter(Boolean);
	const chosen = names.length > 0 ? names : [...distributionNames].filter((one) => one !== "k3s");
	if (chosen.length > 1 && raw["versions"]) throw new Failure("usage", `${name("versions")} means something else for each distribution; plan them one by one: ${chosen.join(", ")}`);
	return chosen.map((one) => parseCreateRequest({
		...raw,
		distribution: one,
		"ubuntu-release": one === "talos" ? void 0 : raw["ubuntu-release"]
	}, name));
}
function parseCreateRequest(raw, name) {
	const input = checkInputs(createSchema, raw, name);
	const network = parseGuestNetwork({
		address: input["build-address"],
		gateway: input["build-gateway"],
		dns: input["build-dns"]
	});
	return {
		distribution: input.distribution,
		versions: input.versions,
		ubuntuRelease: input["ubuntu-release"],
		node: input.node,
		storage: input.storage,
		pool: input.pool,
		importStorage: input["import-storage"],
		isoStorage: input["iso-storage"],
		bridge: input.bridge,
		vlan: input.vlan,
		network,
		diskGiB: input["disk-size"],
		timeoutMs: input.timeout * 6e4,
		parallel: network.kind === "static" && input.distribution !== "talos" ? 1 : input.parallel,
		keepOnFailure: input["keep-on-failure"],
		dryRun: input["dry-run"],
		refresh: {
			when: input.refresh,
			maxAgeMs: input["max-age"]
		},
		smokeTest: input["smoke-test"] ?? input.refresh !== "never",
		perNode: input["per-node"],
		keep: input.keep,
		pins: void 0,
		pin: input.pin === void 0 ? void 0 : parsePin(input.pin, name("pin")),
		imageRepository: input["image-repository"],
		aptMirror: input["apt-mirror"]
	};
}

// src/shell/lock-file.ts
function lockOf(raw, name) {
	const file = raw["lock-file"]?.trim() || (raw["lock"]?.trim() ? "templates.lock.json" : "");
	if (!file) return void 0;
	const mode = raw["lock"]?.trim() || "check";
	if (mode !== "check" && mode !== "write") throw new Failure("usage", `${name("lock")} is check or write, not ${JSON.stringify(mode)}`);
	return {
		file,
		mode
	};
}
function lockedRequest(request, raw, name) {
	const lock = lockOf(raw, name);
	if (lock?.mode !== "check") return request;
	return {
		...request,
		pins: parseLock(read(lock.file, name), lock.file)
	};
}
function saveLock(report, raw, name) {
	const lock = lockOf(raw, name);
	if (lock?.mode !== "write" || report.outcomes.some(({ result }) => result === "failed" || result === "planned")) return;
	const templates = report.outcomes.flatMap(({ target, template }) => template ? [{
		target,
		template
	}] : []);
	const undigested = templates.find(({ template }) => !template.digest);
	if (undigested) throw new Failure("failure", `VM ${undigested.template.vmid} has no manifest in its notes, so there is no digest to lock`, { remedy: ["build it anew: --refresh always"] });
	writeFileSync(lock.file, writeLock(templates, existsSync(lock.file) ? read(lock.file, name) : void 0, lock.file));
}
function read(file, name) {
	try {
		return readFileSync(file, "utf8");
	} catch (error) {
		throw new Failure("usage", `${name("lock-file")}: ${error.message}`, {
			remedy: ["write it first with --lock write"],
			cause: error
		});
	}
}

export { upidSchema as $, unknown as $t, convertToTemplate as A, remnantKey as At, shutdownVm as B, literal as Bt, sameTags as C, inEnglish as Ct, exactVersion as D, splitCredentials as Dt, ubuntuTarget as E, shownUrl as Et, readConfigIfThere as F, ZodMiniStringFormat as Ft, listGuests as G, optional as Gt, stopVm as H, nullish as Ht, readGuestFile as I, array as It, TaskFailure as J, prefault as Jt, listNodes as K, pick as Kt, readGuestHostName as L, boolean$1 as Lt, destroyVm as M, removalCommands as Mt, isWholeTemplate as N, sayRemnant as Nt, isExact as O, sayLeft as Ot, readConfig as P, number as Pt, taskStart as Q, transform as Qt, readStatus as R, extend as Rt, ownTag as S, isMissingVm as St, targetOfTags as T, parseUrl as Tt, updateConfig as U, number$1 as Ut, startVm as V, nullable as Vt, listBridges as W, object as Wt, stopTask as X, refine as Xt, findTask as Y, record as Yt, taskOwner as Z, string as Zt, templateOf as _, withSession as _t, parsePlanRequests as a, _toLowerCase as an, escapeMarkdown as at, kubeadmTarget as b, ProxmoxError as bt, flag as c, $constructor as cn, templateNotes as ct, parsePin as d, leaseGraceMs as dt, _gte as en, waitForTask as et, checkGuestNetwork as f, newLease as ft, planTarget as g, withDeadline as gt, readUntagged as h, onSignals as ht, parseCreateRequest as i, _regex as in, parseUpstreams as it, createVm as j, remnantSchema as jt, nonsense as k, sayRemains as kt, pool as l, NEVER as ln, manifestDigest as lt, planAll as m, seedFileName as mt, saveLock as n, _lte as nn, sayDuration as nt, checkInputs as o, _trim as on, leaseNotes as ot, createTemplates as p, sayLease as pt, nextVmid as q, pipe as qt, createSchema as r, _maxLength as rn, journalInto as rt, distribution as s, $ZodISODateTime as sn, readNotes as st, lockedRequest as t, _isoDateTime as tn, flag$1 as tt, checkPin as u, Failure as un, hasEnded as ut, distributions as v, apiPath as vt, talosTarget as w, proxyFor as wt, onNode as x, grantLines as xt, resolveRelease as y, parseConnection as yt, resizeDisk as z, int as zt };