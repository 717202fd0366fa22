import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { keyMustBe } from '../key-mark.ts'
import type { Secrets } from '../secret.ts'

/** A backup that cannot be made or restored; the message is for the operator. */
export class BackupError extends Error {}

const formatVersion = 1
const manifestFile = 'manifest.json'

const manifest = z.object({
  format: z.literal(formatVersion),
  takenAt: z.string(),
  /** Result of `show server_version`. */
  server: z.string(),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  tables: z.array(
    z.object({ name: z.string(), columns: z.array(z.string()), rows: z.number(), file: z.string(), bytes: z.number(), sha256: z.string() }),
  ),
  /** Day partitions, which a restore creates before it writes rows. */
  partitions: z.array(z.object({ parent: z.string(), name: z.string(), bound: z.string() })),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  files: z.number(),
})
export type Manifest = z.infer<typeof manifest>

/** Signed with the installation's key: a restore detects a changed backup, or one of another installation, before it writes anything. */
const signed = z.object({ signature: z.string(), manifest: z.unknown() })
const signaturePurpose = 'backup'

export const hasManifest = (folder: string): boolean => existsSync(join(folder, manifestFile))

/** Writes the manifest atomically and last: a backup without a manifest is incomplete. */
export async function writeManifest(folder: string, content: Manifest, secrets: Secrets): Promise<void> {
  const draft = join(folder, `${manifestFile}.part`)
  const signature = secrets.sign(signaturePurpose, JSON.stringify(content))
  await writeFile(draft, JSON.stringify({ signature, manifest: content }, null, 1), { mode: 0o600 })
  await rename(draft, join(folder, manifestFile))
}

/** @throws BackupError when the manifest is missing, was changed, or was signed with another key */
export async function readManifest(folder: string, secrets: Secrets): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(() => {
    throw new BackupError(`${folder} 里没有完整的备份（缺少 ${manifestFile}）`)
  })
  let outer: z.infer<typeof signed>
  let content: Manifest
  try {
    outer = signed.parse(JSON.parse(text))
    content = manifest.parse(outer.manifest)
  } catch (error) {
    throw new BackupError(`${manifestFile} 读不懂：文件损坏，或备份来自更新的版本`, { cause: error })
  }
  if (!secrets.verify(signaturePurpose, JSON.stringify(outer.manifest), outer.signature))
    throw new BackupError(`备份与当前密钥不符：${keyMustBe('备份')}；也可能是备份被改动过`)
  return content
}

/** @throws BackupError naming the first file that is missing or has changed */
export async function verifyTables(folder: string, content: Manifest): Promise<void> {
  for (const { name, file, sha256 } of content.tables) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(join(folder, file)), hash).catch(() => {
      throw new BackupError(`备份不完整：缺少 ${file}`)
    })
    if (hash.digest('hex') !== sha256) throw new BackupError(`备份已损坏：表 ${name} 的文件 ${file} 与备份时不同`)
  }
}
