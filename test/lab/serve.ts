// `npm run lab`: the lab, until it is interrupted. It lives in a network namespace, into which the printed line leads.
import { openLab } from "./world.ts";

await using lab = await openLab();
const { PATH: _path, HOME: _home, ...environment } = lab.environment;
console.log(`
The lab runs in a network namespace of its own. In another terminal, as root:

  nsenter --net --mount --target "$(pgrep -f test/lab/serve.ts | tail -n 1)"

and there:
`);
for (const [name, value] of Object.entries(environment)) console.log(`  export ${name}='${value}'`);
console.log(`
  kubehenge template create rke2
  kubehenge template create kubeadm --build-address 10.0.2.77/24 --build-gateway 10.0.2.2 --build-dns 10.0.2.3

Consoles and disks of the machines: ${lab.directory}/machines. Ctrl+C ends the lab.
`);
await new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
});
