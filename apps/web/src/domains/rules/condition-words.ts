import type { FamilyView } from '@zhugong/contract/telemetry/model'
import { span } from '#kit/format.ts'

/** Unsaved condition; parts may be missing. */
export interface Draft {
  type: string
  of?: Draft[]
  [part: string]: unknown
}
export interface DraftLevel {
  level: 1 | 2 | 3 | 4
  condition: Draft
  forSeconds?: number | undefined
  clearValue?: number | undefined
  clearForSeconds?: number | undefined
}
export type Schedule = 'workHours' | [number, number][] | null

/** A parameter of a condition kind; parts are listed in the order of the sentence. */
export interface PartSpec {
  key: string
  label: string
  kind: 'metric' | 'op' | 'number' | 'seconds' | 'text' | 'choice' | 'flag' | 'param' | 'record'
  unit?: string
  optional?: boolean
  options?: readonly { value: string; label: string }[]
}
interface KindSpec {
  label: string
  help: string
  parts: readonly PartSpec[]
  /** Selectable for new conditions. */
  available?: boolean
}

const metric: PartSpec = { key: 'metric', label: '指标', kind: 'metric' }
const op: PartSpec = { key: 'op', label: '比较', kind: 'op' }
const value: PartSpec = { key: 'value', label: '阈值', kind: 'number' }

export const conditionKinds: Readonly<Record<string, KindSpec>> = {
  threshold: {
    label: '数值超过阈值',
    help: '指标的读数，或一段时间内的均值、最大值，与阈值比较',
    available: true,
    parts: [
      metric,
      op,
      { ...value, optional: true },
      { key: 'param', label: '或以设备参数为阈值', kind: 'param', optional: true },
      { key: 'factor', label: '参数倍数', kind: 'number', optional: true },
      {
        key: 'window',
        label: '时段算法',
        kind: 'choice',
        optional: true,
        options: [
          { value: 'avg', label: '均值' },
          { value: 'max', label: '最大' },
          { value: 'min', label: '最小' },
          { value: 'sum', label: '累计' },
        ],
      },
      { key: 'windowSeconds', label: '时段', kind: 'seconds', optional: true },
    ],
  },
  range: {
    label: '数值在范围外',
    help: '读数低于下限或高于上限；勾选“在范围内”则相反',
    available: true,
    parts: [
      metric,
      { key: 'low', label: '下限', kind: 'number', optional: true },
      { key: 'high', label: '上限', kind: 'number', optional: true },
      { key: 'inside', label: '在范围内', kind: 'flag', optional: true },
    ],
  },
  state: {
    label: '状态等于',
    help: '开关量或状态码等于某值',
    available: true,
    parts: [metric, { key: 'equals', label: '状态值', kind: 'text' }],
  },
  rate: {
    label: '变化速率',
    help: '读数在单位时间内的变化，例如每天沉降',
    available: true,
    parts: [
      metric,
      op,
      { ...value, label: '变化量', optional: true },
      { key: 'param', label: '或以设备参数为阈值', kind: 'param', optional: true },
      { key: 'factor', label: '参数倍数', kind: 'number', optional: true },
      { key: 'perSeconds', label: '每', kind: 'seconds' },
    ],
  },
  countInWindow: {
    label: '一段时间内次数',
    help: '一段时间内达到条件的次数',
    available: true,
    parts: [
      { ...metric, optional: true },
      { ...op, optional: true },
      { ...value, optional: true },
      { key: 'record', label: '或记录', kind: 'record', optional: true },
      { key: 'count', label: '次数', kind: 'number' },
      { key: 'windowSeconds', label: '时段', kind: 'seconds' },
    ],
  },
  constant: {
    label: '读数不变',
    help: '传感器冻结：读数长时间一点不变',
    available: true,
    parts: [metric, { key: 'seconds', label: '持续', kind: 'seconds' }],
  },
  noData: {
    label: '没有数据',
    help: '多久没有收到任何数据，只能单独使用',
    available: true,
    parts: [{ key: 'seconds', label: '超过', kind: 'seconds' }],
  },
  expression: {
    label: '表达式',
    help: '指标、param.参数、+ - * / 与比较，例如 load > param.maxLoad * 0.9',
    available: true,
    parts: [{ key: 'expr', label: '表达式', kind: 'text' }],
  },
  ratioToAverage: {
    label: '偏离平均',
    help: '与前几次平均值之比',
    parts: [
      { key: 'samples', label: '前几次', kind: 'number' },
      { key: 'factor', label: '倍数', kind: 'number' },
    ],
  },
  deviationFromHistory: {
    label: '偏离历史',
    help: '与同类历史记录之差',
    parts: [
      { key: 'samples', label: '前几次', kind: 'number' },
      { key: 'absolute', label: '偏差', kind: 'number' },
    ],
  },
  counterDecrease: { label: '计数倒退', help: '累计值变小', parts: [metric] },
  noRecord: {
    label: '没有记录',
    help: '一段时间内没有某种记录',
    parts: [
      { key: 'record', label: '记录', kind: 'record' },
      { key: 'withinSeconds', label: '时段', kind: 'seconds' },
    ],
  },
  dueDate: {
    label: '即将到期',
    help: '设备参数中的日期将到',
    parts: [
      { key: 'param', label: '日期参数', kind: 'param' },
      { key: 'daysBefore', label: '提前', kind: 'number', unit: '天' },
    ],
  },
  inList: { label: '在名单中', help: '值在某个名单里', parts: [metric, { key: 'list', label: '名单', kind: 'text' }] },
  notInRegistry: { label: '未登记', help: '值没有登记过', parts: [metric] },
  workerState: { label: '人员状态', help: '人员处于某状态', parts: [{ key: 'state', label: '状态', kind: 'text' }] },
  always: { label: '每次都算', help: '每收到一条记录就触发', parts: [] },
  geofence: {
    label: '电子围栏',
    help: '位置与围栏的关系',
    parts: [
      {
        key: 'mode',
        label: '方式',
        kind: 'choice',
        options: [
          { value: 'enter', label: '进入' },
          { value: 'exit', label: '离开' },
          { value: 'inside', label: '在内' },
          { value: 'outside', label: '在外' },
          { value: 'outsideRoute', label: '偏离路线' },
        ],
      },
      { key: 'fence', label: '围栏', kind: 'text', optional: true },
      { key: 'bufferMeters', label: '缓冲', kind: 'number', unit: 'm', optional: true },
      { key: 'confirmSamples', label: '连续', kind: 'number', unit: '次', optional: true },
    ],
  },
  dwell: {
    label: '停留过久',
    help: '在围栏或状态中停留',
    parts: [
      { key: 'fence', label: '围栏', kind: 'text', optional: true },
      { key: 'seconds', label: '超过', kind: 'seconds' },
    ],
  },
  countInArea: { label: '区域人数', help: '区域内人数与限值比较', parts: [op, { ...value, label: '人数' }] },
  craneClearance: {
    label: '群塔净距',
    help: '与相邻塔机的最小净距，按当前速度预测',
    parts: [op, { ...value, label: '净距', unit: 'm' }, { key: 'predictSeconds', label: '预测', kind: 'number', unit: '秒' }],
  },
  craneZone: {
    label: '塔机禁区',
    help: '吊钩或起重臂到禁区的距离',
    parts: [{ key: 'marginMeters', label: '距离', kind: 'number', unit: 'm' }],
  },
  and: { label: '同时满足', help: '下列条件都成立', available: true, parts: [] },
  or: { label: '任一满足', help: '下列条件有一个成立', available: true, parts: [] },
  not: { label: '不满足', help: '下列条件不成立', available: true, parts: [] },
}

export const isGroup = (type: string): boolean => type === 'and' || type === 'or' || type === 'not'

/** An empty condition of this kind. */
export function emptyCondition(type: string): Draft {
  return isGroup(type)
    ? { type, of: [{ type: 'threshold', op: '>=' }] }
    : type === 'threshold' || type === 'rate'
      ? { type, op: '>=' }
      : { type }
}

export const operatorWords: Readonly<Record<string, string>> = {
  '>=': '≥',
  '>': '>',
  '<=': '≤',
  '<': '<',
  '==': '=',
  '!=': '≠',
  'abs>=': '绝对值 ≥',
  'abs>': '绝对值 >',
  'abs<=': '绝对值 ≤',
  'abs<': '绝对值 <',
  'abs==': '绝对值 =',
  'abs!=': '绝对值 ≠',
}

const lasting = (seconds: unknown): string => (typeof seconds === 'number' && seconds > 0 ? span(seconds * 1000) : '…')
const shown = (part: unknown): string => (part === undefined || part === null || part === '' ? '…' : String(part))

/** Describes a condition in Chinese; missing parts are `…`. */
export function conditionWords(c: Draft, family: FamilyView | undefined): string {
  // For a condition about records, also look among the fields of records.
  const field = family?.metrics.find((m) => m.key === c.metric) ?? family?.records.flatMap((r) => r.fields).find((f) => f.key === c.metric)
  const name = field?.label ?? shown(c.metric)
  const unit = field?.unit ? ` ${field.unit}` : ''
  const sign = operatorWords[String(c.op)] ?? '…'
  switch (c.type) {
    case 'and':
    case 'or':
      return `（${(c.of ?? []).map((one) => conditionWords(one, family)).join(c.type === 'and' ? ' 且 ' : ' 或 ') || '…'}）`
    case 'not':
      return `非（${(c.of ?? []).map((one) => conditionWords(one, family)).join('') || '…'}）`
    case 'threshold': {
      const window = c.window || c.windowSeconds ? `${lasting(c.windowSeconds)}${windowWords[String(c.window ?? 'avg')] ?? ''} ` : ''
      return `${name} ${window}${sign} ${limitWords(c, family, unit)}`
    }
    case 'range': {
      const low = c.low === undefined ? '' : `${c.inside ? '≥' : '<'} ${c.low}${unit}`
      const high = c.high === undefined ? '' : `${c.inside ? '≤' : '>'} ${c.high}${unit}`
      return `${name} ${[low, high].filter(Boolean).join(c.inside ? ' 且 ' : ' 或 ') || '…'}`
    }
    case 'state':
      // A boolean metric needs no comparison: 紧急报警, not 紧急报警 为 是.
      if (c.equals === true && !field?.values?.true) return name
      return `${name} 为 ${field?.values?.[String(c.equals)] ?? (c.equals === false ? '否' : shown(c.equals))}`
    case 'rate':
      return `${name} 每 ${lasting(c.perSeconds)} 变化 ${sign} ${limitWords(c, family, unit)}`
    case 'countInWindow': {
      const what = c.record
        ? (family?.records.find((r) => r.key === c.record)?.label ?? String(c.record))
        : c.of?.[0]
          ? conditionWords(c.of[0], family)
          : `${name} ${sign} ${shown(c.value)}${unit}`
      return `${lasting(c.windowSeconds)} 内 ${what} 达 ${shown(c.count)} 次`
    }
    case 'constant':
      return `${name} ${lasting(c.seconds)} 不变`
    case 'noData':
      return `${lasting(c.seconds)} 没有数据`
    case 'expression':
      return shown(c.expr)
    case 'craneClearance':
      return `与相邻塔机净距 ${sign} ${shown(c.value)} m（预测 ${shown(c.predictSeconds)} 秒）`
    case 'craneZone':
      return `距禁区 ${shown(c.marginMeters)} m 以内`
    case 'dueDate':
      return `${family?.params.find((p) => p.key === c.param)?.label ?? shown(c.param)} 前 ${shown(c.daysBefore)} 天`
    default:
      return conditionKinds[c.type]?.label ?? c.type
  }
}
/** A number, or a factor of a parameter from the device's file. */
function limitWords(c: Draft, family: FamilyView | undefined, unit: string): string {
  if (!c.param) return `${shown(c.value)}${unit}`
  const label = family?.params.find((p) => p.key === c.param)?.label ?? String(c.param)
  const factor = Number(c.factor ?? 1)
  return factor === 1 ? label : factor < 1 ? `${label}的 ${Number((factor * 100).toFixed(1))} %` : `${label} × ${factor}`
}
const windowWords: Readonly<Record<string, string>> = { avg: '均值', max: '最大值', min: '最小值', sum: '累计' }

/** Seconds of the day as HH:mm. */
export const clock = (seconds: number) =>
  `${String(Math.floor(seconds / 3600)).padStart(2, '0')}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, '0')}`
export const scheduleWords = (schedule: Schedule | undefined): string =>
  !schedule
    ? ''
    : schedule === 'workHours'
      ? '（工作时间）'
      : `（${schedule.map(([from, to]) => `${clock(from)}-${clock(to)}`).join('、')}）`

export const levelWords = ['', '一级', '二级', '三级', '四级']

/** Describes a whole rule: condition, duration, hours, level, and when it clears. */
export function ruleWords(
  rule: { who: string; levels: readonly DraftLevel[]; schedule: Schedule | undefined },
  family: FamilyView | undefined,
): string {
  const hours = scheduleWords(rule.schedule)
  return rule.levels
    .map(({ level, condition, forSeconds, clearValue, clearForSeconds }) => {
      const unit = family?.metrics.find((m) => m.key === condition.metric)?.unit ?? ''
      const current = forSeconds ? ` 持续 ${span(forSeconds * 1000)}` : ''
      const back = clearValue ?? (typeof condition.clearValue === 'number' ? condition.clearValue : undefined)
      const clear =
        back === undefined && !clearForSeconds
          ? ''
          : `；${back === undefined ? '不再满足' : `回到 ${back}${unit ? ` ${unit}` : ''} `}${clearForSeconds ? `且保持 ${span(clearForSeconds * 1000)}` : ''}后解除`
      return `${rule.who} ${conditionWords(condition, family)}${current}${hours}，报${levelWords[level]}${clear}`
    })
    .join('。')
}
