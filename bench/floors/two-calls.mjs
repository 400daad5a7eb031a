// The floor of reusing a template: the two calls it needs, on one TLS connection with a pinned certificate.
import * as https from "node:https";

const { BENCH_ORIGIN: origin, BENCH_TOKEN: token, BENCH_FINGERPRINT: fingerprint, BENCH_VMID: vmid } = process.env;
const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });

function get(path) {
  return new Promise((resolve, reject) => {
    const request = https.get(
      `${origin}/api2/json${path}`,
      { agent, headers: { authorization: `PVEAPIToken=${token}` } },
      (response) => {
        if (response.socket.getPeerX509Certificate().fingerprint256 !== fingerprint)
          reject(new Error("another certificate"));
        const chunks = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString()).data));
      },
    );
    request.on("error", reject);
  });
}

const rows = await get("/cluster/resources?type=vm");
const config = await get(`/nodes/pve1/qemu/${vmid}/config`);
if (!rows.some((row) => String(row.vmid) === vmid) || config.template !== 1)
  throw new Error("the template is not there");
agent.destroy();
