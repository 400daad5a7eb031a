/** The answer holds more bytes than the caller takes. */
export class TooLarge extends Error {
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`the answer is larger than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}
