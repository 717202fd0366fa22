import { maskName, normalizeName } from '@zhugong/contract/kit/checks'
import type { ImportCells, ImportRowState } from '@zhugong/contract/personnel/import'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Row } from '#kit/db'
import { type Checking, type People, type Place, peopleOf, placeOf } from './facts.ts'
import { type Reading, readRow } from './reading.ts'

export type Import = Row<'workerImport'>
export type StoredRow = Row<'workerImportRow'>

export const openCells = (ctx: Pick<Checking, 'secrets'>, row: Pick<StoredRow, 'cells'>): ImportCells =>
  JSON.parse(ctx.secrets.open(row.cells) ?? '{}')
export const sealCells = (ctx: Pick<Checking, 'secrets'>, cells: ImportCells): Buffer => ctx.secrets.seal(JSON.stringify(cells)) as Buffer

/** Checks rows and stores the result. Repeated checks of the same rows give the same result. */
export async function checkRows(ctx: Checking, one: Pick<Import, 'id' | 'projectCode'>, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return
  const place = one.projectCode ? await placeOf(ctx, one.projectCode) : undefined
  const today = formatDay(ctx.clock.now())
  const read = rows.map((row) => {
    const cells = openCells(ctx, row)
    const reading = readRow(cells, place, today)
    return {
      row,
      cells,
      reading,
      idHash: reading.idCardNumber ? ctx.secrets.blindIndex('id-card', reading.idCardNumber) : null,
      cardHash: reading.bankCard ? ctx.secrets.blindIndex('bank-card', reading.bankCard) : null,
    }
  })
  const people = await peopleOf(
    ctx,
    one.projectCode,
    read.flatMap((r) => r.idHash ?? []),
    read.flatMap((r) => r.cardHash ?? []),
  )
  const written = read.map(({ row, cells, reading, idHash, cardHash }) => {
    const { isDouble, joins } = judge(reading, cells, place, people, idHash, cardHash)
    if (row.hidden) reading.issues.warn('name', 'hidden', '该行在表格中是隐藏的，请确认要导入')
    const { list } = reading.issues
    const state: ImportRowState = isDouble
      ? 'duplicate'
      : list.some((issue) => issue.level === 'error')
        ? 'error'
        : list.length
          ? 'warning'
          : 'ok'
    return { row_no: row.rowNo, state, issues: list, id_hash: idHash, card_hash: cardHash, team: cells.team ?? null, joins }
  })
  await sql`
    update worker_import_row r set state = n.state, issues = n.issues, id_hash = n.id_hash, card_hash = n.card_hash, team = n.team, joins = n.joins,
      message = ''
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as n (row_no int, state text, issues jsonb, id_hash text, card_hash text, team text, joins boolean)
    where r.import_id = ${one.id} and r.row_no = n.row_no and r.state <> 'done'`.execute(ctx.db)
}

/** Checks the row against the data known about the person. */
function judge(
  { issues, idCardType, entryDay }: Reading,
  cells: ImportCells,
  place: Place | undefined,
  people: People,
  idHash: string | null,
  cardHash: string | null,
): { isDouble: boolean; joins: boolean } {
  if (!idHash || issues.isFaulty('idCardNumber')) return { isDouble: false, joins: false }
  const file = people.files.get(idHash)
  const isSame = file !== undefined && file.idCardType === idCardType && file.name === normalizeName(cells.name ?? '')
  if (file && !isSame) issues.add('idCardNumber', 'known', '该证件号码已在平台登记，姓名或证件类型与档案不一致，请核对')
  if (!place) {
    if (file && isSame) issues.add('idCardNumber', 'known', file.seen ? '已有档案，不再新建' : '该证件号码已在平台登记，请核对号码')
    return { isDouble: isSame, joins: false }
  }
  if (file && isSame && file.expiryDate && file.expiryDate < (entryDay ?? '') && !cells.expiryDate)
    issues.add('idCardNumber', 'expired', '档案上的证件已过期，请先更新档案再导入')
  const isHere = people.here.has(idHash)
  if (isHere) issues.add('idCardNumber', 'present', `${maskName(cells.name ?? '')}已在本项目在场`)
  const elsewhere = people.elsewhere.get(idHash)
  if (elsewhere && !isHere) issues.warn('idCardNumber', 'elsewhere', `现在“${elsewhere}”在场`)
  const listed = people.black.get(idHash)
  if (listed) issues.add('name', 'black', `在黑名单内（${listed.reasonTypeName}，${listed.scopeName}，至 ${listed.endDate}），不得进场`)
  const holders = cardHash ? people.cards.get(cardHash) : undefined
  if (holders && [...holders].some((holder) => holder !== idHash)) issues.add('bankCard', 'card', '该工资卡已登记在他人名下，一人一卡')
  return { isDouble: isHere, joins: isSame }
}

const twinKinds = [
  { hash: sql.ref('id_hash'), field: 'idCardNumber', kind: 'twin', words: '证件号码', state: 'duplicate' },
  { hash: sql.ref('card_hash'), field: 'bankCard', kind: 'card', words: '工资卡号', state: 'error' },
]

/**
 * Marks the second and later rows of one person, and of one wage card, with the row that has it already. Runs after all rows are checked.
 * Duplicates are selected first and updated then: without statistics on ten thousand new rows, a self-join took a minute.
 */
export async function markTwins(ctx: Pick<Checking, 'db'>, importId: string): Promise<void> {
  for (const { hash, field, kind, words, state } of twinKinds) {
    const { rows } = await sql<{ rowNo: number; first: number }>`
      select row_no, first from (select row_no, state, min(row_no) over (partition by ${hash}) as first from worker_import_row
        where import_id = ${importId} and ${hash} is not null) r
      where row_no > first and state in ('ok', 'warning')`.execute(ctx.db)
    if (rows.length === 0) continue
    const twins = rows.map(({ rowNo, first }) => ({
      row_no: rowNo,
      issue: [{ field, kind, level: 'error', text: `${words}与第 ${first} 行相同` }],
    }))
    await sql`
      update worker_import_row r set state = ${state}, issues = r.issues || t.issue
      from jsonb_to_recordset(${JSON.stringify(twins)}::jsonb) as t (row_no int, issue jsonb)
      where r.import_id = ${importId} and r.row_no = t.row_no`.execute(ctx.db)
  }
}

/** These rows, and the rows that share a person or a wage card with them: a change of one changes the issues of the others. */
export async function withTwins(ctx: Pick<Checking, 'db'>, importId: string, rows: readonly StoredRow[]): Promise<StoredRow[]> {
  const ids = rows.flatMap((r) => r.idHash ?? [])
  const cards = rows.flatMap((r) => r.cardHash ?? [])
  const { rows: all } = await sql<StoredRow>`
    select * from worker_import_row where import_id = ${importId} and state <> 'done'
      and (row_no = any (${rows.map((r) => r.rowNo)}) or id_hash = any (${ids}) or card_hash = any (${cards})) order by row_no`.execute(
    ctx.db,
  )
  return all
}
