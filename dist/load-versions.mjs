import { a as noneFits, i as nearestVersions, n as matchingVersions, o as selectVersion, r as mayFitMinor, t as checkSelector } from "./versions.mjs";

export { selectVersion };