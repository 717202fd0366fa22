import { dayMs } from '@zhugong/contract/kit/time'
import type { ImportCells, ImportRowState, ImportState } from '@zhugong/contract/personnel/import'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { City, ProjectWorker } from '@zhugong/simulator/city-types'
import { personName } from '@zhugong/simulator/names'
import { bankCardNumber, idCardNumber, mobile } from '@zhugong/simulator/numbers'
import { idOf, type Random, stream } from '@zhugong/simulator/random'
import { formatDay } from '#kit/clock'
import type { Db } from '#kit/db'
import type { Secrets } from '#kit/secret'

/** A long list the clerk still has to correct, and its number of wrong rows. */
const longList = 300
/** Account of the uploading clerk. */
const clerkAccount = 'hospital-labour'

interface Plan {
  fileName: string
  daysAgo: number
  state: ImportState
  /** Rows of people who have entered since, of newcomers, and their results. */
  came: number
  newcomers: number
  newState?: ImportRowState
  message?: string
  base?: true
  cancelled?: true
}
const plans: readonly Plan[] = [
  { fileName: '云泽医院新进场人员 300 人.xlsx', daysAgo: 0, state: '0', came: 0, newcomers: longList },
  { fileName: '木工二班名单.xlsx', daysAgo: 0.1, state: '0', came: 0, newcomers: 24 },
  {
    fileName: '机电安装人员.xlsx',
    daysAgo: 1,
    state: '7',
    came: 8,
    newcomers: 12,
    newState: 'ok',
    message: '导入没有完成，请点“继续导入”；若仍失败请联系管理员',
  },
  { fileName: '钢筋班组增补.xlsx', daysAgo: 3, state: '6', came: 22, newcomers: 3, newState: 'skipped' },
  { fileName: '粘贴 6 行', daysAgo: 4, state: '5', came: 6, newcomers: 0 },
  { fileName: '劳务公司花名册（旧）.xlsx', daysAgo: 6, state: '7', came: 0, newcomers: 0, message: '已作废', cancelled: true },
  { fileName: '架子工进场.xlsx', daysAgo: 9, state: '5', came: 16, newcomers: 0 },
  { fileName: '混凝土班组.xlsx', daysAgo: 14, state: '6', came: 31, newcomers: 2, newState: 'failed' },
  { fileName: '特种作业人员.xlsx', daysAgo: 16, state: '5', came: 9, newcomers: 0 },
  { fileName: '幕墙专业分包.xlsx', daysAgo: 20, state: '5', came: 27, newcomers: 0 },
  { fileName: '公司基础档案.xlsx', daysAgo: 24, state: '0', came: 0, newcomers: 5, base: true },
  { fileName: '首批进场人员.xlsx', daysAgo: 27, state: '5', came: 60, newcomers: 0 },
]

/** Twelve imported lists of people at the hospital's site, in all resting states. Pending ones are validated by the jobs process. */
export async function seedImports(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const clerk = await db.selectFrom('appUser').select(['id', 'name']).where('account', '=', clerkAccount).executeTakeFirst()
  const projectCode = city.personas.find((p) => p.account === clerkAccount)?.projectCode
  const group = projectCode
    ? await db.selectFrom('tenant').select('id').where('type', '=', 3).where('code', '=', projectCode).executeTakeFirst()
    : undefined
  if (!clerk || !projectCode || !group) return
  const people = peopleOf(city, projectCode, now)
  for (const plan of plans) {
    const at = new Date(now - plan.daysAgo * dayMs)
    const id = idOf('people-import', plan.fileName)
    const rows = [
      ...people.came(plan.came).map((one) => ({ ...one, state: 'done' as const })),
      ...people.newcomers(plan.newcomers).map((cells) => ({ cells, state: plan.newState ?? ('new' as const), stay: undefined })),
    ]
    if (plan.newcomers === longList)
      spoil(
        rows.map((row) => row.cells),
        city,
        projectCode,
      )
    await db
      .insertInto('workerImport')
      .values({
        id,
        groupId: group.id,
        projectCode: plan.base ? null : projectCode,
        kind: plan.base ? 'base' : plan.fileName.startsWith('粘贴') ? 'paste' : 'project',
        fileName: plan.fileName,
        fileHash: id,
        state: plan.state,
        total: rows.length,
        success: plan.came,
        fail: plan.newState && plan.newState !== 'ok' ? plan.newcomers : 0,
        message: plan.message ?? '',
        confirmed: plan.newState === 'ok',
        cancelled: plan.cancelled ?? false,
        createBy: clerk.id,
        createName: clerk.name,
        createTime: at,
        updateTime: at,
      })
      .execute()
    if (rows.length === 0) continue
    await db
      .insertInto('workerImportRow')
      .values(
        rows.map(({ cells, state, stay }, i) => ({
          importId: id,
          rowNo: i + 2,
          cells: secrets.seal(JSON.stringify(cells)) as Buffer,
          state,
          issues: JSON.stringify(isFaulty(state) ? [tooLate] : []),
          message: isFaulty(state) ? tooLate.text : '',
          idHash: secrets.blindIndex('id-card', cells.idCardNumber ?? ''),
          cardHash: null,
          team: cells.team ?? null,
          result: stay ? ('created' as const) : null,
          workerId: stay?.workerId ?? null,
          projectWorkerId: stay?.id ?? null,
        })),
      )
      .execute()
  }
}
const isFaulty = (state: ImportRowState) => state === 'failed' || state === 'skipped'
const tooLate = { field: 'entryTime', kind: 'place', level: 'error', text: '进场不能早于所在单位进场' } as const

function peopleOf(city: City, projectCode: string, now: number) {
  const random = stream('people-import', projectCode)
  const byId = new Map(city.workers.map((w) => [w.workerId, w]))
  const corps = new Map(city.corporations.map((c) => [c.corpCode, c.corpName]))
  const teams = new Map(city.teams.map((t) => [t.teamSysNo, t]))
  const here = city.projectWorkers.filter(
    (s) => s.projectCode === projectCode && s.exitTime === null && s.teamSysNo !== null && s.workType !== null,
  )
  const taken = new Set(city.workers.map((w) => w.idCardNumber))
  let next = 0
  const cellsOf = (stay: ProjectWorker): ImportCells => {
    const worker = byId.get(stay.workerId)
    return {
      name: worker?.name ?? '',
      idCardNumber: worker?.idCardNumber ?? '',
      cellPhone: worker?.cellPhone ?? '',
      ...placeOf(stay),
      entryTime: stay.entryTime.slice(0, 10),
    }
  }
  const placeOf = (stay: ProjectWorker): ImportCells => ({
    corp: corps.get(stay.corpCode) ?? '',
    team: teams.get(stay.teamSysNo ?? 0)?.teamName ?? '',
    workType: dictName('workerType', stay.workType) ?? '',
  })
  const newcomer = (i: number): ImportCells => {
    const stay = here[(i * 7) % Math.max(1, here.length)]
    const { name } = personName(random, 0.08)
    return {
      name,
      idCardNumber: freshNumber(random, taken),
      nation: '汉族',
      cellPhone: mobile(random),
      ...(stay ? placeOf(stay) : {}),
      entryTime: formatDay(now),
      bank: '中国建设银行',
      bankCard: bankCardNumber(random, '621700'),
    }
  }
  return {
    came: (count: number) => {
      const from = next
      next += count
      return here.slice(from, next).map((stay) => ({ cells: cellsOf(stay), stay }))
    },
    newcomers: (count: number) => Array.from({ length: count }, (_, i) => newcomer(i)),
  }
}

function freshNumber(random: Random, taken: Set<string>): string {
  for (;;) {
    const [year, month, day] = [random.int(1969, 2003), random.int(1, 12), random.int(1, 28)]
    const birthday = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
    const number = idCardNumber('420281', birthday, random.int(400, 498) * 2 + 1)
    if (taken.has(number)) continue
    taken.add(number)
    return number
  }
}

/** Twelve realistic rows, each with a different error. */
function spoil(rows: ImportCells[], city: City, projectCode: string): void {
  const at = (i: number): ImportCells => rows[i] ?? {}
  const change = (i: number, cells: ImportCells) => Object.assign(at(i), cells)
  const wrong = at(11).idCardNumber ?? ''
  change(11, { idCardNumber: wrong.slice(0, 17) + (wrong.endsWith('1') ? '2' : '1') })
  change(38, { idCardNumber: '42028119900230401X' })
  for (const i of [52, 97, 140]) change(i, { workType: '钢筋' })
  const ownCorp = at(75).corp
  const corps = new Map(city.corporations.map((c) => [c.corpCode, c.corpName]))
  const other = city.teams.find((t) => t.projectCode === projectCode && corps.get(t.corpCode) !== ownCorp)
  if (other) change(75, { team: other.teamName })
  change(110, { idCardNumber: at(109).idCardNumber ?? '', name: at(109).name ?? '' })
  change(166, { idCardNumber: idCardNumber('420281', `${new Date().getUTCFullYear() - 16}-01-01`, 401) })
  const holder = city.projectWorkers.find((s) => s.projectCode === projectCode && s.payRollBankCardNumber)
  if (holder?.payRollBankCardNumber) change(201, { bankCard: holder.payRollBankCardNumber })
  change(230, { cellPhone: '1380013800' })
  change(255, { entryTime: '2026年2月30日' })
  const here = city.projectWorkers.find((s) => s.projectCode === projectCode && s.exitTime === null)
  const known = city.workers.find((w) => w.workerId === here?.workerId)
  if (known) change(280, { name: known.name, idCardNumber: known.idCardNumber })
}
