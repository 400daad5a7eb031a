// src/http/too-large.ts
var TooLarge = class extends Error {
	maxBytes;
	constructor(maxBytes) {
		super(`the answer is larger than ${maxBytes} bytes`);
		this.maxBytes = maxBytes;
	}
};

export { TooLarge as t };