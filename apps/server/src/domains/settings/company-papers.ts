import { AppError } from '@zhugong/contract/kit/errors'
import { projectStates } from '@zhugong/contract/organisation/codes'
import * as contract from '@zhugong/contract/settings/company-papers'
import { materialItems, materialStates, version } from '@zhugong/contract/settings/materials'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor, requireProject } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { allOf, condition, equals, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import type { EarlierEdition } from './tables.ts'

/** Documents of a company: it uploads them, decides who sees them, and links them to the checklists of its projects. */
export function companyPaperRoutes(serve: Serve) {
  serve(contract.listPapers, listPapers)
  serve(contract.bringPaper, bringPaper)
  serve(contract.changePaper, changePaper)
  serve(contract.linkPaper, linkPaper)
}

type Paper = Row<'corpMaterial'>
/** Former editions kept per document. */
const keptEditions = 20

/** The company whose documents are requested: the caller's own, or the one an authority or the platform names; undefined for a site. */
function corpOf(ctx: Pick<Context, 'group'>, requested: string | undefined): string | undefined {
  const own = ctx.group.type === groupTypes.corporation ? ctx.group.code : undefined
  if (own && requested && requested !== own) throw new AppError('forbidden', '只能查看本企业的资料')
  return own ?? requested
}

const listPapers: HandlerOf<typeof contract.listPapers> = async ({ query }, ctx) => {
  const site = ctx.group.type === groupTypes.project ? ctx.group.code : query.projectCode === '*' ? undefined : query.projectCode
  if (site) requireProject(ctx, site)
  const corpCode = corpOf(ctx, query.corpCode)
  if (!corpCode && !site) throw new AppError('invalidInput', '请指明企业', { field: 'corpCode' })
  const where = allOf(
    ...equals('m.corpCode', corpCode),
    ...(corpCode
      ? []
      : [
          condition(sql`m.to_sites and exists (select 1 from project_corp pc where pc.project_code = ${site ?? ''}
            and pc.corp_code = m.corp_code and pc.exit_time is null)`),
        ]),
  )
  const { rows } = await sql<Paper & { corpName: string }>`
    select m.*, c.corp_name from corp_material m join corporation c using (corp_code) where ${where}
    order by m.corp_code, m.kind, m.name limit ${contract.mostPapers}`.execute(ctx.db)
  const uses = await usesOf(
    ctx,
    rows.map((row) => row.id),
  )
  return {
    list: rows.map((row) => toPaper(ctx, row, uses.get(row.id) ?? [])),
    total: rows.length,
    mayEdit: ctx.group.type === groupTypes.corporation && ctx.codes.has('setting.material'),
  }
}

interface Use {
  sourceId: string
  sourceEdition: number | null
  projectCode: string
  projectName: string
  item: string
  name: string
}
async function usesOf(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<Map<string, Use[]>> {
  const { rows } = await sql<Use>`
    select m.source_id, m.source_edition, m.project_code, p.name as project_name, m.item, m.name
    from project_material m join project p using (project_code) where m.source_id = any (${[...ids]}) order by p.name, m.item`.execute(
    ctx.db,
  )
  const map = new Map<string, Use[]>()
  for (const row of rows) map.set(row.sourceId, [...(map.get(row.sourceId) ?? []), row])
  return map
}

function toPaper(ctx: Pick<Context, 'secrets' | 'clock'>, row: Paper & { corpName: string }, uses: readonly Use[]): contract.CompanyPaper {
  const today = formatDay(ctx.clock.now())
  const end = row.validEnd
  return rowOf(contract.companyPaper, row, {
    kindName: contract.paperKinds[row.kind as contract.PaperKind] ?? row.kind,
    files: linksOf(ctx, row.files),
    validEnd: end,
    due: end && end < today ? 'ended' : end && end <= addDays(today, contract.paperWarnDays) ? 'ending' : null,
    earlier: row.earlier.map((one) => ({ ...one, files: linksOf(ctx, one.files) })),
    uses: uses.map((use) => ({
      ...pick(use, 'projectCode', 'projectName', 'item'),
      itemName: use.name,
      old: (use.sourceEdition ?? 0) < row.edition,
    })),
    updateTime: formatInstant(row.updateTime),
  })
}

const bringPaper: HandlerOf<typeof contract.bringPaper> = async ({ body }, ctx) => {
  const files = await keptFiles(ctx, fileIdsOf(body.files))
  const found = await ctx.db
    .selectFrom('corpMaterial')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('corpCode', '=', ctx.group.code)
    .executeTakeFirstOrThrow()
  if (Number(found.n) >= contract.mostPapers) throw new AppError('refused', `企业资料最多 ${contract.mostPapers} 项`, { field: 'name' })
  const id = ctx.newId()
  const now = new Date(ctx.clock.now())
  try {
    await ctx.db
      .insertInto('corpMaterial')
      .values({
        ...body,
        id,
        corpCode: ctx.group.code,
        files: JSON.stringify(files),
        createTime: now,
        updateTime: now,
        updateBy: ctx.user.name,
      })
      .execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '已有同名资料，请上传它的新版本', { field: 'name' })
    throw error
  }
  ctx.note(`新增企业资料 ${body.name}`, id)
  return { id }
}

const own = async (ctx: Pick<Context, 'db' | 'group'>, id: string): Promise<Paper> =>
  found(
    await ctx.db
      .selectFrom('corpMaterial')
      .selectAll()
      .where('id', '=', id)
      .where('corpCode', '=', ctx.group.code)
      .forUpdate()
      .executeTakeFirst(),
    '企业资料',
  )

const changePaper: HandlerOf<typeof contract.changePaper> = async ({ params, body }, ctx) => {
  const before = await own(ctx, params.id)
  if (before.version !== body.version) throw await conflictOf(ctx, 'corpMaterial', { id: before.id }, '资料')
  const changed = body.action === 'show' ? { toSites: body.toSites, toBodies: body.toBodies } : await nextEdition(ctx, before, body)
  await changeRow(ctx, 'corpMaterial', {
    key: { id: before.id },
    version: before.version,
    noun: '资料',
    by: ctx.user.name,
    values: { ...changed },
  })
  ctx.note(`${body.action === 'show' ? '修改可见范围' : '上传新版本'}：企业资料 ${before.name}`, before.id)
  return undefined
}

async function nextEdition(
  ctx: Pick<Context, 'db'>,
  before: Paper,
  { number, files, validEnd }: { number: string | null; files: string[]; validEnd: string | null },
) {
  const earlier: EarlierEdition = {
    ...pick(before, 'edition', 'number', 'files', 'validEnd'),
    byName: before.updateBy,
    at: formatInstant(before.updateTime),
  }
  return {
    number,
    validEnd,
    files: JSON.stringify(await keptFiles(ctx, fileIdsOf(files), before.files)),
    edition: before.edition + 1,
    earlier: JSON.stringify([earlier, ...before.earlier].slice(0, keptEditions)),
  }
}

/** States in which a company's document may replace the site's own. */
const gives = new Set<string>([materialStates.brought, materialStates.returned])

const linkPaper: HandlerOf<typeof contract.linkPaper> = async ({ params, body }, ctx) => {
  const paper = await own(ctx, params.id)
  for (const code of body.projectCodes) requireProject(ctx, code)
  const projects = await ctx.db
    .selectFrom('project')
    .select(['projectCode', 'name', 'prjStatus'])
    .where('projectCode', 'in', [...new Set(body.projectCodes)])
    .where(allOf(...inProjects('projectCode', projectsFor(ctx))))
    .orderBy('name')
    .execute()
  const left: { projectName: string; why: string }[] = []
  for (const project of projects) {
    const why = await putInto(ctx, paper, project, body.item)
    if (why) left.push({ projectName: project.name, why })
  }
  ctx.note(`企业资料 ${paper.name} 关联到 ${projects.length - left.length} 个项目`, paper.id)
  return { linked: projects.length - left.length, left }
}

/** Returns the reason why the document cannot be linked; undefined if it was. */
async function putInto(
  ctx: Context,
  paper: Paper,
  project: { projectCode: string; prjStatus: string },
  item: string,
): Promise<string | undefined> {
  if (project.prjStatus === projectStates.closed) return '已终止监督，资料只读'
  const before = await ctx.db
    .selectFrom('projectMaterial')
    .selectAll()
    .where('projectCode', '=', project.projectCode)
    .where('item', '=', item)
    .forUpdate()
    .executeTakeFirst()
  const known = materialItems[item]
  if (!known && !before) return '清单中没有这一项'
  if (before && before.sourceId !== paper.id && !gives.has(before.state)) return '该项已提交或已接收'
  if (before && before.sourceId === paper.id && before.sourceEdition === paper.edition) return '已是最新版本'
  if (known?.runsOut && !paper.validEnd) return '该项须有有效期，资料未填写'
  const now = new Date(ctx.clock.now())
  const current = takenFrom(paper, { at: now, by: ctx.user.name })
  if (before)
    await changeRow(ctx, 'projectMaterial', {
      key: { id: before.id },
      version: before.version,
      noun: '资料',
      by: ctx.user.name,
      values: { ...current, earlier: JSON.stringify(withEarlier(before)) },
    })
  else
    await ctx.db
      .insertInto('projectMaterial')
      .values({
        id: ctx.newId(),
        projectCode: project.projectCode,
        item,
        stage: known?.stage ?? '1',
        name: known?.name ?? '',
        createTime: now,
        ...current,
      })
      .execute()
  return undefined
}

/** The columns of a site's document that is the current edition of a company's. */
export const takenFrom = (paper: Pick<Paper, 'id' | 'edition' | 'files' | 'validEnd'>, { at, by }: { at: Date; by: string }) => ({
  files: JSON.stringify(paper.files),
  validEnd: paper.validEnd,
  notNeeded: null,
  state: materialStates.brought,
  opinion: null,
  judgedBy: null,
  judgeTime: null,
  updateTime: at,
  updateBy: by,
  sourceId: paper.id,
  sourceEdition: paper.edition,
})

/** Former versions kept per site document. */
const keptVersions = 20
/** The former versions plus the one being replaced, unless it had no files. */
export function withEarlier(before: Row<'projectMaterial'>) {
  if (before.files.length === 0) return before.earlier
  const one = rowOf(version, before, {
    byName: before.updateBy,
    at: formatInstant(before.updateTime),
  })
  return [one, ...before.earlier].slice(0, keptVersions)
}

/** A document that a site may use: of one of its companies, and shared with sites. */
export async function paperForSite(ctx: Pick<Context, 'db'>, projectCode: string, id: string): Promise<Paper> {
  const { rows } = await sql<Paper>`select m.* from corp_material m where m.id = ${id} and m.to_sites
    and exists (select 1 from project_corp pc where pc.project_code = ${projectCode} and pc.corp_code = m.corp_code and pc.exit_time is null)`.execute(
    ctx.db,
  )
  return found(rows[0], '企业资料')
}
