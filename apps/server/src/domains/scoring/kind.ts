import { partTypes } from '@zhugong/contract/labour/codes'
import { type InspectionAction, inspectionMoves, leastCheckers, scoringState } from '@zhugong/contract/scoring/moves'
import { itemResults } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'
import { inspectionSeats } from './seats.ts'

/** Process type; also the kind of its row of `site_check` and of its notices' source. */
export const inspectionType = 'safetyInspection'

/** An inspection with what its rules ask about its children. */
export type Inspection = Row<'siteCheck'> & {
  /** Sheets with an unchecked item. */
  undone: number
  signedSite: boolean
  signedSupervisor: boolean
  /** The site has a supervisor who did not hold the inspection himself. */
  supervised: boolean
}

/** Conditions on `site_check c`. */
const asks = sql`
  (select count(*)::int from check_sheet s where s.check_id = c.id and s.not_applicable is null
    and exists (select from check_result r where r.sheet_id = s.id and r.result = ${itemResults.unchecked})) as undone,
  exists (select from check_sign g where g.check_id = c.id and g.side = 'site') as signed_site,
  exists (select from check_sign g where g.check_id = c.id and g.side = 'supervisor') as signed_supervisor,
  exists (select from project_corp u where u.project_code = c.project_code and u.corp_type = ${partTypes.supervisor} and u.exit_time is null
    and not exists (select from tenant t where t.id = c.checker_group and t.code = u.corp_code)) as supervised`

export async function readInspection(ctx: Pick<Context, 'db'>, id: string): Promise<Inspection> {
  const { rows } = await sql<Inspection>`select c.*, ${asks} from site_check c where c.id = ${id} and c.kind = ${inspectionType}`.execute(
    ctx.db,
  )
  return found(rows[0], '安全巡检')
}

/** 安全巡检: scored by a company, 监理 or an authority; frozen when submitted; confirmed by the site and 监理. */
export const inspectionKind: Kind<Inspection, typeof inspectionMoves> & { seats: typeof inspectionSeats } = {
  kind: inspectionType,
  noun: '安全巡检',
  table: 'siteCheck',
  moves: inspectionMoves,
  stateName: (state) => stateName(state),
  lock: async (ctx, id) => {
    const { rows } = await sql<Inspection>`select c.*, ${asks} from site_check c where c.id = ${id} and c.kind = ${inspectionType}
      for update of c`.execute(ctx.db)
    return found(rows[0], '安全巡检')
  },
  turns: {
    checker: (ctx, row) => ctx.group.id === row.checkerGroup,
    site: (ctx) => ctx.group.type === groupTypes.project,
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode) && ctx.group.id !== row.checkerGroup,
  },
  hinder: (_ctx, row, action) => hindrances[action]?.(row),
  seats: inspectionSeats,
  todos: (row) => todosOf(row),
}

export const stateName = (state: string): string => (state === scoringState ? '检查中' : (dictName('rectifyState', state) ?? state))

const hindrances: Partial<Record<InspectionAction, (row: Inspection) => string | undefined>> = {
  submit: (row) =>
    row.undone > 0
      ? `还有 ${row.undone} 张检查表没有查完`
      : row.checkers.length < leastCheckers
        ? `检查人至少 ${leastCheckers} 名，请先补充`
        : undefined,
  sign: (row) => (row.signedSite ? '受检单位已经签字' : undefined),
  signSupervisor: (row) => (row.signedSupervisor ? '监理已经签字' : undefined),
}

function todosOf(row: Inspection): Todo[] {
  if (row.state === scoringState)
    return [
      {
        turn: 'checker',
        forGroup: row.checkerGroup,
        codes: [inspectionMoves.save.needs],
        title: `完成安全巡检（${row.part}）`,
        link: `/safetyInspection/edit?id=${row.id}`,
        due: null,
      },
    ]
  const link = pageOf(row.id)
  const title = `签字确认安全巡检 ${row.code ?? ''}`
  return [
    ...(row.signedSite ? [] : [{ turn: 'responsible', codes: [inspectionMoves.sign.needs], title, link, due: null }]),
    ...(row.signedSupervisor || !row.supervised
      ? []
      : [{ turn: 'supervisor', codes: [inspectionMoves.signSupervisor.needs], title, link, due: null }]),
  ]
}

export const pageOf = (id: string): string => `/safetyInspection/details?id=${id}`

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(inspectionMoves).map(([action, { label }]) => [action, label])),
  create: '开始检查',
}
