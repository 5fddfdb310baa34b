// The parts of Python for the browser, by the names in the manifest. They are kept with the Cache API under names that
// change with their content, so that each is fetched once and is there offline. Where there is no Cache API, they are
// fetched as any other file.

const CACHE = "live-python";
const store = () => globalThis.caches?.open(CACHE).catch(() => null);

// The manifest. It too is kept; parts of an older one are dropped.
export async function readManifest(folder, name) {
  const kept = await store();
  const address = new URL(name, folder).href;
  const stored = await kept?.match(address);
  if (stored) return stored.json();
  const response = await get(address);
  const manifest = await response.clone().json();
  const names = Object.values(manifest.files).map(({ file }) => file);
  for (const request of (await kept?.keys()) ?? [])
    if (!names.some((file) => request.url.endsWith(`/${file}`))) await kept.delete(request);
  await kept?.put(address, response).catch(() => {}); // no room: fetch it again next time
  return manifest;
}

// The content of some parts, as { name: ArrayBuffer }. `progress(fetched, total)` counts bytes as they arrive, without
// what was kept from an earlier visit.
export async function readParts(folder, manifest, names, progress = () => {}) {
  const kept = await store();
  const parts = {};
  const absent = [];
  for (const name of names) {
    const stored = await kept?.match(new URL(manifest.files[name].file, folder).href);
    if (stored) parts[name] = await stored.arrayBuffer();
    else absent.push(manifest.files[name]);
  }
  const total = absent.reduce((sum, { bytes }) => sum + bytes, 0);
  let fetched = 0;
  await Promise.all(
    names.map(async (name) => {
      const { file, bytes, sha256 } = manifest.files[name];
      if (!parts[name]) {
        const address = new URL(file, folder).href;
        parts[name] = await readBody(await get(address), bytes, (count) => {
          fetched += count;
          progress(Math.min(fetched, total), total);
        });
        if (!(await isWhole(parts[name], sha256))) throw new Error(`The download of ${file} is incomplete. Try again.`);
        await kept?.put(address, new Response(parts[name].slice())).catch(() => {});
      }
      if (file.endsWith(".gzip")) parts[name] = await unzipped(parts[name]);
    }),
  );
  return parts;
}

// An address from which a script of the manifest can be loaded, also offline. Whoever asks for it revokes it.
export async function scriptAddress(folder, manifest, name) {
  const parts = await readParts(folder, manifest, [name]);
  return URL.createObjectURL(new Blob([parts[name]], { type: "text/javascript" }));
}

async function get(address) {
  const response = await fetch(address).catch(() => {
    throw new Error("There is no connection to the site.");
  });
  if (!response.ok) throw new Error(`The site has no ${address.split("/").pop()}. Reload the page and try again.`);
  return response;
}

async function readBody(response, size, count) {
  const whole = new Uint8Array(size);
  let length = 0;
  const reader = response.body.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    if (length + step.value.length > size) return new ArrayBuffer(0);
    whole.set(step.value, length);
    length += step.value.length;
    count(step.value.length);
  }
  return whole.buffer;
}

async function isWhole(content, sha256) {
  if (!globalThis.crypto?.subtle) return content.byteLength > 0; // on plain http there are no digests
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("") === sha256;
}

const unzipped = (content) =>
  new Response(new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
