import { dictName } from '@zhugong/contract/settings/dictionaries'
import { expect, inject, test } from 'vitest'
import { type Api, apiAs } from '../browser.ts'
import { pdfWords } from '../pdf-words.ts'
import { accountOf, backgroundMs, until } from './day.ts'

/**
 * Official papers of building and machines say what their records say: acceptance and sampling of a batch, concealed work, the summary of
 * measured values, the certificate of a flat, the upkeep of a machine. Every figure is read from the PDF itself.
 */
const demo = inject('demo')
const { projectCode } = accountOf(demo, 'hospital-pm')
const site = `projectCode=${projectCode}`

interface ExportTask {
  id: string
  exportStatus: number
  exportUrl: string | null
}
/** Contract `exportStatus`. */
const [done, running] = [1, 2]

/** The words of a print, without white space. */
async function printed(api: Api, feature: string, query: object): Promise<string> {
  const { data, message } = await api.post('/api/v1/export', { feature, exportType: 'pdf', query })
  const { id } = (data ?? {}) as { id?: string }
  if (!id) throw new Error(message)
  const task = await until(
    `the print ${feature}`,
    async () => (await api.get<{ list: ExportTask[] }>('/api/v1/export?page=1&size=50')).list.find((one) => one.id === id),
    (one) => one !== undefined && one.exportStatus !== running,
    backgroundMs,
  )
  expect(task).toMatchObject({ exportStatus: done })
  const answer = await fetch(demo.url + (task?.exportUrl ?? ''))
  return pdfWords(Buffer.from(await answer.arrayBuffer()))
}

type Value = string | number | null | undefined
const plain = (...values: Value[]) =>
  values
    .map((one) => String(one ?? ''))
    .join('')
    .replace(/\s+/g, '')
/** A fact with its label; what is missing is drawn as a dash. */
const fact = (label: string, value: Value) => plain(label, value === null || value === undefined || value === '' ? '—' : value)
function says(words: string, ...expected: string[]): void {
  expect(expected.filter((one) => !words.includes(one))).toEqual([])
}
const rate = (value: number | null) => (value === null ? '未测' : `${value}%`)

interface Batch {
  id: string
  projectName: string
  corpName: string
  categoryName: string
  name: string
  spec: string
  batchNo: string | null
  brand: string | null
  supplier: string
  quantity: number
  unitName: string
  arriveTime: string
  usePart: string | null
  certFiles: string[]
  checkedBy: string | null
  reportNo: string | null
  state: string
  stateName: string
  exited: boolean
  usable: boolean
  whyNot: string | null
  samplesDue: number
  samplesTaken: number
  labOrg: string | null
  deviation: number | null
  tickets: {
    direction: string
    billNo: string
    plateNo: string
    weighedAt: string
    gross: Value
    tare: Value
    actual: Value
    bill: Value
  }[]
  events: { action: string; sampleNo: string | null; at: string; note: string | null; operator: string }[]
}

test('acceptance and sampling of batches, failed and passed', { timeout: 300_000 }, async () => {
  const api = await apiAs(demo, 'hospital-pm')
  const { list } = await api.get<{ list: Batch[] }>(`/api/v1/oa/process/material?${site}&page=1&size=100`)
  const accepted = list.filter((one) => one.state !== '0')
  const chosen = [
    accepted.find((one) => one.samplesTaken > 0 && one.state === '3'),
    accepted.find((one) => one.samplesTaken > 0 && one.state === '1'),
  ]
  for (const row of chosen) {
    const { id } = row ?? {}
    const batch = await api.get<Batch>(`/api/v1/oa/process/material/${id}?projectCode=*`)
    const facts = [
      fact('工程名称', batch.projectName),
      fact('收料单位', batch.corpName),
      fact('材料类别', batch.categoryName),
      fact('材料名称', batch.name),
      fact('规格型号', batch.spec),
      fact('批号', batch.batchNo),
      fact('品牌 / 产地', batch.brand),
      fact('供应商', batch.supplier),
      fact('数量', `${batch.quantity} ${batch.unitName}`),
      fact('进场时间', batch.arriveTime),
      fact('复验报告', batch.reportNo),
    ]
    const accept = await printed(api, 'materialPaper', { id, paper: 'accept' })
    says(
      accept,
      ...facts,
      fact('拟用部位', batch.usePart),
      fact('质量证明文件', `${batch.certFiles.length} 份`),
      fact('验收结论', batch.exited ? `${batch.stateName}（已退场）` : batch.stateName),
      fact('验收人', batch.checkedBy),
      fact('能否使用', batch.usable ? '可使用' : `不得使用：${batch.whyNot}`),
      ...batch.tickets
        .filter((one) => one.direction === 'in')
        .map((one) => plain(one.billNo, one.plateNo, one.weighedAt.slice(0, 16), one.gross, one.tare, one.actual, one.bill)),
    )
    const samples = batch.events.filter((one) => one.action === 'sample')
    expect(samples).toHaveLength(batch.samplesTaken)
    says(
      await printed(api, 'materialPaper', { id, paper: 'sample' }),
      ...facts,
      fact('应取样', `${batch.samplesDue} 组`),
      fact('已取样', `${batch.samplesTaken} 组`),
      fact('检测机构', batch.labOrg),
      ...samples.map((one) => plain(one.sampleNo, one.at.slice(0, 16), one.note, one.operator.split('·')[0])),
    )
  }
})

interface Step {
  id: string
  code: string
  part: string
  placeName: string
  corpName: string
  checkTime: string
  stateName: string
  rounds: { round: number; points: { name: string; limit: string; value: number | null; unit: string | null; passed: boolean }[] }[]
  signatures: { role: string; name: string | null; state: string }[]
}

test('concealed work, point by point', { timeout: 300_000 }, async () => {
  const api = await apiAs(demo, 'hospital-pm')
  const { list } = await api.get<{ list: { id: string; kind: string; state: string }[] }>(
    `/api/v1/oa/process/qualityP?${site}&kind=5&page=1&size=20`,
  )
  const id = list.find((one) => one.state === '2' || one.state === '4')?.id
  const step = await api.get<Step>(`/api/v1/oa/process/qualityP/${id}?projectCode=*`)
  const last = step.rounds.toSorted((a, b) => b.round - a.round)[0]
  says(
    await printed(api, 'qualityPSheet', { id }),
    fact('编号', step.code),
    fact('部位', step.part),
    fact('位置', step.placeName),
    fact('施工单位', step.corpName),
    fact('检查时间', step.checkTime),
    fact('状态', step.stateName),
    ...(last?.points ?? []).map((one, i) =>
      plain(i + 1, one.name, one.limit, one.value === null ? '目测' : `${one.value} ${one.unit ?? ''}`, one.passed ? '合格' : '不合格'),
    ),
    ...step.signatures.filter((one) => one.state === 'signed').map((one) => plain(one.role)),
  )
})

interface Rates {
  measured: number
  burst: number
  firstRate: number | null
  passRate: number | null
}
interface Heat {
  list: (Rates & { id: string; name: string; floors: { floorName: string; cells: { id: string; name: string }[] }[] })[]
  cells: (Rates & { placeId: string })[]
}

test('the summary of measured values: items by company, and every room of the map', { timeout: 300_000 }, async () => {
  const api = await apiAs(demo, 'hospital-pm')
  const path = `/api/v1/measure/record?${site}`
  const { counts } = await api.get<{ counts: Rates & { open: number } }>(`${path}&page=1&size=1`)
  const matrix = await api.get<{
    list: (Rates & { itemName: string; corps: (Rates & { corpCode: string })[] })[]
    corps: { corpCode: string; name: string }[]
  }>(`${path}&view=matrix`)
  const heat = await api.get<Heat>(`${path}&view=heat`)
  expect(counts.measured).toBeGreaterThan(1_000)
  const words = await printed(api, 'measureSummary', { projectCode })
  const corps = matrix.corps.slice(0, 5)
  says(
    words,
    fact('测点数', counts.measured),
    fact('首次合格率', rate(counts.firstRate)),
    fact('复测后合格率', rate(counts.passRate)),
    fact('爆点', counts.burst),
    fact('待整改点', counts.open),
    ...matrix.list.map((one) =>
      plain(
        ...[one.itemName, one.measured, rate(one.firstRate), rate(one.passRate), one.burst],
        ...corps.map(({ corpCode }) => rate(one.corps.find((cell) => cell.corpCode === corpCode)?.passRate ?? null)),
      ),
    ),
    ...heat.list.map((one) => plain(`${one.name}：${rate(one.passRate)}，${one.measured} 点`)),
  )
  // The map: a floor of each building as one line of its rooms.
  const rateOf = new Map(heat.cells.map((one) => [one.placeId, one.passRate]))
  const floors = heat.list.flatMap((one) => one.floors)
  expect(floors.length).toBeGreaterThan(0)
  says(
    words,
    ...floors.map(({ floorName, cells }) => plain(floorName, ...cells.map(({ id, name }) => `${name} ${rate(rateOf.get(id) ?? null)}`))),
  )
})

test('the certificate of a flat, item by item', { timeout: 300_000 }, async () => {
  const account = 'jiangtan-pm'
  const api = await apiAs(demo, account)
  type Flat = {
    id: string
    name: string
    buildingName: string
    unitName: string
    floorName: string
    houseType: string | null
    buildArea: number | null
    acceptDate: string | null
    certNo: string
    items: { itemCode: string; result: string; note: string | null }[]
  }
  const { list } = await api.get<{ list: Flat[] }>(
    `/api/v1/house/sync?projectCode=${accountOf(demo, account).projectCode}&state=4&page=1&size=3`,
  )
  const flat = await api.get<Flat>(`/api/v1/house/sync/${list[0]?.id}?projectCode=*`)
  const words = await printed(api, 'houseCert', { id: flat.id })
  says(
    words,
    plain(flat.certNo),
    fact('房号', [flat.buildingName, flat.unitName, flat.name].filter(Boolean).join(' ')),
    fact('楼层', flat.floorName),
    fact('户型', flat.houseType),
    fact('建筑面积', flat.buildArea === null ? null : `${flat.buildArea} m²`),
    fact('验收日期', flat.acceptDate),
  )
  expect(flat.items.length).toBeGreaterThan(0)
  const results: Readonly<Record<string, string>> = { 1: '合格', 2: '不合格', 3: '不涉及' }
  says(words, ...flat.items.map((one) => plain(dictName('houseAcceptItem', one.itemCode), results[one.result], one.note)))
})

test('the upkeep of a machine, with people, parts and doubts', { timeout: 300_000 }, async () => {
  const api = await apiAs(demo, 'hospital-pm')
  type Job = {
    id: string
    code: string
    machineName: string
    deviceTypeName: string
    typeName: string
    maintainDate: string
    maintainCorp: string
    resultName: string
    nextDate: string | null
    acceptor: string | null
    doubts: string[]
    content: string
    maintainers: { name: string; certNo: string | null; certEnd: string | null; verified: boolean | null }[]
    parts: { name: string; model: string | null; number: string | null; count: number; certificates: string[] }[]
  }
  const path = '/api/v1/special/maintenance'
  const { list } = await api.get<{ list: Job[] }>(`${path}?${site}&page=1&size=100`)
  const chosen = [list.find((one) => one.parts.length > 0), list.find((one) => one.doubts.length > 0)]
  for (const row of chosen) {
    const job = await api.get<Job>(`${path}/${row?.id}?projectCode=*`)
    const valid = { true: '有效', false: '当日无效', null: '未在实名制登记' }
    says(
      await printed(api, 'deviceMaintenanceSheet', { id: job.id }),
      fact('编号', job.code),
      fact('设备', `${job.machineName}（${job.deviceTypeName}）`),
      fact('维保类型', job.typeName),
      plain('维保日期', job.maintainDate),
      fact('维保单位', job.maintainCorp),
      fact('结果', job.resultName),
      fact('下次维保', job.nextDate),
      fact('验收人', job.acceptor),
      fact('存疑', job.doubts.join('；')),
      plain('维保内容', job.content),
      ...job.maintainers.map((one) =>
        plain(one.name, one.certNo, one.certEnd ?? (one.certNo ? '长期' : ''), valid[String(one.verified) as 'null']),
      ),
      ...job.parts.map((one) =>
        plain(one.name, one.model, one.number, one.count, one.certificates.length ? `${one.certificates.length} 份` : '无'),
      ),
    )
  }
})
