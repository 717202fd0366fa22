import { lotWork, lotWorks, type PaperColumn, paperColumns } from '@zhugong/contract/papers/catalogue'
import type { PaperState } from '@zhugong/contract/papers/moves'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { lotsOf, obligationsOf, paperType, todosOf } from '#domains/papers/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { Pdf } from '#kit/pdf'
import { type Actor, actorsOf } from './actors.ts'
import { keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

type Paper = Insertable<Tables['libraryPaper']>
type Version = Insertable<Tables['libraryVersion']>
const hour = 3_600_000
/** Days of obligations of the told site: the longest span that has the share. */
const toldDays = [58, 50, 42, 34, 28, 22, 16]
const overdueShare = 0.075
const otherDays = 30
const overdueTold = 9
/** Of every so many obligations of another site one is missing. */
const missingEvery = 9
const mainGaps = 6
const mainWaiting = 3
const lateEvery = 17

interface Making {
  tx: Tx
  city: City
  now: number
  author: Actor
  supervisor: Actor
  fileId: string
  papers: Paper[]
  versions: Version[]
}

/** The quality and safety library of one site in full, and the safety obligations of every other site. */
export async function seedLibrary(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const people = await actorsOf(tx)
  const projectCode = city.personas.find((one) => one.account === 'hospital-pm')?.projectCode
  const author = people.of('hospital-pm')
  if (!projectCode || !author) return
  const fileId = await drawPaper(tx, city, projectCode, folder)
  const made: Making = { tx, city, now, author, supervisor: people.of('hospital-jl') ?? author, fileId, papers: [], versions: [] }
  await fillQuality(made, projectCode)
  await fillTold(made, projectCode)
  endSoon(made, projectCode)
  const { rows: others } = await sql<{ projectCode: string }>`select project_code from project where project_code <> ${projectCode}
    and prj_status = '003' order by 1`.execute(tx)
  for (const one of others)
    fileAll(made, one.projectCode, await owedSince(made, one.projectCode, otherDays), (at) => at % missingEvery === 3)
  await insertAll(tx, 'libraryPaper', made.papers)
  await insertAll(tx, 'libraryVersion', made.versions)
  for (const row of made.papers.filter((one) => one.category === '2' && one.state === '1')) {
    const stored = await tx.selectFrom('libraryPaper').selectAll().where('id', '=', row.id).executeTakeFirstOrThrow()
    await insertAll(tx, 'processTodo', todoRows(paperType, stored, todosOf(stored), stored.createTime, now))
  }
}

async function drawPaper(tx: Tx, city: City, projectCode: string, folder: string): Promise<string> {
  const pdf = new Pdf({ title: '归档资料', foot: '演示数据' })
  pdf.paragraph('这是演示用的文件，内容为示意。')
  const file = { id: idOf(city.seed, 'libraryFile'), name: '归档资料.pdf', mime: 'application/pdf' as const }
  await keepAll(tx, [await keepFile(folder, projectCode, file, await pdf.bytes())])
  return file.id
}

/** Two buildings: their foundation is complete, their main structure lacks six papers. */
async function fillQuality(made: Making, projectCode: string): Promise<void> {
  const { tx, now } = made
  const { rows: floors } = await sql<{ id: string; fullName: string; building: number }>`select f.id, f.full_name, b.no as building
    from (select id, dense_rank() over (order by seq, id)::int as no from site_place where project_code = ${projectCode} and kind = 'building'
        and archived_at is null) b
      join site_place f on f.project_code = ${projectCode} and f.kind = 'floor' and f.path[1] = b.id and f.archived_at is null
    where b.no <= 2 order by b.no, f.seq`.execute(tx)
  const below = floors.filter((one) => one.fullName.includes('地下'))
  const base = below.length > 0 ? below : [1, 2].flatMap((no) => floors.find((one) => one.building === no) ?? [])
  const today = formatDay(now)
  for (const [at, place] of base.entries())
    for (const work of lotWorks.filter((one) => one.item.startsWith('01')))
      for (const column of work.needs)
        upload(made, projectCode, { placeId: place.id, work: work.code, column, day: addDays(today, -150 + at * 9) })
  const built = [1, 2].flatMap((no) => floors.filter((one) => one.building === no && !below.includes(one)).slice(0, no === 1 ? 0 : 4))
  for (const [at, place] of built.entries())
    for (const work of ['rebar', 'formwork', 'concrete'])
      upload(made, projectCode, { placeId: place.id, work, column: 'lot', day: addDays(today, -60 + at * 8) })
  await insertAll(tx, 'libraryPaper', made.papers)
  await insertAll(tx, 'libraryVersion', made.versions)
  made.papers.length = 0
  made.versions.length = 0
  const lots = (await lotsOf({ db: tx }, projectCode)).filter((one) => one.division !== '01')
  const missing = lots.flatMap((lot) =>
    lot.cells
      .filter((cell) => cell.state === 'missing')
      .map((cell) => ({ placeId: lot.placeId, work: lot.work, column: cell.column, lot })),
  )
  const main = missing.filter((one) => one.lot.division === '02')
  const step = Math.max(1, Math.floor(main.length / (mainGaps + mainWaiting)))
  for (const [at, one] of main.entries()) {
    const nth = at % step === 0 ? at / step : -1
    if (nth >= 0 && nth < mainGaps) continue
    const state: PaperState = nth >= mainGaps && nth < mainGaps + mainWaiting ? '1' : '2'
    upload(made, projectCode, { ...one, day: addDays(today, state === '1' ? -3 : -50 + (at % 40)), state, late: at % lateEvery === 5 })
  }
}

interface Cell {
  placeId: string
  work: string
  column: PaperColumn
  day: string
  state?: PaperState
  late?: boolean
}

function upload(made: Making, projectCode: string, { placeId, work, column, day, state = '2', late }: Cell): void {
  const { city, now, author, supervisor } = made
  const at = new Date(Math.min(startOfDay(addDays(day, late ? 12 : 2)) + 15 * hour, now - hour))
  const approvedAt = state === '2' ? new Date(Math.min(at.getTime() + 20 * hour, now - hour / 2)) : null
  put(made, {
    ...base(author, idOf(city.seed, 'library', placeId, work, column), projectCode, at),
    ...{ category: '2', placeId, work, col: column, duty: null, period: null, validEnd: null, state, workDate: day },
    name: `${lotWork(work)?.name ?? ''}${paperColumns[column]}`,
    approver: approvedAt && supervisor.name,
    approvedAt,
  })
}

const base = (author: Actor, id: string, projectCode: string, at: Date) => ({
  id,
  projectCode,
  corpCode: null,
  shownAt: at,
  groups: [author.groupId],
  authorGroup: author.groupId,
  authorGroupName: author.groupName,
  authorName: author.name,
  refSource: null,
  refId: null,
  reason: null,
  createBy: author.id,
  createTime: at,
  updateTime: at,
})

function put(made: Making, row: Paper): void {
  made.papers.push(row)
  made.versions.push({
    paperId: row.id,
    versionNo: 1,
    projectCode: row.projectCode,
    files: [made.fileId],
    byName: row.authorName,
    at: row.createTime as Date,
  })
}

type Obligation = Awaited<ReturnType<typeof obligationsOf>>['rows'][number]

/** The obligations of a site that counts from so many days ago. */
async function owedSince({ tx, now, author }: Making, projectCode: string, days: number): Promise<Obligation[]> {
  const since = addDays(formatDay(now), -days)
  await sql`insert into library_since (project_code, since, reason, by_name, at)
    values (${projectCode}, ${since}::date, '此前资料已纸质归档', ${author.name}, ${new Date(now - 24 * hour)})
    on conflict (project_code) do update set since = excluded.since`.execute(tx)
  const reader = { db: tx, clock: { now: () => now }, codes: new Set(['personnel.view']), user: { id: author.id } }
  return (await obligationsOf(reader, projectCode)).rows
}

/** Nine overdue, papers that have ended among them, in a span of which they are 8 %. */
async function fillTold(made: Making, projectCode: string): Promise<void> {
  const today = formatDay(made.now)
  for (const days of toldDays) {
    const rows = await owedSince(made, projectCode, days)
    const ended = rows.filter((one) => !one.owed && one.state === 'overdue').length
    const left = Math.max(1, overdueTold - ended)
    const owed = rows.filter((one) => one.owed && one.due <= today && one.state !== 'open').length
    if (left / owed < overdueShare && days !== toldDays.at(-1)) continue
    const share = (at: number, total: number) => Math.floor((at * left) / total)
    return fileAll(made, projectCode, rows, (at, total) => share(at + 1, total) > share(at, total))
  }
}

/** Files what is owed and did not file itself, but for what `skips` says. */
function fileAll(made: Making, projectCode: string, rows: readonly Obligation[], skips: (at: number, total: number) => boolean): void {
  const { city, now, author } = made
  const open = rows.filter((one) => one.owed && one.state === 'overdue')
  for (const [at, one] of open.entries()) {
    if (skips(at, open.length)) continue
    const late = at % lateEvery === 2
    const filed = new Date(Math.min(startOfDay(addDays(one.due, late ? 10 : 1)) + 17 * hour, now - hour))
    put(made, {
      ...base(author, idOf(city.seed, 'library', projectCode, one.id), projectCode, filed),
      ...{ category: '3', placeId: null, work: null, col: null, duty: one.duty, period: one.period, state: '2', workDate: one.due },
      ...{ name: one.item, validEnd: null, approver: null, approvedAt: null },
    })
  }
}

/** Two papers with an end in the coming weeks. */
function endSoon(made: Making, projectCode: string): void {
  const today = formatDay(made.now)
  for (const [duty, days] of [
    ['managers', 12],
    ['filing', 25],
  ] as const) {
    const own = made.papers.find((one) => one.projectCode === projectCode && one.duty === duty)
    if (own) own.validEnd = addDays(today, days)
  }
}
