import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { DayCheck, DayCheckBody } from '../daychecks/public.ts'
import { sheetName } from '../scoring/public.ts'

type Member = Pick<Row<'campaignMember'>, 'leader' | 'disciplines' | 'userId' | 'name'>
const forbidden = (message: string) => new AppError('forbidden', message)
const disciplineName = (code: string): string => dictName('checkDiscipline', code) ?? code

/**
 * Who of a group may do what in the check of a campaign. Members write the sheets of their disciplines until they have submitted them, and
 * nothing else; the leader also those of experts who have no account. Problems, deadlines and the whole result are the leader's. The task
 * itself is fixed by the draw: officers, day and sheets are not changed in the check.
 * @throws AppError
 */
export async function allowsWrite(ctx: Context, check: DayCheck, body: DayCheckBody): Promise<void> {
  if (check.campaignId === null) return
  if (body.action === 'remark') return
  if (body.action === 'assign' || body.action === 'cancel')
    throw new AppError('refused', '督查任务由受检名单产生，不能单独调整或取消；项目停工的在督查中替换')
  const members = await groupOf(ctx, check)
  const me = members.find((one) => one.userId === ctx.user.id)
  if (!me) throw forbidden('您不是本检查组成员')
  switch (body.action) {
    case 'checkIn':
      return
    case 'save':
    case 'submit':
      if (!me.leader) throw forbidden('问题、期限和汇总提交由组长办理，成员只记录本专业的检查情况')
      return
    case 'addUnit': {
      const strange = body.sheets.find((code) => !check.template?.includes(code))
      if (strange) throw new AppError('refused', `${sheetName(strange)}不在本次督查的检查表中，可记入其他问题`)
      return
    }
    case 'submitDiscipline':
      if (!writes(me, members, body.discipline)) throw forbidden(`您不负责${disciplineName(body.discipline)}专业`)
      await requireChecked(ctx, check, body.discipline)
      return
    case 'saveUnit':
      return requireOwnSheets(ctx, check, { me, members, body })
  }
}

/** His own discipline; for the leader also one whose people have no account. */
const writes = (me: Member, members: readonly Member[], discipline: string): boolean =>
  me.disciplines.includes(discipline) || (me.leader && !members.some((one) => one.userId !== null && one.disciplines.includes(discipline)))

async function groupOf(ctx: Pick<Context, 'db'>, { campaignId, campaignGroup }: DayCheck): Promise<Member[]> {
  const { rows } = await sql<Member>`select m.leader, m.disciplines, m.user_id, m.name from campaign_member m
    join campaign_group g on g.campaign_id = m.campaign_id and g.seq = m.group_seq
    where m.campaign_id = ${campaignId} and g.name = ${campaignGroup}`.execute(ctx.db)
  return rows
}

interface Saving {
  me: Member
  members: readonly Member[]
  body: Extract<DayCheckBody, { action: 'saveUnit' }>
}

async function requireOwnSheets(ctx: Context, check: DayCheck, { me, members, body }: Saving): Promise<void> {
  const ids = [...new Set([...body.items, ...body.notApplicable].map((one) => one.sheetId))]
  type Named = { sheetCode: string; discipline: string | null; signed: boolean; same: boolean }
  const { rows } =
    await sql<Named>`select s.sheet_code, h.discipline, s.not_applicable is not distinct from g.reason and not g.items as same,
      exists (select from day_check_discipline x where x.check_id = s.check_id and x.discipline = h.discipline) as signed
    from check_sheet s left join campaign_sheet h on h.campaign_id = ${check.campaignId} and h.sheet_code = s.sheet_code
    join unnest(${ids}::text[], ${ids.map((id) => body.notApplicable.find((one) => one.sheetId === id)?.reason ?? null)}::text[],
      ${ids.map((id) => body.items.some((one) => one.sheetId === id))}::boolean[]) as g (id, reason, items) on g.id = s.id
    where s.check_id = ${check.id} and s.task_id = ${body.taskId}`.execute(ctx.db)
  // A device sends again that a sheet of somebody else does not apply; that changes nothing.
  for (const one of rows.filter(({ same }) => !same)) {
    const discipline = one.discipline ?? ''
    if (!writes(me, members, discipline)) throw forbidden(`${sheetName(one.sheetCode)}由${disciplineName(discipline)}专业记录`)
    if (one.signed) throw new AppError('refused', `${disciplineName(discipline)}专业已提交，${sheetName(one.sheetCode)}不能再改`)
  }
}

/** The sheets that the caller may write now; undefined for a check that belongs to no campaign. */
export async function sheetsToWrite(ctx: Context, check: DayCheck): Promise<ReadonlySet<string> | undefined> {
  if (check.campaignId === null) return undefined
  const members = await groupOf(ctx, check)
  const me = members.find((one) => one.userId === ctx.user.id)
  const { rows } = await sql<{ sheetCode: string; discipline: string }>`select h.sheet_code, h.discipline from campaign_sheet h
    where h.campaign_id = ${check.campaignId} and not exists (select from day_check_discipline x
      where x.check_id = ${check.id} and x.discipline = h.discipline)`.execute(ctx.db)
  return new Set(rows.filter(({ discipline }) => me && writes(me, members, discipline)).map((one) => one.sheetCode))
}

/** A discipline is signed off when every sheet of it is finished in every unit. */
async function requireChecked(ctx: Context, check: DayCheck, discipline: string): Promise<void> {
  const { rows } = await sql<{
    sheetCode: string
    name: string
    n: number
  }>`select s.sheet_code, u.name, count(*)::int as n from check_sheet s
    join campaign_sheet h on h.campaign_id = ${check.campaignId} and h.sheet_code = s.sheet_code and h.discipline = ${discipline}
    join day_check_unit u on u.id = s.task_id join check_result r on r.sheet_id = s.id and r.result = '4'
    where s.check_id = ${check.id} and s.not_applicable is null group by 1, 2 order by 2, 1 limit 1`.execute(ctx.db)
  const open = rows[0]
  if (open) throw new AppError('refused', `${open.name}的${sheetName(open.sheetCode)}还有 ${open.n} 项未检查`, { field: 'discipline' })
}
