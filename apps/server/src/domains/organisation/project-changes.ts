import { createHash } from 'node:crypto'
import { alterNames, alterTypes, isKeyPersonType } from '@zhugong/contract/organisation/alter-types'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { approvalStates, type FlowFacts, type FlowNodeInput } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { type Ask, type Decision, type Finding, type FlowStart, type Item, registerKind, type WorkDocument } from '../workflow/public.ts'
import { acceptChange } from './alter-accept.ts'
import { newcomerHits } from './alter-people.ts'
import { differencesIn, movedIn, namesOf, type WholeChange, wholeChange } from './alter-store.ts'

/** Workflow item 项目变更: the companies in turn, then the authority, one above it, or the platform. */
export const changeKind = 'projectChange'

const { name, parties, manager, chief, scale, schedule, place, other } = alterTypes
/** Working hours of three days. */
const stepHours = 72
const company = (key: string, title: string, at: 'leader' | 'supervisor' | 'owner', types: readonly string[]): FlowNodeInput => ({
  key,
  name: title,
  places: [at],
  by: { kind: 'code', code: 'documents.alterAudit' },
  // Whoever applies has agreed: a company is not asked about its own application.
  when: [
    { fact: 'type', op: 'in', value: [...types] },
    { fact: 'applicant', op: '!=', value: at },
  ],
  hours: stepHours,
})

/** 参建单位: 总包, 建设. A key person: the person's company, 建设. Others: 施工, 监理, 建设. All end at the authority, which writes the file. */
const flow: readonly FlowNodeInput[] = [
  company('leader', '施工单位', 'leader', [name, parties, manager, scale, schedule, place, other]),
  company('supervisor', '监理单位', 'supervisor', [name, chief, scale, schedule, place, other]),
  company('owner', '建设单位', 'owner', Object.values(alterTypes)),
  {
    key: 'authority',
    name: '监督机构',
    places: ['authority', 'above', 'platform'],
    by: { kind: 'code', code: 'project.assign' },
    hours: stepHours,
    locked: true,
  },
]

const applicantParts = { site: '项目部', leader: '总承包单位', owner: '建设单位', supervisor: '监理单位', other: '其他' } as const
export type ApplicantPart = keyof typeof applicantParts
const partOfCorp: Readonly<Record<string, ApplicantPart>> = { '009': 'leader', '008': 'owner', '007': 'supervisor' }

/** The part in which a group applies: the site itself, or what its company does there. */
export async function applicantPart(ctx: Pick<Context, 'system'>, groupId: string, projectCode: string): Promise<ApplicantPart> {
  const { rows } = await sql<{ type: number; corpType: string | null }>`
    select t.type, (select min(u.corp_type) filter (where u.corp_type in ('007', '008', '009')) from project_corp u
      where u.corp_code = t.code and u.project_code = ${projectCode} and u.exit_time is null) as corp_type
    from tenant t where t.id = ${groupId}`.execute(ctx.system)
  const group = rows[0]
  if (group?.type === groupTypes.project) return 'site'
  return partOfCorp[group?.corpType ?? ''] ?? 'other'
}

export const factsOf = (
  { change, fields }: Pick<WholeChange, 'fields'> & { change: { type: string } },
  applicant: ApplicantPart,
): FlowFacts => ({
  type: change.type,
  applicant,
  ...Object.fromEntries(fields.map(({ field }) => [field, true])),
})
export const titleOf = (type: string, projectName: string): string => `项目变更 ${projectName}：${dictName('projectAlterType', type) ?? ''}`

export function registerChangeKind(): void {
  const options = Object.fromEntries((dictionaryOf('projectAlterType')?.items ?? []).map((item) => [item.code, item.name]))
  registerKind({
    kind: changeKind,
    name: '项目变更',
    noun: '此申请',
    prefix: 'XMBG',
    facts: {
      type: { label: '变更类型', type: 'code', options },
      applicant: { label: '申请单位', type: 'code', options: applicantParts },
      ...Object.fromEntries(Object.entries(alterNames).map(([key, label]) => [key, { label: `变更${label}`, type: 'flag' as const }])),
    },
    flow,
    withdrawBy: 'group',
    reads: ['project.view'],
    link: ({ objectId, projectCode }) => `/projectAlter?tab=all&id=${objectId}&projectCode=${projectCode ?? ''}`,
    document: changeDocument,
    findings: changeFindings,
    asks: changeAsks,
    waiting: waitingChanges,
    decided: writeDecision,
  })
}

async function changeDocument(ctx: Pick<Context, 'db' | 'system'>, id: string): Promise<WorkDocument | undefined> {
  const whole = await wholeChange(ctx, id)
  if (!whole) return undefined
  const { change, person } = whole
  return {
    fields: [
      { label: '项目', value: whole.projectName },
      { label: '变更类型', value: dictName('projectAlterType', change.type) ?? change.type },
      ...(person ? [{ label: '变更后人员证件', value: person.idCardMask }] : []),
      { label: '原因', value: change.reason },
      { label: '申请', value: change.filedName },
    ],
    changes: differencesIn(whole, await namesOf(ctx, whole.fields)).map(({ label, before, after }) => ({ label, before, after })),
    files: [...change.files, ...change.consent],
  }
}

/** What came up since the application was filed, read anew each time. */
async function changeFindings(ctx: Pick<Context, 'db' | 'system' | 'clock'>, item: Item): Promise<Finding[]> {
  const whole = await wholeChange(ctx, item.objectId)
  if (!whole) return []
  const moved = await movedIn(ctx, whole)
  const hits = await hitsOf(ctx, whole)
  return [...moved.map(movedWords), ...hits].map((text) => ({ level: 'bad' as const, text }))
}
const movedWords = ({ label, before, now }: { label: string; before: string | null; now: string | null }) =>
  `${label}：原值已变化，申请时为“${before ?? '未登记'}”，现为“${now ?? '未登记'}”`

export async function hitsOf(ctx: Pick<Context, 'db' | 'system' | 'clock'>, { change, person }: WholeChange): Promise<string[]> {
  return person && isKeyPersonType(change.type) ? newcomerHits(ctx, change.type, change.projectCode, person) : []
}

/** Whoever agrees to values that have moved says so; if they move again, he is asked again. */
async function changeAsks(ctx: Pick<Context, 'db' | 'system'>, item: Item): Promise<Ask[]> {
  const whole = await wholeChange(ctx, item.objectId)
  const moved = whole ? await movedIn(ctx, whole) : []
  if (moved.length === 0) return []
  const value = createHash('sha256').update(JSON.stringify(moved)).digest('hex').slice(0, 32)
  return [{ key: 'moved', value, text: `原值已变化（${moved.map(({ label }) => label).join('、')}）` }]
}

type OldChange = Row<'projectChange'> & { projectName: string; ownerGroup: string; ownFields: string[] }

async function waitingChanges(db: Context['system'], objectId?: string): Promise<FlowStart[]> {
  // If the group that filed it has been closed, the site owns the application.
  const { rows } = await sql<OldChange>`
    select x.*, p.name as project_name, coalesce(f.id, s.id) as owner_group,
      array(select c.field from project_change_field c where c.change_id = x.id order by c.seq) as own_fields
    from project_change x join project p using (project_code)
      left join tenant f on f.id = x.filed_group left join tenant s on s.type = ${groupTypes.project} and s.code = x.project_code
    where x.state = ${approvalStates.running} and coalesce(f.id, s.id) is not null and ${objectId === undefined ? sql`true` : sql`x.id = ${objectId}`}
      and not exists (select 1 from work_item i where i.kind = ${changeKind} and i.object_id = x.id and i.state = '1')`.execute(db)
  const starts: FlowStart[] = []
  for (const x of rows)
    starts.push({
      kind: changeKind,
      groupId: x.ownerGroup,
      projectCode: x.projectCode,
      objectId: x.id,
      title: titleOf(x.type, x.projectName),
      facts: {
        type: x.type,
        applicant: await applicantPart({ system: db }, x.ownerGroup, x.projectCode),
        ...Object.fromEntries(x.ownFields.map((field) => [field, true])),
      },
      since: x.createTime,
      applicant: { id: x.filedBy, name: x.filedName, groupId: x.ownerGroup },
    })
  return starts
}

async function writeDecision(ctx: Context, item: Item, { act, opinion, state, at, choice }: Decision): Promise<void> {
  if (state === approvalStates.running) return
  const whole = await wholeChange(ctx, item.objectId)
  if (!whole) throw new Error(`application ${item.objectId} is gone`)
  const { superviseOrg } = choice
  if (state === approvalStates.passed) await acceptChange(ctx, whole, typeof superviseOrg === 'string' ? superviseOrg : undefined)
  await changeRow(ctx, 'projectChange', {
    key: { id: whole.change.id },
    version: whole.change.version,
    noun: '变更申请',
    values: {
      state,
      opinion: opinion || null,
      ...(act === 'withdraw' ? {} : { decidedName: `${ctx.group.name} ${ctx.user.name}` }),
      decideTime: at,
    },
  })
}
