// src/sources/once.ts
var Once = class {
	#answers = /* @__PURE__ */ new Map();
	get(key, ask) {
		const known = this.#answers.get(key);
		if (known !== void 0) return known;
		const answer = ask();
		this.#answers.set(key, answer);
		answer.catch(() => {
			if (this.#answers.get(key) === answer) this.#answers.delete(key);
		});
		return answer;
	}
	forget(key) {
		this.#answers.delete(key);
	}
};

export { Once as t };