import { maskPhone } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/onboarding/openings'
import { type OpeningKind, openingFields } from '@zhugong/contract/onboarding/openings'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, requireCode } from '#kit/context'
import type { Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import { offThread } from '#kit/off-thread/off-thread'
import { refusalOf } from '#kit/request-input'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { getPackage } from '../../apps/public.ts'
import { checkLines, type Opener, type Wish } from './check.ts'
import { knownOf } from './known.ts'
import type { OpeningLine } from './sheet-thread.ts'

/** Five hundred rows take a fraction of a second; a file that takes longer than this is refused. */
const readingMs = 20_000

/** The opener that rows are checked for. */
export const openerOf = (ctx: Pick<Context, 'group'>, kind: OpeningKind): Opener => ({
  groupsType: ctx.group.type,
  groupName: ctx.group.name,
  code: ctx.group.code,
  areaCode: ctx.group.areaCode,
  kind,
})

/**
 * Checks the right to open: platform users may open anything; an authority opens sites in its area, a company its own sites, with the
 * permission to create projects.
 */
export function requireOpener(ctx: Pick<Context, 'codes' | 'group'>, { kind, packages }: Pick<Row<'opening'>, 'kind' | 'packages'>): void {
  requireCode(ctx, 'adminGrant.edit')
  if (ctx.group.type === groupTypes.platform) {
    requireCode(ctx, 'projectNav.onboard')
    for (const code of kind === 'site' ? [] : ['government.create', 'corporation.create']) requireCode(ctx, code)
    if (Object.keys(packages).length) requireCode(ctx, 'grant.create')
    return
  }
  if (kind !== 'site') throw new AppError('forbidden', '监管机构和企业由平台开通', { field: 'kind' })
  if (Object.keys(packages).length) throw new AppError('forbidden', '应用方案由平台套用', { field: 'packages' })
  requireCode(ctx, 'project.create')
}

export const bringOpening: HandlerOf<typeof contract.bringOpening> = async (_input, ctx) => {
  const { body, fileName, fields } = await ctx.upload()
  const parsed = openingFields.safeParse(fields)
  if (!parsed.success) throw refusalOf(parsed.error)
  const { kind, packages, linkDays } = parsed.data
  requireOpener(ctx, { kind, packages })
  for (const [type, id] of Object.entries(packages))
    if ((await getPackage(ctx, id)).groupType !== Number(type))
      throw new AppError('invalidInput', '应用方案不适用于此类机构', { field: 'packages' })
  const lines = await offThread.run<OpeningLine[]>(new URL('./sheet-thread.ts', import.meta.url), body, {
    group: ctx.group.id,
    signal: ctx.gone,
    timeLimitMs: readingMs,
    tooLong: '文件过于复杂，读取超时，请使用开通模板',
  })
  const checked = checkLines(lines, await knownOf(ctx, lines), openerOf(ctx, kind))
  const [id, now] = [ctx.newId(), new Date(ctx.clock.now())]
  await ctx.db
    .insertInto('opening')
    .values({
      id,
      groupId: ctx.group.id,
      kind,
      packages: JSON.stringify(packages),
      linkDays,
      fileName:
        fileName
          .replace(/[\p{Cc}\p{Cf}]/gu, '')
          .trim()
          .slice(0, 200) || '未命名.xlsx',
      total: lines.length,
      createTime: now,
      createBy: ctx.user.id,
      createName: ctx.user.name,
      updateTime: now,
    })
    .execute()
  await ctx.db
    .insertInto('openingRow')
    .values(
      lines.map((line, i) => ({
        openingId: id,
        rowNo: i,
        sheet: line.sheet,
        line: line.line,
        cells: sealed(ctx, { ...line.cells, ...leansOn(checked[i]?.wish) }),
        name: (line.cells.name ?? '').slice(0, 100),
        issues: JSON.stringify(checked[i]?.issues ?? []),
        state: checked[i]?.wish ? ('ready' as const) : ('faulty' as const),
        code: null,
        linkId: null,
      })),
    )
    .execute()
  ctx.note(`上传开通表 ${lines.length} 行`, id)
  return { id }
}

/** Defaults derived from other rows, stored in the row, which is opened on its own. */
const leansOn = (wish: Wish | undefined): Record<string, string> =>
  wish?.is === 'site' ? { contractor: wish.contractor, owner: wish.owner, ...(wish.supervisor ? { supervisor: wish.supervisor } : {}) } : {}

const sealed = (ctx: Pick<Context, 'secrets'>, cells: Record<string, string>): Buffer =>
  ctx.secrets.seal(JSON.stringify(cells)) ?? Buffer.alloc(0)
export const lineOf = (ctx: Pick<Context, 'secrets'>, row: Pick<Row<'openingRow'>, 'sheet' | 'line' | 'cells'>): OpeningLine => ({
  sheet: row.sheet,
  line: row.line,
  cells: JSON.parse(ctx.secrets.open(row.cells) ?? '{}') as Record<string, string>,
})

type Counted = Row<'opening'> & { faulty: number; done: number; failed: number }
const openings = sql`(
  select o.*, c.faulty, c.done, c.failed from opening o cross join lateral (
    select (count(*) filter (where r.state = 'faulty'))::int as faulty, (count(*) filter (where r.state = 'done'))::int as done,
      (count(*) filter (where r.state = 'failed'))::int as failed from opening_row r where r.opening_id = o.id) c)`
const toOpening = (row: Counted): contract.Opening =>
  rowOf(contract.opening, row, {
    createBy: row.createName,
    createTime: formatInstant(row.createTime),
  })

export const listOpenings: HandlerOf<typeof contract.listOpenings> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<Counted>`select * from ${openings} o order by o.create_time desc, o.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const { rows: counted } = await sql<{ n: number }>`select count(*)::int as n from opening`.execute(ctx.db)
  return { list: rows.map(toOpening), total: counted[0]?.n ?? 0 }
}

const findOne = async (ctx: Pick<Context, 'db'>, id: string): Promise<Counted> => {
  const { rows } = await sql<Counted>`select * from ${openings} o where o.id = ${id}`.execute(ctx.db)
  return found(rows[0], '开通记录')
}

export const rowsOf = (ctx: Pick<Context, 'db'>, id: string) =>
  ctx.db.selectFrom('openingRow').selectAll().where('openingId', '=', id).orderBy('rowNo').execute()

const phoneFields = ['linkPhone', 'adminPhone']
const masked = (cells: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(cells).map(([key, text]) => [key, phoneFields.includes(key) ? (maskPhone(text) ?? '') : text]))

export const getOpening: HandlerOf<typeof contract.getOpening> = async ({ params }, ctx) => {
  const one = await findOne(ctx, params.id)
  const rows = await rowsOf(ctx, one.id)
  return {
    ...toOpening(one),
    rows: rows.map((row) =>
      rowOf(contract.row, row, {
        cells: masked(lineOf(ctx, row).cells),
      }),
    ),
  }
}

export const actOnOpening =
  (begin: (id: string) => Promise<void>): HandlerOf<typeof contract.actOnOpening> =>
  async ({ params, body }, ctx) => {
    const one = await findOne(ctx, params.id)
    requireOpener(ctx, one)
    if (one.state === contract.openingStates.running) throw new AppError('refused', '正在开通，请等它完成')
    if (body.action === 'drop') {
      if (one.done > 0) throw new AppError('refused', '已有开通的行，记录须保留')
      await ctx.db.deleteFrom('opening').where('id', '=', one.id).execute()
      ctx.note(`放弃开通表 ${one.fileName}`, one.id)
      return undefined
    }
    if (one.createBy !== ctx.user.id) throw new AppError('forbidden', `由上传者 ${one.createName} 确认，开通以其权限办理`)
    if (one.total === one.faulty + one.done) throw new AppError('refused', '没有可开通的行，请改正后重新上传')
    await changeRow(ctx, 'opening', {
      key: { id: one.id },
      version: body.version,
      noun: '开通记录',
      values: { state: contract.openingStates.running, updateTime: new Date(ctx.clock.now()) },
    })
    await ctx.db
      .updateTable('openingRow')
      .set({ state: 'ready', message: '' })
      .where('openingId', '=', one.id)
      .where('state', '=', 'failed')
      .execute()
    ctx.note(`确认开通 ${one.total - one.faulty - one.done} 行`, one.id)
    ctx.afterCommit(() => begin(one.id))
    return undefined
  }
