import * as contract from '@zhugong/contract/personnel/endpoints'
import type { FileRow, RosterRow, StayRow } from '@zhugong/contract/personnel/model'
import { certStates, entryConditions, realNameStates } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { oneProject } from '#kit/context'
import { type ExportColumn, type ListContext, registerExport } from '../exports/registry.ts'
import { countFiles, countRoster, countStays, streamFiles, streamRoster, streamStays, type WorkerFilters } from './list.ts'

/** Sealed numbers are opened row by row, only for exports that were allowed to carry them. */
interface Opened {
  clearIdCard: string | null
  clearPhone: string | null
}
const sensitive = <Row extends Opened>(): ExportColumn<Row>[] => [
  { key: 'idCardClear', title: '证件号码（明文）', width: 22, sensitive: true, value: (r) => r.clearIdCard },
  { key: 'cellPhoneClear', title: '手机（明文）', width: 16, sensitive: true, value: (r) => r.clearPhone },
]

async function* opened<Row extends { workerId: string }>(ctx: ListContext, rows: AsyncIterable<Row>): AsyncIterable<Row & Opened> {
  // Whoever may not export in clear gets no clear value even in memory.
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
      // As on the page of one person: in clear only whom the exporter has in place.
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

const gender = (code: string) => dictName('gender', code)
const query = contract.listWorkers.schemas.query as never

export function registerPersonnelExports(): void {
  registerExport({
    feature: 'projectWorker',
    title: '人员列表',
    query,
    columns: [
      { key: 'name', title: '姓名', value: (r: StayRow & Opened) => r.name },
      { key: 'gender', title: '性别', width: 8, value: (r) => gender(r.gender) },
      { key: 'age', title: '年龄', width: 8, value: (r) => r.age },
      { key: 'idCardNumber', title: '证件号码', width: 22, value: (r) => r.idCardNumber },
      { key: 'cellPhone', title: '手机', width: 14, value: (r) => r.cellPhone },
      ...sensitive<StayRow & Opened>(),
      { key: 'projectName', title: '项目', width: 30, value: (r) => r.projectName },
      { key: 'corpCode', title: '单位', width: 30, value: (r) => r.corpName },
      { key: 'teamId', title: '班组', width: 18, value: (r) => (r.isTeamLeader ? `${r.teamName} · 班组长` : r.teamName) },
      { key: 'workRole', title: '人员类型', value: (r) => dictName('workRole', r.workRole) },
      { key: 'workType', title: '工种', value: (r) => r.workTypeName },
      { key: 'entryTime', title: '进场时间', width: 20, value: (r) => r.entryTime },
      { key: 'exitTime', title: '退场时间', width: 20, value: (r) => r.exitTime },
      { key: 'formalStatus', title: '状态', value: (r) => dictName('formalStatus', r.formalStatus) },
      { key: 'stationed', title: '在场状态', width: 12, value: (r) => (r.exitTime ? `退场，${r.exitReasonName ?? '原因未填'}` : '进场') },
      { key: 'attendEnabled', title: '门禁', width: 8, value: (r) => (r.attendEnabled ? '已授权' : '未授权') },
      { key: 'lastPass', title: '最近通行', width: 20, value: (r) => r.lastPass },
      { key: 'hasContract', title: '合同', value: (r) => (r.hasContract ? '已签' : '未签') },
      { key: 'certState', title: '特种证', value: (r) => certStates[r.certState] },
      { key: 'firstIn', title: '今日入场', value: (r) => r.firstIn },
      {
        key: 'missing',
        title: '进场条件未齐',
        width: 24,
        value: (r) => r.missing.map((m) => entryConditions[m as keyof typeof entryConditions]).join('、'),
      },
    ],
    count: (ctx: ListContext, q: WorkerFilters) => countStays(ctx, q),
    rows: (ctx: ListContext, q: WorkerFilters) => opened(ctx, streamStays(ctx, q)),
  })
  registerExport({
    feature: 'workerFile',
    title: '人员档案',
    query,
    columns: [
      { key: 'name', title: '姓名', value: (r: FileRow & Opened) => r.name },
      { key: 'gender', title: '性别', width: 8, value: (r) => gender(r.gender) },
      { key: 'age', title: '年龄', width: 8, value: (r) => r.age },
      { key: 'idCardNumber', title: '证件号码', width: 22, value: (r) => r.idCardNumber },
      { key: 'cellPhone', title: '手机', width: 14, value: (r) => r.cellPhone },
      ...sensitive<FileRow & Opened>(),
      { key: 'birthPlaceCode', title: '籍贯', value: (r) => r.birthPlaceName },
      { key: 'workTypeCode', title: '当前工种', value: (r) => r.workTypeName },
      { key: 'onSite', title: '当前项目', width: 36, value: (r) => r.projects.map((p) => p.projectName).join('、') },
      { key: 'workCorpName', title: '聘用企业', width: 30, value: (r) => r.workCorpName },
      {
        key: 'realNameState',
        title: '实名核验',
        value: (r) => realNameStates[r.realNameState as keyof typeof realNameStates] ?? r.realNameState,
      },
      { key: 'missing', title: '待完善', width: 30, value: (r) => r.incomplete.join('、') },
      { key: 'badCount', title: '不良次数', value: (r) => r.badCount },
      { key: 'createTime', title: '建档时间', width: 20, value: (r) => r.createTime },
    ],
    count: (ctx: ListContext, q: WorkerFilters) => countFiles(ctx, q),
    rows: (ctx: ListContext, q: WorkerFilters) => opened(ctx, streamFiles(ctx, q)),
  })
  registerExport({
    feature: 'workerRoster',
    title: '人员花名册',
    query,
    columns: [
      { key: 'corpName', title: '单位', width: 30, value: (r: RosterRow & Opened) => r.corpName },
      { key: 'teamName', title: '班组', width: 18, value: (r) => r.teamName },
      { key: 'name', title: '姓名', value: (r) => r.name },
      { key: 'gender', title: '性别', width: 8, value: (r) => gender(r.gender) },
      { key: 'age', title: '年龄', width: 8, value: (r) => r.age },
      { key: 'idCardNumber', title: '证件号码', width: 22, value: (r) => r.idCardNumber },
      { key: 'cellPhone', title: '手机', width: 14, value: (r) => r.cellPhone },
      ...sensitive<RosterRow & Opened>(),
      { key: 'address', title: '住址', width: 26, value: (r) => r.address },
      { key: 'workName', title: '工种或岗位', value: (r) => r.workName },
      { key: 'skillLevelName', title: '技能等级', value: (r) => r.skillLevelName },
      { key: 'entryDate', title: '进场日期', width: 12, value: (r) => r.entryDate },
      { key: 'exitDate', title: '退场日期', width: 12, value: (r) => r.exitDate },
      { key: 'contractCode', title: '合同编号', width: 22, value: (r) => r.contractCode },
      { key: 'payCard', title: '工资卡', width: 24, value: (r) => r.payCard },
      { key: 'urgentLinkMan', title: '紧急联系人', value: (r) => r.urgentLinkMan },
      { key: 'sign', title: '签名', value: () => '' },
    ],
    count: (ctx: ListContext, q: WorkerFilters) => countRoster(ctx, { ...q, projectCode: oneProject(ctx, q.projectCode) }),
    rows: (ctx: ListContext, q: WorkerFilters) => opened(ctx, streamRoster(ctx, { ...q, projectCode: oneProject(ctx, q.projectCode) })),
  })
}
