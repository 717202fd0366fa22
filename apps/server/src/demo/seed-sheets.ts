import type { SheetAction, SheetState } from '@zhugong/contract/sheets/moves'
import { type PartySeat, partySeats } from '@zhugong/contract/sheets/seats'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf, stream } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { contentHash } from '#domains/process/public'
import { type Sheet, selectSheet, seriesWords, sheetKind } from '#domains/sheets/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { drawnName } from './drawn-name.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { type SheetPlan, sheetPlans } from './sheet-plan.ts'
import { todoRows } from './todo-rows.ts'

const hour = 3_600_000
/** Author and second officer of each district's institution. */
const officers: Readonly<Record<string, readonly [string, string]>> = { 420202: ['bj-zhao', 'bj-qian'], 420203: ['yd-wang', 'yd-wang'] }
const unnamed: Readonly<Record<PartySeat, string>> = { owner: '周立群', contractor: '梁志伟', supervisor: '姚建国' }

interface Author {
  id: string
  name: string
  groupId: string
  groupName: string
}

/** Record sheets with their history, signatures and to-dos. */
export async function seedSheets(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const { rows: people } = await sql<Author & { account: string }>`select u.id, u.name, u.account, t.id as group_id, t.name as group_name
    from member m join app_user u on u.id = m.user_id join tenant t on t.id = m.group_id where m.is_default and t.type = 1`.execute(tx)
  const author = (account: string) => people.find((one) => one.account === account)
  const numbers = new Map<string, number>()
  const drawn: Drawn[] = []
  for (const [at, plan] of [...sheetPlans.entries()].sort(([, a], [, b]) => b.age - a.age)) {
    const pm = city.personas.find((one) => one.account === `${plan.site}-pm`)
    const project = city.projects.find((one) => one.projectCode === pm?.projectCode)
    const [first, second] = (officers[project?.areaCode ?? ''] ?? []).map(author)
    if (!project || !first || !second) continue
    const id = idOf(city.seed, 'manualsheet', String(at))
    const scan = { id: idOf(id, 'scan'), name: '签字原件.png', mime: 'image/png' as const }
    if (plan.onPaper) {
      const lines = [project.shortName, plan.part, '建设、施工、监理单位已签字']
      drawn.push(
        await keepFile(folder, project.projectCode, scan, drawFile({ ...scan, kind: 'licence', title: '监督记录（纸质原件）', lines })),
      )
    }
    const names = first === second ? [first.name, '陈立'] : [first.name, second.name]
    const photo = (scene: string) => idOf(city.seed, 'rectifyPhoto', project.projectCode, scene, 'before')
    await writeSheet(tx, { id, plan, project, author: first, names, now, numbers, scans: plan.onPaper ? [scan.id] : [], photo })
  }
  await keepAll(tx, drawn)
  await insertAll(
    tx,
    'documentNumber',
    [...numbers].map(([series, last]) => {
      const [owner = '', docType = '', year = ''] = series.split('/')
      return { owner, docType, year: Number(year), last }
    }),
  )
}

interface SheetStory {
  id: string
  plan: SheetPlan
  project: City['projects'][number]
  author: Author
  names: readonly string[]
  now: number
  numbers: Map<string, number>
  scans: readonly string[]
  photo: (scene: string) => string
}

async function writeSheet(tx: Tx, { id, plan, project, author, names, now, numbers, scans, photo }: SheetStory): Promise<void> {
  const { projectCode, contractorCorpCode: corpCode } = project
  const checkDate = addDays(formatDay(now), -plan.age)
  const begun = new Date(Math.min(startOfDay(checkDate) + 9 * hour, now - 3 * hour))
  const steps = stepsOf(plan, begun, now)
  const submitTime = steps.find((one) => one.action === 'submit')?.at ?? null
  const series = `${author.groupId}/${plan.docType}/${checkDate.slice(0, 4)}`
  if (submitTime) numbers.set(series, (numbers.get(series) ?? 0) + 1)
  const number = String(numbers.get(series)).padStart(4, '0')
  const disclosed = { projectCode, corpCode, shownAt: submitTime, groups: [author.groupId] }
  const owner = await sql<{ id: string }>`select id from tenant where type = 2 and code = ${project.buildCorpCode}`.execute(tx)
  await insertAll(tx, 'manualsheet', [
    {
      id,
      code: submitTime && `${author.groupName}${seriesWords[plan.docType]}〔${checkDate.slice(0, 4)}〕第${number}号`,
      ...disclosed,
      groupId: author.groupId,
      groupName: author.groupName,
      ownerGroup: owner.rows[0]?.id ?? null,
      docType: plan.docType,
      checkDate,
      officers: [...names],
      progress: plan.progress,
      checkPart: plan.part,
      content: plan.content,
      opinion: plan.opinion,
      photos: [photo('passage'), ...(plan.problems ?? []).map((one) => photo(one.scene))],
      onPaper: plan.onPaper ?? false,
      scans: [...scans],
      meetTime: plan.place ? new Date(startOfDay(addDays(formatDay(now), 2)) + 9 * hour) : null,
      meetPlace: plan.place ?? null,
      authorName: author.name,
      submitTime,
      archiveTime: steps.find((one) => one.action === 'archive')?.at ?? null,
      voidReason: plan.voidReason ?? null,
      urgedAt: null,
      state: plan.state,
      version: steps.length,
      createBy: author.id,
      createTime: begun,
      updateBy: author.id,
      updateTime: steps.at(-1)?.at ?? begun,
    },
  ])
  const child = { sheetId: id, ...disclosed }
  await insertAll(
    tx,
    'manualsheetProblem',
    (plan.problems ?? []).map(({ scene, ...one }, seq) => ({ ...child, seq, ...one, unitCode: corpCode, photos: [photo(scene)] })),
  )
  await insertAll(
    tx,
    'manualsheetPerson',
    (plan.persons ?? []).map((one, seq) => ({ ...child, seq, ...one })),
  )
  await insertAll(
    tx,
    'processLog',
    steps.map(({ action, from, to, at }, i) => ({
      id: idOf(id, 'step', String(i)),
      kind: sheetKind.kind,
      objectId: id,
      ...disclosed,
      action,
      fromState: from,
      toState: to,
      byId: author.id,
      byName: action === 'signed' ? unnamed.supervisor : author.name,
      groupName: action === 'signed' ? '监理单位' : author.groupName,
      opinion: action === 'void' ? (plan.voidReason ?? null) : null,
      at,
    })),
  )
  await sign(tx, id, plan, author, submitTime ?? begun)
  const { rows } = await sql<Sheet>`${selectSheet} where m.id = ${id}`.execute(tx)
  const [row] = rows
  if (row) await insertAll(tx, 'processTodo', todoRows(sheetKind.kind, row, sheetKind.todos(row), steps.at(-1)?.at ?? begun, now))
}

/** The steps that led to the state of the plan. */
function stepsOf({ state, onPaper }: SheetPlan, begun: Date, now: number) {
  type Step = { action: SheetAction | 'create' | 'signed'; from: SheetState | null; to: SheetState; at: Date }
  const at = (hours: number) => new Date(Math.min(begun.getTime() + hours * hour, now - hour))
  const steps: Step[] = [{ action: 'create', from: null, to: '0', at: begun }]
  if (state === '0') return steps
  steps.push({ action: 'submit', from: '0', to: onPaper ? '2' : '1', at: at(2) })
  if (state === '1') return steps
  if (state === '4') return [...steps, { action: 'void' as const, from: '1' as const, to: '4' as const, at: at(5) }]
  if (!onPaper) steps.push({ action: 'signed', from: '1', to: '2', at: at(26) })
  if (state === '3') steps.push({ action: 'archive', from: '2', to: '3', at: at(50) })
  return steps
}

/** Signatures of the officers, and of the parties as far as the plan says. */
async function sign(tx: Tx, id: string, plan: SheetPlan, author: Author, at: Date): Promise<void> {
  const { rows } = await sql<Sheet>`${selectSheet} where m.id = ${id}`.execute(tx)
  const [row] = rows
  if (!row) return
  const isDone = plan.state === '2' || plan.state === '3'
  const signs = (seat: string) => isDone || (seat.startsWith('officer') ? plan.state !== '0' : plan.signed?.some((one) => one === seat))
  const filled = (await sheetKind.seats({ db: tx }, row)).flatMap(
    ({ seat, role, expects, content }, i): Insertable<Tables['processSignature']>[] => {
      const refused = plan.refused === seat
      if (!refused && !signs(seat)) return []
      const name = expects ?? unnamed[seat as PartySeat] ?? author.name
      const { projectCode, corpCode, shownAt, groups } = row
      return [
        {
          id: idOf(id, 'signature', seat),
          kind: sheetKind.kind,
          objectId: id,
          ...{ projectCode, corpCode, shownAt, groups },
          seat,
          role,
          name,
          userId: name === author.name ? author.id : null,
          image: refused ? null : drawnName(name, stream(id, 'drawn', name)),
          hash: contentHash(content),
          refused,
          reason: refused ? '对钢筋间距抽测结果有异议' : null,
          witness: refused ? '陈立' : null,
          place: seat in partySeats ? '项目部' : null,
          byId: author.id,
          byName: author.name,
          at: new Date(at.getTime() - (20 - i) * 60_000),
        },
      ]
    },
  )
  await insertAll(tx, 'processSignature', filled)
}
