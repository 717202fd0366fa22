import { type HouseAction, houseMoves, houseParties, houseStates, partyRights } from '@zhugong/contract/houses/moves'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { contentHash, type Kind, type Seat, type Todo } from '../process/public.ts'

export type House = Row<'house'> & {
  /** Companies that own the project. */
  owners: string[]
}

const ofSite = (ctx: Pick<Context, 'group'>) => ctx.group.type === groupTypes.project || ctx.group.type === groupTypes.corporation

/** 分户验收 of one house: item by item, signed by three parties, with a certificate. */
export const houseKind: Kind<House, typeof houseMoves> & { seats: typeof houseSeats } = {
  kind: 'house',
  noun: '分户',
  table: 'house',
  moves: houseMoves,
  stateName: (state) => dictName('houseState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<{ id: string }>`select id from house where id = ${id} for update`.execute(ctx.db)
    found(rows[0], '分户')
    return readHouse(ctx, id)
  },
  turns: {
    // The part in the project decides which company: `acts` in the moves.
    party: ofSite,
    // Three parties sign: the owner is none of the others.
    contractor: (ctx, row) => ofSite(ctx) && !row.owners.some((code) => ctx.principal.scope.corps.includes(code)),
    owner: (ctx, row) => row.owners.some((code) => ctx.principal.scope.corps.includes(code)),
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
  },
  hinder: (_ctx, row) => (row.goneAt === null ? undefined : '来源已无此户，不能办理验收'),
  seats: houseSeats,
  todos: (row) => todosOf(row),
}

export async function readHouse(ctx: Pick<Context, 'db'>, id: string): Promise<House> {
  const { rows } =
    await sql<House>`select h.*, array(select u.corp_code from project_corp u where u.project_code = h.project_code and u.corp_type = '008'
      and u.exit_time is null) as owners from house h where h.id = ${id}`.execute(ctx.db)
  return found(rows[0], '分户')
}

export async function itemsOf(ctx: Pick<Context, 'db'>, houseId: string): Promise<Row<'houseItem'>[]> {
  const { rows } = await sql<Row<'houseItem'>>`select * from house_item where house_id = ${houseId} order by item_code`.execute(ctx.db)
  return rows
}

/** What the parties sign: the house and the result of every item. */
export const signedContent = (
  row: Pick<House, 'externalNo' | 'buildingName' | 'floorName' | 'name'>,
  items: readonly Row<'houseItem'>[],
) => ({
  externalNo: row.externalNo,
  house: [row.buildingName, row.floorName, row.name],
  items: items.map((one) => [one.itemCode, one.result]),
})

export async function houseSeats(ctx: Pick<Context, 'db'>, row: Pick<House, 'id' | 'externalNo' | 'buildingName' | 'floorName' | 'name'>) {
  const content = signedContent(row, await itemsOf(ctx, row.id))
  const from = [houseStates.running, houseStates.toRecheck]
  return (Object.keys(houseParties) as (keyof typeof houseParties)[]).map(
    (seat): Seat => ({
      seat,
      role: houseParties[seat],
      own: partyRights[seat],
      // The owner mostly signs on the device of the site.
      tablet: seat === 'supervisor' ? partyRights.supervisor : partyRights.contractor,
      from,
      content,
    }),
  )
}

/** Parties that have not signed the house as it is now. */
export async function unsignedParties(ctx: Pick<Context, 'db'>, row: House): Promise<string[]> {
  const { rows } = await sql<{ seat: string; hash: string }>`select seat, hash from process_signature
    where kind = 'house' and object_id = ${row.id} and void_at is null and not refused`.execute(ctx.db)
  const hash = contentHash(signedContent(row, await itemsOf(ctx, row.id)))
  const signed = new Set(rows.filter((one) => one.hash === hash).map((one) => one.seat))
  return Object.entries(houseParties).flatMap(([seat, role]) => (signed.has(seat) ? [] : [role]))
}

/** Every item of the standard; groups are headings. */
export const acceptItems = (): { code: string; name: string; group: string }[] =>
  (dictionaryOf('houseAcceptItem')?.items ?? []).flatMap((one) =>
    typeof one.parent === 'string' ? [{ code: one.code, name: one.name, group: one.parent }] : [],
  )

export const nameOf = (row: Pick<House, 'buildingName' | 'unitName' | 'floorName' | 'name'>): string =>
  [row.buildingName, row.unitName, row.name].filter(Boolean).join(' ')
export const pageOf = ({ id }: Pick<House, 'id'>): string => `/house_async?house=${id}`

export function todosOf(row: Pick<House, 'id' | 'state' | 'problemCount' | 'buildingName' | 'unitName' | 'floorName' | 'name'>): Todo[] {
  const link = pageOf(row)
  const codes = [houseMoves.fix.needs]
  if (row.state === houseStates.toFix)
    return [{ turn: 'responsible', codes, title: `整改分户问题 ${nameOf(row)}（${row.problemCount} 项）`, link, due: null }]
  if (row.state === houseStates.toRecheck)
    return (['responsible', 'supervisor'] as const).map((turn) => ({ turn, codes, title: `复验分户 ${nameOf(row)}`, link, due: null }))
  return []
}

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(houseMoves).map(([action, { label }]) => [action, label])),
  create: '同步新增',
} satisfies Partial<Record<HouseAction, string>> & Record<string, string>
