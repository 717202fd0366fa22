import { z } from 'zod'
import { zipIds } from '../exports/endpoints.ts'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, flag, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, logLine, rightsOfMoves } from '../kit/process.ts'
import { codesOfSeats, signatureCall, signatureRow } from '../kit/signatures.ts'
import { houseMoves, partyRights } from './moves.ts'

const path = '/api/v1/house/sync'
const view = 'inspection.view'
const syncs = 'inspection.houseSync'

export const mostSyncRows = 3_000
/** Where the rows of a sync come from. */
export const syncSources = { file: '文件', outer: '外部系统', places: '部位树' } as const
const sources = ['file', 'outer', 'places'] as const

const house = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  externalNo: z.string(),
  buildingId: z.string(),
  buildingName: z.string(),
  unitName: z.string().nullable(),
  floorName: z.string(),
  name: z.string(),
  houseType: z.string().nullable(),
  businessType: z.string().nullable(),
  buildArea: z.number().nullable(),
  problemCount: z.number().int(),
  acceptDate: z.string().nullable(),
  certNo: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  /** 来源已无: not in the source of the last sync, kept because acceptance has begun. */
  gone: z.boolean(),
  version: z.number().int(),
})
export type House = z.output<typeof house>

const building = z.object({
  id: z.string(),
  name: z.string(),
  projectName: z.string(),
  total: z.number().int(),
  passed: z.number().int(),
  /** Every house has passed: 可提交竣工验收. */
  ready: z.boolean(),
})
const counts = z.object({
  total: z.number().int(),
  passed: z.number().int(),
  open: z.number().int(),
  gone: z.number().int(),
})

const syncRecord = z.object({
  id: z.string(),
  projectName: z.string(),
  time: z.string(),
  source: z.string(),
  sourceName: z.string(),
  count: z.number().int(),
  added: z.number().int(),
  changed: z.number().int(),
  missing: z.number().int(),
  failed: z.number().int(),
  operator: z.string(),
  failures: z.array(z.object({ row: z.number().int(), externalNo: z.string(), reason: z.string() })),
})
export type SyncRecord = z.output<typeof syncRecord>

const problem = z.object({
  id: z.string(),
  houseId: z.string(),
  projectName: z.string(),
  houseName: z.string(),
  itemCode: z.string(),
  itemName: z.string(),
  note: z.string().nullable(),
  since: z.string(),
  stateName: z.string(),
})

const houseFilters = {
  ...ofProject.shape,
  building: pointsTo('sitePlace', text(64)).optional(),
  name: text(50).optional(),
  state: several.optional(),
  /** Waits for mending or recheck. */
  open: flag.optional(),
  gone: flag.optional(),
  sort: sortBy('place', 'problemCount', 'acceptDate'),
}
const syncFilters = {
  ...ofProject.shape,
  time: dayRange.optional(),
  source: several.optional(),
  failed: flag.optional(),
  sort: sortBy('time', 'count'),
}
const problemFilters = {
  ...ofProject.shape,
  building: pointsTo('sitePlace', text(64)).optional(),
  itemCode: several.optional(),
  houseName: text(50).optional(),
  sort: sortBy('since', 'place'),
}

export const houseSync = endpoint({
  method: 'GET',
  path,
  summary: '房屋同步信息',
  description: 'view：houses 分户（默认）、syncs 同步记录、problems 未闭合问题。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...houseFilters,
    ...syncFilters,
    ...problemFilters,
    view: z.enum(['houses', 'syncs', 'problems']).default('houses'),
    sort: sortBy('place', 'problemCount', 'acceptDate', 'time', 'count', 'since'),
  }),
  response: z.union([paged(house).extend({ counts, buildings: z.array(building) }), paged(syncRecord), paged(problem)]),
})

export const findHouses = viewOf(houseSync, {
  query: pageQuery.extend(houseFilters),
  response: paged(house).extend({ counts, buildings: z.array(building) }),
})
export const houseList = listOf(findHouses, {
  feature: 'house',
  columns: {
    projectName: '项目',
    buildingName: '楼栋',
    unitName: '单元',
    floorName: '楼层',
    name: '房号',
    externalNo: '外部编号',
    houseType: '户型',
    businessType: '业态',
    buildArea: '建筑面积（m²）',
    problemCount: '未闭合问题',
    acceptDate: '验收日期',
    certNo: '证明编号',
    state: '状态',
  },
})
export const findHouseSyncs = viewOf(houseSync, {
  query: pageQuery.extend({ ...syncFilters, view: z.literal('syncs') }),
  response: paged(syncRecord),
})
export const houseSyncList = listOf(findHouseSyncs, {
  feature: 'houseSync',
  columns: {
    time: '时间',
    projectName: '项目',
    source: '来源',
    count: '行数',
    added: '新增',
    changed: '变更',
    missing: '来源已无',
    failed: '失败',
    operator: '操作人',
  },
})
export const findHouseProblems = viewOf(houseSync, {
  query: pageQuery.extend({ ...problemFilters, view: z.literal('problems') }),
  response: paged(problem),
})
export const houseProblemList = listOf(findHouseProblems, {
  feature: 'houseProblem',
  columns: {
    projectName: '项目',
    houseName: '户',
    itemCode: '验收项',
    note: '问题',
    since: '提出时间',
    stateName: '户状态',
  },
})

const shownItem = z.object({
  itemCode: z.string(),
  result: z.string(),
  note: z.string().nullable(),
  photos: z.array(z.string()),
})
const id = z.object({ id: ref('house') })
export const getHouse = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '分户验收详情',
  needs: view,
  params: id,
  query: ofProject,
  response: house.extend({
    items: z.array(shownItem),
    fixNote: z.string().nullable(),
    fixPhotos: z.array(z.string()),
    signatures: z.array(signatureRow),
    timeline: z.array(logLine),
    actions: z.array(allowedAction),
  }),
})

const cell = z.string().trim().max(50, '最多 50 个字').default('')
const sourceRow = z.object({
  externalNo: cell,
  building: cell,
  unit: cell,
  floor: cell,
  name: cell,
  houseType: cell,
  businessType: cell,
  buildArea: cell,
})
const given = {
  source: z.enum(sources, { error: '请选择来源' }),
  /** Empty for `places`: the rooms of the site's tree. */
  rows: z.array(sourceRow).max(mostSyncRows, `一次最多 ${mostSyncRows} 户`).default([]),
  /** With `places`: the building. */
  building: pointsTo('sitePlace', text(64)).optional(),
}
const move = { id: ref('house'), version: z.number().int() }

const failure = z.object({ row: z.number().int(), externalNo: z.string(), reason: z.string() })
export const syncOutcome = z.object({
  /** Null for a dry run. */
  syncId: z.string().nullable(),
  added: z.array(z.string()),
  changed: z.array(z.object({ name: z.string(), what: z.array(z.string()) })),
  missing: z.array(z.object({ name: z.string(), kept: z.boolean() })),
  unchanged: z.number().int(),
  failures: z.array(failure),
})
export type SyncOutcome = z.output<typeof syncOutcome>
const changed = z.object({ id: z.string(), version: z.number().int(), state: z.string() })

export const runHouseSync = endpoint({
  method: 'POST',
  path,
  summary: '执行房屋同步与分户验收',
  description:
    'preview 试算、apply 写入（按项目与外部编号幂等，已有验收数据的户不删除）；start、save、accept、fix、recheck 办理一户的验收。',
  needs: [syncs, 'inspection.houseAccept'],
  acts: 'review',
  actions: { preview: { needs: syncs, acts: 'site' }, apply: { needs: syncs, acts: 'site' }, ...rightsOfMoves(houseMoves) },
  largeBody: 'the houses of a site',
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('preview'), ...given }),
    z.object({ action: z.literal('apply'), ...given }),
    z.object({ action: z.literal('start'), ...move, ...houseMoves.start.asks }),
    z.object({ action: z.literal('save'), ...move, ...houseMoves.save.asks }),
    z.object({ action: z.literal('accept'), ...move, ...houseMoves.accept.asks }),
    z.object({ action: z.literal('fix'), ...move, ...houseMoves.fix.asks }),
    z.object({ action: z.literal('recheck'), ...move, ...houseMoves.recheck.asks }),
  ]),
  response: z.object({ sync: syncOutcome.nullable(), house: changed.nullable() }),
})

export const signHouse = signatureCall({
  path,
  noun: '分户验收',
  needs: codesOfSeats(...Object.values(partyRights)),
  params: id,
})

/** 住宅工程质量分户验收证明 of one house, or of several in one archive. */
export const houseCertPrint = z.object({ id: ref('house') })
export const houseCertZip = z.object({ ids: zipIds(ref('house')) })
