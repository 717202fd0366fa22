import { join, resolve } from 'node:path'
import { backUp } from '#kit/backup/backup'
import { restore } from '#kit/backup/restore'
import { type Config, ConfigError } from '#kit/config'
import { openDatabase } from '#kit/db'
import { createLog } from '#kit/log'
import { runningPostgresUrl, startPostgres } from '#kit/postgres/launcher'
import { createSecrets } from '#kit/secret'

/**
 * `npm run backup -- FOLDER` backs up while the product runs; `npm run restore -- FOLDER` restores into an empty database. Uses the
 * database of DATABASE_OWNER_URL or DATABASE_URL, otherwise the embedded one of DATA_DIR, which is started for this purpose if it is not
 * running.
 */
export async function copyOrBring(
  what: 'backup' | 'restore',
  config: Config,
  args: readonly string[],
  migrationsFolder: string,
): Promise<void> {
  const [given] = args
  if (!given) throw new ConfigError(`用法：npm run ${what} -- 目录`)
  const begun = performance.now()
  const folder = resolve(given)
  const running = config.databaseOwnerUrl ?? runningPostgresUrl(config.dataDir)
  const own = running ? undefined : await startPostgres({ dataDir: config.dataDir, log: createLog(what, 'warn') })
  const database = openDatabase(running ?? own?.url ?? '', { max: 2, name: `zhugong-${what}`, owner: true })
  const shared = {
    pool: database.pool,
    secrets: createSecrets(config.secretKey),
    filesFolder: join(config.dataDir, 'files'),
    folder,
    progress: (text: string) => console.log(text),
  }
  try {
    const { tables, files, takenAt } = what === 'backup' ? await backUp(shared) : await restore({ ...shared, migrationsFolder })
    const rows = tables.reduce((sum, t) => sum + t.rows, 0)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    console.log(
      `${what === 'backup' ? `已备份到 ${folder}` : `已从 ${takenAt} 的备份恢复`}：${tables.length} 张表 ${rows} 行，附件 ${files} 个，${seconds} 秒`,
    )
    if (what === 'backup') console.log('密钥不在备份里：SECRET_KEY（或 DATA_DIR/secret.key）请单独、加密保存，没有它个人信息无法解密')
  } finally {
    await database.close()
    await own?.stop()
  }
}
