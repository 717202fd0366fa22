import type pg from 'pg'
import { ConfigError } from './config.ts'
import type { Secrets } from './secret.ts'

/** Of a key that opens what was sealed; said of a database and of a backup alike. */
export const keyMustBe = (since: string): string => `SECRET_KEY（或 DATA_DIR/secret.key）须与${since}时相同，否则身份证号、手机号等无法解密`

const row = 'keyMark'
const purpose = 'key-mark'
const text = 'zhugong'
const wrongKey = () => new ConfigError(`数据库与当前密钥不符：${keyMustBe('建库')}`)

/** Sealed values of databases that bear no mark yet: any of them tells the key it was sealed with. */
const sealed = `
  select * from (
    (select phone as value from app_user where phone is not null limit 1) union all
    (select id_card_number from worker where id_card_number is not null limit 1) union all
    (select secret from gateway where secret is not null limit 1)) s`

/**
 * Everything personal is sealed with the installation's key: under another one nothing could be read, and what is written would be found by
 * nobody. The database bears a mark of its key from its first start on; `mayMark` false for who may only read it.
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
