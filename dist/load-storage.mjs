import { a as takesFormat, i as listVolumes, n as downloadImage, o as uploadIso, r as listStorages, t as deleteVolume } from "./storage.mjs";

export { listStorages };