import { AppError } from '@zhugong/contract/kit/errors'
import { cellState, lotWork } from '@zhugong/contract/papers/catalogue'
import { paperStates } from '@zhugong/contract/papers/moves'
import type * as contract from '@zhugong/contract/papers/quality'
import { type PaperEntry, recordSources } from '@zhugong/contract/papers/quality'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, contains } from '#kit/list'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { offersFor } from '../process/public.ts'
import { columnName, paperKind } from './kind.ts'
import { libraryOf } from './project.ts'
import { type CellItem, itemsOf, linkOf, recordsOf } from './records.ts'

type Item = CellItem & { late: boolean; linkId: string | null }
type Version = Row<'libraryVersion'>

const recordStates = { done: '已完成', waiting: '待监理', noted: '未通过或办理中' } as const
const mostChoices = 200

export const readQualityCell: HandlerOf<typeof contract.readQualityCell> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const projectCode = libraryOf(ctx, query.projectCode)
  const { placeId, work, column } = query
  const place = await sql<{
    fullName: string
  }>`select full_name from site_place where id = ${placeId} and project_code = ${projectCode}`.execute(ctx.db)
  const placeName = found(place.rows[0], '部位').fullName
  const { rows } = await sql<Item>`select i.* from ${itemsOf(projectCode)} i
    where i.place_id = ${placeId} and i.work = ${work} and i.col = ${column} order by i.day desc nulls last, i.id`.execute(ctx.db)
  const about = lotWork(work)
  const n = (stands: string) => rows.filter((one) => one.stands === stands).length
  return {
    placeName,
    workName: about?.name ?? work,
    columnName: columnName(column),
    state: cellState(about?.needs.includes(column) ?? false, { done: n('done'), waiting: n('waiting') }),
    list: await entriesOf(ctx, rows),
  }
}

async function entriesOf(ctx: Context, items: readonly Item[]): Promise<PaperEntry[]> {
  const ids = items.flatMap((one) => (one.source === 'paper' ? [one.id] : one.linkId ? [one.linkId] : []))
  const papers = await sql<Row<'libraryPaper'>>`select * from library_paper where id = any (${ids})`.execute(ctx.db)
  const versions = await sql<Version>`select * from library_version where paper_id = any (${ids}) order by version_no desc`.execute(ctx.db)
  const fileIds = versions.rows.flatMap((one) => one.files)
  const names = await fileNames(ctx, fileIds)
  const filesOf = (files: readonly string[]) =>
    linksOf(ctx, files).map((url, at) => ({ url, name: names.get(files[at] ?? '') ?? `文件 ${at + 1}` }))
  const own = (row: Row<'libraryPaper'> | undefined) => row?.createBy === ctx.user.id && ctx.codes.has('documents.upload')
  return items.map((item): PaperEntry => {
    const row = papers.rows.find((one) => one.id === (item.source === 'paper' ? item.id : item.linkId))
    if (item.source !== 'paper' || !row)
      return {
        ...entryBase(item),
        linkId: item.linkId,
        version: row?.version ?? 0,
        removable: item.linkId !== null && own(row),
      }
    const [current, ...earlier] = versions.rows.filter((one) => one.paperId === row.id)
    return {
      ...entryBase(item),
      stateName: paperStates[row.state],
      versionNo: row.versionNo,
      late: item.late,
      reason: row.state === '3' ? row.reason : null,
      files: filesOf(current?.files ?? []),
      earlier: earlier.map(({ versionNo, byName, at, files }) => ({ versionNo, byName, at: formatInstant(at), files: filesOf(files) })),
      version: row.version,
      actions: offersFor(ctx, paperKind, row),
      removable: own(row) && (row.state === '0' || row.state === '3'),
    }
  })
}

const entryBase = ({ id, source, name, day, signer, stands }: Item): PaperEntry => ({
  id,
  source: source === 'paper' ? null : source,
  sourceName: source === 'paper' ? '上传资料' : recordSources[source],
  name,
  link: source === 'paper' ? null : linkOf[source](id),
  date: day,
  signer,
  stateName: recordStates[stands],
  stands,
  versionNo: 1,
  late: false,
  reason: null,
  files: [],
  earlier: [],
  linkId: null,
  version: 0,
  actions: [],
  removable: false,
})

export async function fileNames(ctx: Pick<Context, 'system'>, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`select f.id, f.name from stored_file f where f.id = any (${[...ids]})`.execute(
    ctx.system,
  )
  return new Map(rows.map((one) => [one.id, one.name]))
}

export const listLinkable: HandlerOf<typeof contract.listLinkable> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const projectCode = libraryOf(ctx, query.projectCode)
  const where = allOf(...contains('t.label', query.keyword))
  const { rows } = await sql<{
    source: keyof typeof recordSources
    id: string
    name: string
    placeName: string
    date: string | null
  }>`select t.source, t.id, t.name, t.place_name, t.date from (
      select distinct on (r.source, r.id) r.source, r.id, r.name, q.full_name as place_name, r.day as date, concat_ws(' ', r.name, q.full_name) as label
      from ${recordsOf(projectCode)} r join site_place q on q.id = r.place_id where r.col = ${query.column} order by r.source, r.id) t
    where ${where} order by t.date desc nulls last, t.id limit ${mostChoices}`.execute(ctx.db)
  return { list: rows, total: rows.length }
}

/** The record of a project that a link names. @throws AppError `invalidInput` */
export async function requireRecord(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  { source, refId }: { source: string; refId: string },
): Promise<{ name: string; day: string }> {
  const { rows } = await sql<{ name: string; day: string | null }>`select r.name, r.day from ${recordsOf(projectCode)} r
    where r.source = ${source} and r.id = ${refId} limit 1`.execute(ctx.db)
  const [row] = rows
  if (!row?.day) throw new AppError('invalidInput', '记录不存在或不属于该项目', { field: 'refId' })
  return { name: row.name, day: row.day }
}
