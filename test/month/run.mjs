// `npm run test:month`: thirty simulated nights of refreshing templates, told as a table.
await import("../text-modules.mjs");
await import("./main.ts");
