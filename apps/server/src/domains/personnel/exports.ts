import { dueKinds, dueStates, urgencies } from '@zhugong/contract/personnel/certificate-model'
import { certDueList, certList } from '@zhugong/contract/personnel/certificates'
import { flowList } from '@zhugong/contract/personnel/flow'
import * as contract from '@zhugong/contract/personnel/people'
import { certStates, entryConditions, realNameStates } from '@zhugong/contract/personnel/rules'
import type { TrainMark, TrainRow } from '@zhugong/contract/personnel/train-model'
import { trainedList } from '@zhugong/contract/personnel/training'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { oneProject } from '#kit/context'
import { exportOf, type ListContext } from '../exports/registry.ts'
import { registerBadgePrint } from './badge-print.ts'
import { countDues, streamDues } from './cert-dues.ts'
import { countStock, streamStock } from './cert-stock.ts'
import { registerDossierPrint } from './dossier-print.ts'
import { countFiles, streamFiles } from './file-rows.ts'
import { countFlow, streamFlow } from './flow.ts'
import { registerImportExports } from './import/export.ts'
import type { FileQuery, RosterQuery, StayQuery } from './people-filters.ts'
import { countRoster, streamRoster } from './roster-rows.ts'
import { countStays, streamStays } from './stay-rows.ts'
import { registerSessionExport } from './train-export.ts'
import { registerTrainPrints } from './train-print.ts'
import { countTrained, streamTrained } from './train-rows.ts'

/** Decrypted numbers; decrypted row by row, only for exports with the permission for it. */
interface Opened {
  clearIdCard: string | null
  clearPhone: string | null
}
/** Columns common to all lists of people. */
const person = {
  name: (r: { name: string }) => r.name,
  gender: (r: { gender: string }) => dictName('gender', r.gender),
  age: (r: { age: number }) => r.age,
  idCardNumber: (r: { idCardNumber: string }) => r.idCardNumber,
  cellPhone: (r: { cellPhone: string | null }) => r.cellPhone,
  idCardClear: (r: Opened) => r.clearIdCard,
  cellPhoneClear: (r: Opened) => r.clearPhone,
}
const genderAge = (r: { gender: string; age: number }) => `${dictName('gender', r.gender) ?? '--'} ${r.age}`
const widths = { gender: 8, age: 8, idCardNumber: 22, cellPhone: 14, idCardClear: 22, cellPhoneClear: 16 }

async function* opened<Row extends { workerId: string }>(ctx: ListContext, rows: AsyncIterable<Row>): AsyncIterable<Row & Opened> {
  // Without the permission, no number is decrypted, not even in memory.
  if (!ctx.codes.has('export.sensitive')) {
    for await (const row of rows) yield { ...row, clearIdCard: null, clearPhone: null }
    return
  }
  let batch: Row[] = []
  const flush = async () => {
    const people = await ctx.db
      .selectFrom('worker')
      .select(['id', 'idCardNumber', 'cellPhone'])
      .where('id', 'in', [...new Set(batch.map((r) => r.workerId))])
      // As on the detail page: clear numbers only for people the exporter has in place.
      .where(sql<boolean>`(${ctx.scope.all} or zg_holds_worker(id))`)
      .execute()
    const byId = new Map(people.map((p) => [p.id, p]))
    const done = batch.map((row) => {
      const p = byId.get(row.workerId)
      return { ...row, clearIdCard: ctx.secrets.open(p?.idCardNumber), clearPhone: ctx.secrets.open(p?.cellPhone) }
    })
    batch = []
    return done
  }
  for await (const row of rows) {
    batch.push(row)
    if (batch.length === 500) yield* await flush()
  }
  if (batch.length) yield* await flush()
}

const ofOneProject = (ctx: ListContext, query: RosterQuery) => ({ ...query, projectCode: oneProject(ctx, query.projectCode) })
const stays = (ctx: ListContext, query: StayQuery) => opened(ctx, streamStays(ctx, query))
const files = (ctx: ListContext, query: FileQuery) => opened(ctx, streamFiles(ctx, query))
const roster = (ctx: ListContext, query: RosterQuery) => opened(ctx, streamRoster(ctx, ofOneProject(ctx, query)))

/** Title lines of the roster file, as on the printed roster: site, day, and the people listed. */
async function rosterHeading(ctx: ListContext, query: RosterQuery): Promise<string[]> {
  const own = ofOneProject(ctx, query)
  const project = await ctx.db
    .selectFrom('project')
    .leftJoin('corporation', 'corporation.corpCode', 'project.contractorCorpCode')
    .select(['project.name', 'corporation.corpName'])
    .where('project.projectCode', '=', own.projectCode)
    .executeTakeFirst()
  const asOf = own.asOf ?? formatDay(ctx.clock.now())
  return [
    '施工现场人员花名册',
    `项目：${project?.name ?? own.projectCode}　总承包：${project?.corpName ?? '--'}`,
    `截至：${asOf}（${own.range === 'month' ? '含当月退场' : '当日在场'}）　${await countRoster(ctx, own)} 人　编制：${ctx.user.name}`,
  ]
}

export function registerPersonnelExports(publicUrl: string | undefined): void {
  registerImportExports()
  registerBadgePrint(publicUrl)
  registerDossierPrint()
  registerTrainPrints()
  registerSessionExport()
  registerPeople()
  registerCertificates()
  registerMovesAndTraining()
}

function registerPeople(): void {
  stayFile()
  fileFile()
  rosterFile()
}

function stayFile(): void {
  exportOf(
    contract.stayList,
    {
      title: '人员列表',
      widths: {
        ...widths,
        projectName: 30,
        corpCode: 30,
        teamId: 18,
        entryTime: 20,
        exitTime: 20,
        lastPass: 20,
        attendEnabled: 8,
        missing: 24,
      },
      apart: { genderAge: ['gender', 'age'] },
      count: countStays,
      rows: stays,
    },
    {
      ...person,
      genderAge,
      corpCode: (r) => r.corpName,
      teamId: (r) => (r.isTeamLeader ? `${r.teamName} · 班组长` : r.teamName),
      workRole: (r) => dictName('workRole', r.workRole),
      workType: (r) => r.workTypeName,
      formalStatus: (r) => dictName('formalStatus', r.formalStatus),
      stationed: (r) => (r.exitTime ? `退场，${r.exitReasonName ?? '原因未填'}` : '进场'),
      attendEnabled: (r) => (r.attendEnabled ? '已授权' : '未授权'),
      hasContract: (r) => (r.hasContract ? '有效' : '无有效合同'),
      certState: (r) => (r.certState === 'none' ? '无需持证' : certStates[r.certState]),
      missing: (r) => r.missing.map((m) => `缺${entryConditions[m as keyof typeof entryConditions]}`).join('、'),
    },
  )
}

function fileFile(): void {
  exportOf(
    contract.fileList,
    {
      title: '人员档案',
      widths: { ...widths, onSite: 36, workCorpName: 30, missing: 30, createTime: 20 },
      apart: { genderAge: ['gender', 'age'] },
      count: countFiles,
      rows: files,
    },
    {
      ...person,
      genderAge,
      birthPlaceCode: (r) => r.birthPlaceName,
      workTypeCode: (r) => r.workTypeName,
      onSite: (r) => r.projects.map((p) => p.projectName).join('、'),
      realNameState: (r) => realNameStates[r.realNameState as keyof typeof realNameStates] ?? r.realNameState,
      missing: (r) => (r.incomplete.length ? `待完善：${r.incomplete.join('、')}` : '完整'),
    },
  )
}

function rosterFile(): void {
  exportOf(
    contract.rosterList,
    {
      title: '人员花名册',
      widths: { ...widths, corpName: 30, teamName: 18, address: 26, entryDate: 12, exitDate: 12, contractCode: 22, payCard: 24 },
      heading: rosterHeading,
      count: (ctx, query) => countRoster(ctx, ofOneProject(ctx, query)),
      rows: roster,
    },
    {
      ...person,
      sign: () => '',
    },
  )
}

function registerCertificates(): void {
  exportOf(
    certList,
    {
      title: '人员证书',
      widths: { corpCode: 30, projectName: 30, title: 24, certNo: 22, grantOrg: 30, createTime: 20 },
      count: countStock,
      rows: streamStock,
    },
    {
      corpCode: (r) => r.corpName,
      teamId: (r) => r.teamName,
      workType: (r) => r.workTypeName,
      certType: (r) => r.certTypeName,
      specialType: (r) => r.specialTypeName,
      level: (r) => r.levelName,
      validEnd: (r) => r.validEnd ?? '长期',
      certStatus: (r) => r.statusName,
      auditStatus: (r) => r.auditStatusName,
      onSite: (r) => (r.onSite ? '在场' : '已退场'),
    },
  )
  exportOf(
    certDueList,
    {
      title: '证书预警',
      widths: { corpCode: 30, projectName: 30, title: 24, certNo: 22, lastPass: 20, reminded: 40 },
      count: countDues,
      rows: streamDues,
    },
    {
      urgency: (r) => (r.urgency === 'missing' && r.state === 'review' ? '待审核' : urgencies[r.urgency]),
      corpCode: (r) => r.corpName,
      teamId: (r) => r.teamName,
      workType: (r) => r.workTypeName,
      dueKind: (r) => dueKinds[r.kind],
      attendEnabled: (r) => (r.attendEnabled ? '已授权' : '未授权'),
      dueState: (r) => (r.ignored ? `已忽略：${r.ignored.reason}` : dueStates[r.state]),
      reminded: (r) => r.reminded.join('、'),
    },
  )
}

function registerMovesAndTraining(): void {
  exportOf(
    flowList,
    {
      title: '进退场流水',
      widths: { flowDate: 20, corpCode: 30, projectName: 30, other: 24 },
      count: countFlow,
      rows: streamFlow,
    },
    {
      flowDate: (r) => r.date,
      flowType: (r) => (r.flowType === '1' ? '进场' : '退场'),
      corpCode: (r) => r.corpName,
      teamId: (r) => r.teamName,
      workType: (r) => r.workTypeName,
      exitReason: (r) => r.exitReasonName,
      source: (r) => r.sourceName,
    },
  )
  exportOf(
    trainedList,
    { title: '人员培训', widths: { corpCode: 30, projectName: 30, passedGate: 20 }, count: countTrained, rows: streamTrained },
    {
      workType: (r) => r.workTypeName,
      teamId: (r) => r.teamName,
      corpCode: (r) => r.corpName,
      entryTrained: (r) => (r.entryTrained ? '是' : '否'),
      entry: marked('entry'),
      company: marked('company'),
      project: marked('project'),
      team: marked('team'),
      resume: marked('resume'),
      special: marked('special'),
      trainHours: (r) => r.hours,
      passedGate: (r) => r.lastPass,
    },
  )
}

const markWords: Record<TrainMark['state'], string> = { passed: '合格', failed: '不合格', due: '到期', covered: '已有同等教育', none: '缺' }
/** Training types required of everybody; the others depend on the occasion. */
const requested: readonly string[] = ['entry', 'company', 'project', 'team']
const marked = (column: string) => (r: TrainRow) => {
  const mark = r.marks[column]
  if (mark?.date) return `${markWords[mark.state]} ${mark.date} ${mark.hours} 学时`
  if (mark?.state === 'covered') return column === 'entry' ? '以三级教育代' : '以入场教育代'
  return requested.includes(column) ? markWords.none : ''
}
