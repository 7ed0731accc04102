// Writes the extension as a .vsix: a zip with a manifest, the code and the packages that it needs.

import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateRawSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { name, version, publisher, displayName, description, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));

function below(folder) {
  return readdirSync(folder).sort().flatMap((entry) => {
    const path = join(folder, entry);
    return statSync(path).isDirectory() ? below(path) : [path];
  });
}

// What is needed only to build and to test stays out.
const packages = Object.entries(lock.packages).filter(([path, info]) => path && !info.dev).map(([path]) => join(root, path));
const sources = [...["package.json", "language-configuration.json", "README.md"].map((path) => join(root, path)), ...below(join(root, "out", "src"))];
const files = new Map([...sources, ...packages.flatMap(below)].map((path) => ["extension/" + relative(root, path), readFileSync(path)]));

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
`;
const types = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${[...new Set([...files.keys()].map((path) => /\.([^./]+)$/.exec(path)?.[1]).filter(Boolean).concat("vsixmanifest"))]
  .map((extension) => `  <Default Extension=".${extension}" ContentType="application/octet-stream"/>`).join("\n")}
</Types>
`;
const all = new Map([["extension.vsixmanifest", Buffer.from(manifest)], ["[Content_Types].xml", Buffer.from(types)], ...files]);

const parts = [];
const central = [];
let offset = 0;
for (const [path, content] of all) {
  const packed = deflateRawSync(content);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x800, 2);
  fields.writeUInt16LE(8, 4);
  // A fixed time: the same sources make the same file.
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(content.length, 18);
  const label = Buffer.from(path);
  fields.writeUInt16LE(label.length, 22);
  parts.push(Buffer.from("PK\x03\x04", "latin1"), fields, label, packed);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  central.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, tail, label);
  offset += 30 + label.length + packed.length;
}
const directory = Buffer.concat(central);
const end = Buffer.alloc(18);
end.writeUInt16LE(all.size, 4);
end.writeUInt16LE(all.size, 6);
end.writeUInt32LE(directory.length, 8);
end.writeUInt32LE(offset, 12);
const file = join(root, `${name}-${version}.vsix`);
writeFileSync(file, Buffer.concat([...parts, directory, Buffer.from("PK\x05\x06", "latin1"), end]));
console.log(`wrote ${relative(process.cwd(), file)}: ${all.size} files`);
