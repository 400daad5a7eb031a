// Preloaded into the bundled command: its calendar runs as many times as fast as real time as the file says that
// KUBEHENGE_LAB_SPEED names; its pauses stay as they are. Below 1 where guests are emulated: so the product's bounds for a
// guest are what they are, and met by a machine without KVM. Above 1 when a test has made a guest silent for good.
import { readFileSync } from "node:fs";

const file = process.env.KUBEHENGE_LAB_SPEED;
const realNow = Date.now.bind(Date);
let speed = Number(readFileSync(file, "utf8"));
let calendar = realNow();
let real = calendar;
let lastRead = real;

Date.now = () => {
  const now = realNow();
  if (now - lastRead > 500) {
    lastRead = now;
    const wanted = Number(readFileSync(file, "utf8"));
    if (wanted !== speed) {
      calendar += (now - real) * speed;
      real = now;
      speed = wanted;
    }
  }
  return Math.round(calendar + (now - real) * speed);
};
