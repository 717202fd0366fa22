import type pg from 'pg'
import { ConfigError } from './config.ts'
import type { Secrets } from './secret.ts'

/** Message that SECRET_KEY must be the one used at an earlier time; for databases and backups. */
export const keyMustBe = (since: string): string => `SECRET_KEY（或 DATA_DIR/secret.key）须与${since}时相同，否则身份证号、手机号等无法解密`

const row = 'keyMark'
const purpose = 'key-mark'
const text = 'zhugong'
const wrongKey = () => new ConfigError(`数据库与当前密钥不符：${keyMustBe('建库')}`)

/** Encrypted values, for databases that have no key mark yet: decrypting one shows whether the key is right. */
const sealed = `
  select * from (
    (select phone as value from app_user where phone is not null limit 1) union all
    (select id_card_number from worker where id_card_number is not null limit 1) union all
    (select secret from gateway where secret is not null limit 1)) s`

/**
 * Checks that the key is the one of this database. With another key, personal data could not be decrypted, and new values could not be
 * found by blind index. The first start stores a mark of the key; `mayMark` is false for connections that may only read.
 * @throws ConfigError when the key is not the database's
 */
export async function requireOwnKey(pool: Pick<pg.Pool, 'query'>, secrets: Secrets, mayMark = true): Promise<void> {
  const { rows } = await pool.query<{ mark: string }>(`select value ->> 'mark' as mark from setting where key = $1`, [row])
  const mark = rows[0]?.mark
  if (mark !== undefined) {
    if (!secrets.verify(purpose, text, mark)) throw wrongKey()
    return
  }
  const { rows: values } = await pool.query<{ value: Buffer }>(sealed)
  for (const { value } of values) {
    try {
      secrets.open(value)
    } catch {
      throw wrongKey()
    }
  }
  if (mayMark)
    await pool.query(`insert into setting (key, value) values ($1, jsonb_build_object('mark', $2::text)) on conflict do nothing`, [
      row,
      secrets.sign(purpose, text),
    ])
}
