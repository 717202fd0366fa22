import { maskBankCard } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/labour/unit-info'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, requireCode } from '#kit/context'
import type { Row, RowUpdate } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { type Due, dueColumns, hasArrived, hasCome, isDue, runningDay } from '../attendance/public.ts'
import { keptFiles, linksOf } from '../files/public.ts'
import { companyNotice } from './black-hold.ts'
import { createUnit } from './create-unit.ts'
import { daysOf, dueOn } from './site-days.ts'
import { getTeamStay, leaveWithTeam, removeTeamStay, teamStayForm, updateTeamStay } from './stay-info.ts'
import { type RawStay, staySelect, toStay } from './team-rows.ts'
import { requirePartWriter } from './unit-checks.ts'
import { fillUnit, getUnit, ofOwnLine, type RawUnit } from './unit-list.ts'

/** Routes of a unit's detail page, with the stays of its teams. */
export function unitInfoRoutes(serve: Serve) {
  serve(contract.createUnit, createUnit)
  serve(contract.getUnitInfo, getUnitInfo)
  serve(contract.updateUnitInfo, updateUnitInfo)
  serve(contract.getTeamStay, getTeamStay)
  serve(contract.teamStayForm, teamStayForm)
  serve(contract.updateTeamStay, updateTeamStay)
  serve(contract.removeTeamStay, removeTeamStay)
  serve(contract.leaveWithTeam, leaveWithTeam)
}

type Stored = Row<'projectCorp'>['bankAccounts'][number]

const getUnitInfo: HandlerOf<typeof contract.getUnitInfo> = async ({ query }, ctx) => {
  const seen = await getUnit(ctx, query.id)
  const isOwnLine = ofOwnLine(ctx, seen)
  const u: RawUnit = isOwnLine
    ? seen
    : {
        ...seen,
        contractAmount: null,
        bankAccounts: [],
        accountChange: null,
        insurances: [],
        contractChanges: [],
        agreementFile: [],
        remark: null,
      }
  const today = await runningDay(ctx, u.projectCode)
  const stay = { projectCode: u.projectCode, corpCode: u.corpCode }
  const days = await daysOf(ctx, sql`d.project_code = ${u.projectCode} and d.corp_code = ${u.corpCode}`, today)
  return {
    ...fillUnit(ctx, u),
    isOwnLine,
    byTrade: await byTrade(ctx, stay, today),
    days,
    today: dueOn(days, today),
    pmRate: await pmRate(ctx, u, today),
    ...(await gapsOf(ctx, stay)),
    bad: await badCount(ctx, stay, today),
    teams: await teamsOf(ctx, stay, today),
    moves: await movesOf(ctx, u),
    agreementFile: linksOf(ctx, u.agreementFile),
    insurances: u.insurances.map((i) => ({
      ...i,
      kindName: dictName('insuranceType', i.kind),
      left: Math.round((Date.parse(i.endDate) - Date.parse(formatDay(ctx.clock.now()))) / 86_400_000),
    })),
    contractChanges: u.contractChanges.map((c) => ({ ...c, files: linksOf(ctx, c.files) })),
    remark: u.remark,
    accounts: u.bankAccounts.map(shown),
    accountChange: u.accountChange
      ? {
          accounts: u.accountChange.accounts.map(shown),
          byName: u.accountChange.byName,
          time: u.accountChange.at,
          own: u.accountChange.by === ctx.user.id,
        }
      : null,
    black: await companyNotice(ctx, stay),
  }
}

const shown = ({ sealed: _number, mask, ...a }: Stored) => ({
  ...a,
  bankNumber: mask,
  businessTypeName: dictName('bankAccountKind', a.businessType),
  bankCodeName: dictName('bankCode', a.bankCode),
})

interface Place {
  projectCode: string
  corpCode: string
}

// Reads tables of attendance directly: one query over stays and days.
async function byTrade(ctx: Context, { projectCode, corpCode }: Place, today: string) {
  const { rows } = await sql<{ code: string; present: number; attended: number }>`
    select case when w.work_role = '10' then 'manager' else coalesce(w.work_type, '') end as code, count(*)::int as present,
      count(*) filter (where ${hasCome('d')})::int as attended
    from project_worker w left join attendance_day d on d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = ${today}::date
    where w.project_code = ${projectCode} and w.corp_code = ${corpCode} and w.exit_time is null group by 1 order by 2 desc, 1`.execute(
    ctx.db,
  )
  return rows.map((r) => ({ ...r, name: r.code === 'manager' ? '管理人员' : (dictName('workerType', r.code) ?? '未填工种') }))
}

/** Days over which a leader's presence is computed. */
const leaderDays = 30
async function pmRate(ctx: Context, u: RawUnit, today: string): Promise<number | null> {
  const { rows } = await sql<{ rate: number | null }>`
    select (count(*) filter (where ${hasArrived('d')}))::float / nullif(count(*) filter (where ${isDue('d')}), 0) as rate
    from project_worker w join attendance_day d on d.project_code = w.project_code and d.worker_id = w.worker_id
    where w.project_code = ${u.projectCode} and w.corp_code = ${u.corpCode} and w.exit_time is null and w.work_role = '10' and w.worker_name = ${u.pmName}
      and d.work_day > ${today}::date - ${leaderDays}::int and d.work_day < ${today}::date`.execute(ctx.db)
  const rate = rows[0]?.rate
  return rate === null || rate === undefined ? null : Math.min(1, rate)
}

async function gapsOf(ctx: Context, { projectCode, corpCode }: Place) {
  const { rows } = await sql<{ workers: number; contract: number; training: number; payCard: number; blacklist: number; realName: number }>`
    select count(*) filter (where w.work_role = '20')::int as workers, count(*) filter (where not w.has_contract and w.work_role = '20')::int as contract,
      count(*) filter (where not w.entry_trained)::int as training,
      count(*) filter (where w.work_role = '20' and w.pay_roll_bank_card_hash is null)::int as pay_card,
      count(*) filter (where w.black_hit)::int as blacklist,
      count(*) filter (where exists (select 1 from worker p where p.id = w.worker_id and p.real_name_state <> '1'))::int as real_name
    from project_worker w where w.project_code = ${projectCode} and w.corp_code = ${corpCode} and w.exit_time is null`.execute(ctx.db)
  const { workers = 0, contract: unsigned = 0, training = 0, payCard = 0, blacklist = 0, realName = 0 } = rows[0] ?? {}
  return { workers, gaps: { contract: unsigned, training, payCard, blacklist, realName } }
}

async function badCount(ctx: Context, { projectCode, corpCode }: Place, today: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from worker_bad where project_code = ${projectCode} and corp_code = ${corpCode} and audit_status = '1'
      and valid_until >= ${today}::date`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function teamsOf(ctx: Context, { projectCode, corpCode }: Place, today: string) {
  const { rows } = await sql<RawStay & Due>`
    select s.*, n.expected, n.arrived
    from (${staySelect} where pt.project_code = ${projectCode} and pt.corp_code = ${corpCode}) s
      cross join lateral (select ${dueColumns('d')} from attendance_day d
        where d.project_code = s.project_code and d.work_day = ${today}::date and d.team_id = s.team_id) n
    order by s.exit_time is null desc, s.headcount desc, s.entry_time limit 200`.execute(ctx.db)
  return rows.map((s) => ({ ...toStay(s), today: { expected: s.expected, arrived: s.arrived } }))
}

async function movesOf(ctx: Context, u: RawUnit) {
  const { rows } = await sql<{ date: string; text: string }>`
    select to_char(pt.entry_time, 'YYYY-MM-DD') as date, t.team_name || ' 进场' as text from project_team pt join team t on t.id = pt.team_id
      where pt.project_code = ${u.projectCode} and pt.corp_code = ${u.corpCode}
    union all select to_char(pt.exit_time, 'YYYY-MM-DD'), t.team_name || ' 退场' from project_team pt join team t on t.id = pt.team_id
      where pt.project_code = ${u.projectCode} and pt.corp_code = ${u.corpCode} and pt.exit_time is not null
    order by 1 desc limit 60`.execute(ctx.db)
  return [...(u.exitTime ? [{ date: u.exitTime, text: '单位退场' }] : []), ...rows, { date: u.entryTime, text: '单位进场' }].sort((a, b) =>
    a.date < b.date ? 1 : -1,
  )
}

type Part = NonNullable<(typeof contract.updateUnitInfo)['types']>['parsed']['body']

const updateUnitInfo: HandlerOf<typeof contract.updateUnitInfo> = async ({ body }, ctx) => {
  const before = await getUnit(ctx, body.id)
  requirePartWriter(ctx, before.corpType)
  const isMoney = body.part === 'accounts' || body.part === 'confirmAccounts'
  requireCode(ctx, isMoney ? 'labour.account' : 'labour.unit')
  await changeRow(ctx, 'projectCorp', {
    key: { id: before.id },
    version: body.version,
    noun: '参建单位',
    by: ctx.user.id,
    values: { ...(await columnsOf(ctx, before, body)) },
  })
  ctx.note(`修改参建单位扩展信息（${partNames[body.part]}）：${before.corpName}`, before.id)
  return undefined
}
const partNames: Record<Part['part'], string> = {
  pay: '工资代发',
  accounts: '账户',
  confirmAccounts: '账户确认',
  contract: '补充协议',
  insurance: '保险',
  remark: '备注',
}

async function columnsOf(ctx: Context, before: RawUnit, body: Part): Promise<RowUpdate<'projectCorp'>> {
  switch (body.part) {
    case 'pay':
      return { payType: body.payType, agreementFile: JSON.stringify(await keptFiles(ctx, body.agreementFile, before.agreementFile)) }
    case 'accounts':
      return changedAccounts(ctx, before, body.accounts)
    case 'confirmAccounts':
      return decidedAccounts(ctx, before, body.accept)
    case 'contract': {
      const known = before.contractChanges.flatMap((c) => c.files)
      const changes = []
      for (const c of body.changes) changes.push({ ...c, files: await keptFiles(ctx, c.files, known) })
      return { contractChanges: JSON.stringify(changes.sort((a, b) => (a.date < b.date ? -1 : 1))) }
    }
    case 'insurance':
      return { insurances: JSON.stringify(body.insurances) }
    case 'remark':
      return { remark: body.remark }
  }
}

/** The first accounts are valid at once; changes of wage accounts need another user's approval. */
function changedAccounts(ctx: Context, before: RawUnit, given: Extract<Part, { part: 'accounts' }>['accounts']): RowUpdate<'projectCorp'> {
  const accounts = given.map((a, i): Stored => {
    const { bankNumber, ...rest } = a
    if (!bankNumber) {
      const kept = before.bankAccounts[i]
      if (!kept) throw new AppError('invalidInput', '请填写账号', { field: `accounts.${i}.bankNumber` })
      return { ...rest, sealed: kept.sealed, mask: kept.mask }
    }
    const number = bankNumber.replace(/[\s-]/g, '')
    return { ...rest, sealed: ctx.secrets.seal(number)?.toString('base64') ?? '', mask: maskBankCard(number) }
  })
  if (before.bankAccounts.length === 0) return { bankAccounts: JSON.stringify(accounts), accountChange: 'null' }
  const change = { accounts, by: ctx.user.id, byName: ctx.user.name, at: formatInstant(ctx.clock.now()) }
  return { accountChange: JSON.stringify(change) }
}

function decidedAccounts(ctx: Context, before: RawUnit, accept: boolean): RowUpdate<'projectCorp'> {
  const change = before.accountChange
  if (!change) throw new AppError('refused', '没有等待确认的账户变更')
  if (accept && change.by === ctx.user.id) throw new AppError('refused', '账户变更须由另一人确认')
  return { accountChange: 'null', bankAccounts: accept ? JSON.stringify(change.accounts) : undefined }
}
