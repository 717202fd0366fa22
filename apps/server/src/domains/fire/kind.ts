import { type FireAction, fireKinds, fireMoves, fireStates, leastAssessors } from '@zhugong/contract/fire/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Kind, Todo } from '../process/public.ts'
import type { FireCase } from './fire-case.ts'
import { countUnsigned, fireSeats } from './seats.ts'

/** Of history, to-dos and signatures. */
export const fireType = 'fireAssess'
const noun = '消防验收申请'
const view = (id: string) => `/fireProtection/assessmentDetail?id=${id}`

export async function readCase(ctx: Pick<Context, 'db'>, id: string, lock = false): Promise<FireCase> {
  const { rows } = await sql<
    Omit<FireCase, 'unsigned'>
  >`select c.*, j.name as project_name, r.submitted_at, r.subs_done, r.subs_total, r.verdict,
      (select md5(coalesce(string_agg(p.id, ',' order by p.id), '')) from fire_point p where p.case_id = c.id and p.round = c.round)
        || (select md5(coalesce(string_agg(concat(s.build_id, s.sub_code, s.total, s.absent_reason), ',' order by s.build_id, s.sub_code), ''))
          from fire_sub s where s.case_id = c.id and s.round = c.round) as digest
    from fire_case c join project j on j.project_code = c.project_code
      left join fire_round r on r.case_id = c.id and r.round = c.round
    where c.id = ${id} ${lock ? sql`for update of c` : sql``}`.execute(ctx.db)
  const row = found(rows[0], noun)
  return { ...row, unsigned: row.state === fireStates.onSite ? await countUnsigned(ctx, { ...row, unsigned: 0 }) : 0 }
}

const isApplicant = (ctx: Pick<Context, 'group'>, row: FireCase) => ctx.group.id === row.applicantGroup
const isAuthority = (ctx: Pick<Context, 'group'>, row: FireCase) =>
  ctx.group.type === groupTypes.government && ctx.group.id === row.authorityGroup
export const isAssessor = (ctx: Pick<Context, 'group' | 'user'>, row: FireCase): boolean =>
  isAuthority(ctx, row) && row.assessorIds.includes(ctx.user.id)
/** Whether the caller works for an authority that knows of the findings before they are signed. */
export const isInternal = (ctx: Pick<Context, 'group'>, row: Pick<FireCase, 'applicantGroup'>): boolean =>
  ctx.group.id !== row.applicantGroup

const submitted = (row: FireCase) => row.submittedAt !== null
const hindrances: Partial<Record<FireAction, (row: FireCase) => string | undefined>> = {
  draw: (row) => (row.kind !== fireKinds.filing || row.inRandom !== null ? '只有尚未抽取的备案可以抽取' : undefined),
  assign: (row) => (row.kind === fireKinds.filing ? '备案须先随机抽取' : submitted(row) ? '评定已提交，不能再调整人员' : undefined),
  postpone: (row) => (row.assessors.length === 0 ? '请先派组' : submitted(row) ? '评定已提交' : undefined),
  askPapers: (row) => (row.pausedAt !== null ? '申请人正在补正' : submitted(row) ? '评定已提交' : undefined),
  givePapers: (row) => (row.pausedAt === null ? '现在没有要求补正' : undefined),
  start: (row) =>
    row.assessors.length < leastAssessors
      ? `评定人员至少 ${leastAssessors} 名，请先派组`
      : row.pausedAt !== null
        ? '申请人正在补正材料'
        : undefined,
  conclude: (row) => {
    if (submitted(row)) return '评定已提交，等待签发'
    const open = (row.subsTotal ?? 0) - (row.subsDone ?? 0)
    if (open > 0 || !row.subsTotal) return `还有 ${open} 个子项没有完成`
    return row.unsigned > 0 ? `还有 ${row.unsigned} 名评定人员没有签名` : undefined
  },
  sendBack: (row) => (submitted(row) ? undefined : '评定尚未提交'),
  issue: (row) => (submitted(row) ? undefined : '评定尚未提交'),
}

/** 消防验收: applied for by the 建设单位, accepted and assessed by the authority of the area, known to nobody else. */
export const fireKind: Kind<FireCase, typeof fireMoves> & { seats: typeof fireSeats } = {
  kind: fireType,
  noun,
  table: 'fireCase',
  moves: fireMoves,
  stateName: (state) => `${dictName('fireAssessState', state) ?? state}`,
  lock: (ctx, id) => readCase(ctx, id, true),
  turns: {
    applicant: isApplicant,
    authority: isAuthority,
    assessor: isAssessor,
    either: (ctx, row) => isApplicant(ctx, row) || isAuthority(ctx, row),
  },
  hinder: (_ctx, row, action) => hindrances[action]?.(row),
  seats: fireSeats,
  todos: fireTodos,
}

type Due = Pick<
  FireCase,
  | 'id'
  | 'state'
  | 'projectName'
  | 'applicantGroup'
  | 'authorityGroup'
  | 'dueDate'
  | 'pausedAt'
  | 'assessors'
  | 'kind'
  | 'inRandom'
  | 'submittedAt'
>
export function fireTodos(row: Due): Todo[] {
  const link = view(row.id)
  const own = (codes: string, title: string, due: string | null = row.dueDate): Todo[] => [
    { turn: 'applicant', forGroup: row.applicantGroup, codes: [codes], title: `${title}：${row.projectName}`, link, due },
  ]
  const theirs = (codes: string, title: string): Todo[] =>
    row.authorityGroup === null
      ? []
      : [{ turn: 'authority', forGroup: row.authorityGroup, codes: [codes], title: `${title}：${row.projectName}`, link, due: row.dueDate }]
  const { accept, assign, conclude, issue, submit } = fireMoves
  if (row.pausedAt !== null && (row.state === '3' || row.state === '4')) return own(submit.needs, '补正消防验收材料', null)
  switch (row.state) {
    case fireStates.waiting:
      return theirs(accept.needs, '受理消防验收')
    case fireStates.refused:
      return own(submit.needs, '消防验收不予受理，请补充后重新申报', null)
    case fireStates.accepted:
      if (row.kind === fireKinds.filing) return theirs(accept.needs, '消防备案待抽取')
      return row.assessors.length === 0 ? theirs(assign.needs, '消防验收待派组') : theirs(conclude.needs, '消防验收待现场评定')
    case fireStates.onSite:
      return row.submittedAt === null ? theirs(conclude.needs, '消防现场评定中') : theirs(issue.needs, '消防验收意见书待签发')
    case fireStates.recheck:
      return theirs(accept.needs, '受理消防复评')
    case fireStates.failed:
      return own(submit.needs, '消防验收不合格，整改后申请复评', null)
    default:
      return []
  }
}

export const fireLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(fireMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
}
