import { maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { siteLocks } from '@zhugong/contract/organisation/model'
import { sql } from 'kysely'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'

/** Next project code, 18 digits: area (6), day (yyMMdd), category (2), running number (4). It never changes (entities.md, 项目). */
export async function nextProjectCode(db: Db, areaCode: string, category: string, today: string): Promise<string> {
  const front = `${areaCode}${today.replaceAll('-', '').slice(2)}${category.slice(-2).padStart(2, '0')}`
  const { rows } = await sql<{
    last: string | null
  }>`select max(project_code) as last from project where project_code like ${`${front}%`}`.execute(db)
  return `${front}${String(Number(rows[0]?.last?.slice(-4) ?? 0) + 1).padStart(4, '0')}`
}

/** Requirements of 确认开工 that are not met: a building licence, the five parties, a supervision number (state machine prjStatus). */
export async function missingForStart(
  tx: Tx,
  project: Pick<Row<'project'>, 'projectCode' | 'builderLicenses' | 'superviseNo' | 'contractorCorpCode' | 'buildCorpCode'>,
): Promise<string[]> {
  const { rows } = await sql<{
    corpType: string
  }>`select distinct corp_type from project_corp where project_code = ${project.projectCode}`.execute(tx)
  const present = new Set(rows.map((r) => r.corpType))
  const parties = { '008': '建设单位', '009': '总承包单位', '007': '监理单位', '010': '勘察单位', '011': '设计单位' }
  return [
    ...(project.builderLicenses?.length ? [] : ['施工许可证']),
    ...Object.entries(parties).flatMap(([code, name]) => (present.has(code) ? [] : [name])),
    ...(project.superviseNo ? [] : ['监督登记号']),
  ]
}

/** The stored columns of a phone number; none if it was omitted, so that it stays unchanged. */
export function phoneColumns(ctx: Pick<Context, 'secrets'>, phone: unknown) {
  return typeof phone === 'string' && phone ? { linkPhone: ctx.secrets.seal(phone), linkPhoneMask: maskPhone(phone) } : {}
}

type Registered = Pick<Row<'project'>, keyof typeof siteLocks>

/** Refuses changes of registered facts by the project itself. The error names the field and the way to apply for a change. */
export function requireOwnFacts(ctx: Pick<Context, 'group'>, before: Registered, wanted: Registered): void {
  if (ctx.group.type !== groupTypes.project) return
  for (const field of Object.keys(siteLocks) as (keyof typeof siteLocks)[]) {
    if (plain(before[field]) === plain(wanted[field])) continue
    throw new AppError('forbidden', `${siteLocks[field]}为登记信息，由企业或监管机构维护，请提交变更申请`, { field })
  }
}

/** A comparable form: licences by their values, independent of the stored key order. */
function plain(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value ?? null)
  return JSON.stringify(value.map((one) => Object.entries(one as object).sort(([a], [b]) => (a < b ? -1 : 1))))
}
