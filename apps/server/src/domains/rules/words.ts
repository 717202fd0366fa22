import type { RuleCondition, RuleOperator } from '@zhugong/contract/rules/conditions'
import type { Expression } from '@zhugong/contract/rules/expression'
import { familyOf } from '@zhugong/contract/telemetry/families'
import type { RuleLevel } from './evaluate.ts'
import { treeOf } from './expressions.ts'
import { clearLimitOf, limitOf } from './limits.ts'
import { fieldOf } from './trigger.ts'

export interface Wording {
  params: Readonly<Record<string, unknown>>
  unitOf(metric: string): string | undefined
  labelOf(metric: string): string
  /** Text of a coded value, if the catalogue has one. */
  wordOf(metric: string, value: unknown): string | undefined
}

/**
 * Wording for the rules of a family.
 * @param on the record kind of the rule; undefined for readings
 * @param params the device's parameters, if the text is about one device
 */
export const wordingOf = (family: string, on?: string, params: Readonly<Record<string, unknown>> = {}): Wording => {
  const known = familyOf(family)
  return {
    params,
    unitOf: (m) => fieldOf(known, on, m)?.unit,
    labelOf: (m) => fieldOf(known, on, m)?.label ?? known?.params.find((p) => p.key === m)?.label ?? known?.record(m)?.label ?? m,
    wordOf: (m, value) => fieldOf(known, on, m)?.values?.[String(value)],
  }
}

const signs: Record<string, string> = { '>=': '≥', '>': '>', '<=': '≤', '<': '<', '==': '=', '!=': '≠' }
const sign = (op: RuleOperator | string) => signs[op.replace('abs', '')] ?? op
const aggregates: Record<string, string> = { avg: '均值', max: '最大值', min: '最小值', sum: '累计' }
const fences: Record<string, string> = {
  danger: '危险区',
  site: '工地',
  area: '限制区域',
  forbidden: '禁行区',
  route: '路线',
  dumpSites: '消纳场',
}
const lists: Record<string, string> = { vehicleBlack: '车辆黑名单', laborBlack: '人员黑名单' }
const states: Record<string, string> = { driving: '连续驾驶', onSite: '在场', expired: '证件或合同过期', exited: '已退场' }

/** 90 -> 90 秒, 7200 -> 2 小时. */
export function duration(seconds: number): string {
  if (seconds >= 86_400 && seconds % 86_400 === 0) return `${seconds / 86_400} 天`
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} 小时`
  if (seconds >= 120 && seconds % 60 === 0) return `${seconds / 60} 分钟`
  return `${seconds} 秒`
}

type Limited = Parameters<typeof limitOf>[0]

const rounded = (value: number) => Math.round(value * 1000) / 1000

export function conditionInWords(c: RuleCondition, around: Wording): string {
  const inner = (one: RuleCondition) => conditionInWords(one, around)
  const withUnit = (metric: string | undefined, value: number | undefined) =>
    `${value === undefined ? '未设置' : rounded(value)}${` ${(metric && around.unitOf(metric)) || ''}`.trimEnd()}`
  /** A number, or for rules about many devices the name of the parameter with the limit. */
  const limitWords = (metric: string | undefined, of: Limited) => {
    const { param, factor = 1 } = of
    if (limitOf(of, around) !== undefined || param === undefined) return withUnit(metric, limitOf(of, around))
    return `${around.labelOf(param)}${factor === 1 ? '' : factor < 1 ? `的 ${rounded(factor * 100)} %` : ` × ${factor}`}`
  }
  const sized = (op: string, label: string) => (op.startsWith('abs') ? `|${label}|` : label)
  switch (c.type) {
    case 'threshold': {
      const label = around.labelOf(c.metric)
      const measured = c.windowSeconds ? `${duration(c.windowSeconds)}内${label}${aggregates[c.window ?? 'avg']}` : label
      return `${sized(c.op, measured)} ${sign(c.op)} ${limitWords(c.metric, c)}`
    }
    case 'range': {
      const unit = ` ${around.unitOf(c.metric) ?? ''}`.trimEnd()
      return `${around.labelOf(c.metric)} ${c.inside ? '在' : '超出'} ${c.low ?? '-∞'}～${c.high ?? '+∞'}${unit}${c.inside ? ' 内' : ''}`
    }
    case 'state': {
      const label = around.labelOf(c.metric) + (c.bit === undefined ? '' : `第 ${c.bit} 位`)
      const word = (value: unknown) => around.wordOf(c.metric, value) ?? String(value)
      if (c.notEquals !== undefined) return `${label} 不为 ${word(c.notEquals)}`
      // A boolean metric is named alone: 紧急报警, not 紧急报警 为 是.
      if (c.equals === true || c.equals === undefined) return label
      return c.equals === false ? `${label}为否` : `${label} 为 ${word(c.equals)}`
    }
    case 'rate':
      return `${sized(c.op, `${around.labelOf(c.metric)}变化`)} ${sign(c.op)} ${limitWords(c.metric, c)}/${duration(c.perSeconds)}`
    case 'constant':
      return `${around.labelOf(c.metric)} ${duration(c.seconds)}不变`
    case 'countInWindow': {
      if (c.record) return `${duration(c.windowSeconds)}内同一对象 ${c.count} 次记录`
      const what = c.of ? inner(c.of) : `${around.labelOf(c.metric ?? '')} ${sign(c.op ?? '')} ${withUnit(c.metric, c.value)}`
      return c.consecutiveDays ? `连续 ${c.count} 天 ${what}` : `${duration(c.windowSeconds)}内 ${c.count} 次 ${what}`
    }
    case 'ratioToAverage':
      return `${c.metrics.map(around.labelOf).join('、')} 超过前 ${c.samples} 次均值的 ${c.factor} 倍`
    case 'deviationFromHistory':
      return `${around.labelOf(c.metric)} 与前 ${c.samples} 次均值相差超过 ${withUnit(c.metric, c.absolute)}`
    case 'counterDecrease':
      return `${around.labelOf(c.metric)} 倒走`
    case 'noData':
      return `${duration(c.seconds)}无数据`
    case 'noRecord':
      return `${duration(c.withinSeconds)}内没有${c.record === 'driverRecognition' ? '人员识别成功' : around.labelOf(c.record)}记录`
    case 'dueDate':
      return `${around.labelOf(c.param)} 前 ${c.daysBefore} 天`
    case 'inList':
      return `${around.labelOf(c.metric)} 在${lists[c.list] ?? c.list}中`
    case 'notInRegistry':
      return `${around.labelOf(c.metric)} 未登记`
    case 'workerState':
      return `人员${states[c.state] ?? c.state}`
    case 'always':
      return '有记录'
    case 'geofence': {
      const fence = c.polygon ? '划定区域' : (fences[c.fence ?? ''] ?? c.fence ?? '围栏')
      if (c.mode === 'outsideRoute') return `偏离${c.route ? '路线' : fence} ${c.bufferMeters ?? 0} 米`
      const verb = { enter: '进入', exit: '离开', inside: '在', outside: '在' }[c.mode]
      const after = { enter: '', exit: '', inside: '内', outside: '外' }[c.mode]
      return `${verb}${fence}${after}${c.confirmSamples ? `（连续 ${c.confirmSamples} 次）` : ''}`
    }
    case 'dwell':
      return `${c.state ? (states[c.state] ?? c.state) : `在${fences[c.fence ?? ''] ?? c.fence}停留`}超过 ${duration(c.seconds)}`
    case 'countInArea':
      return `区域内人数 ${sign(c.op)} ${limitWords(undefined, c)}`
    case 'craneClearance':
      return `${c.predictSeconds} 秒内与其他塔机最小距离 ${sign(c.op)} ${c.value} 米`
    case 'craneZone':
      return c.marginMeters ? `距禁吊禁入区 ${c.marginMeters} 米以内` : '进入禁吊禁入区'
    case 'expression':
      return expressionInWords(treeOf(c.expr), around)
    case 'and':
    case 'or':
      return c.of
        .map((one) => ('of' in one && one.type !== c.type ? `（${inner(one)}）` : inner(one)))
        .join(c.type === 'and' ? ' 且 ' : ' 或 ')
    case 'not':
      return `非（${c.of.map(inner).join('')}）`
  }
}

const phaseNames: Readonly<Record<string, string>> = { v: '相电压', i: '相电流' }
const windows: Readonly<Record<string, string>> = { avg: '均值', max: '最大值', min: '最小值', any: '曾', all: '一直' }

/** An expression as text for users who do not write formulas. */
function expressionInWords(tree: Expression, around: Wording): string {
  const inner = (one: Expression) => {
    const words = expressionInWords(one, around)
    return one.kind === 'and' || one.kind === 'or' ? `（${words}）` : words
  }
  /** One side of a comparison; a code is replaced by the text of the other side's field. */
  const comparedWith = (one: Expression, other: Expression) =>
    ((one.kind === 'text' || one.kind === 'number') && other.kind === 'name' && around.wordOf(other.name, one.value)) || inner(one)
  switch (tree.kind) {
    case 'number':
    case 'text':
      return String(tree.value)
    case 'flag':
      return tree.value ? '是' : '否'
    case 'name':
      return phaseNames[tree.name] ?? around.labelOf(tree.name)
    case 'param':
      return around.labelOf(tree.name)
    case 'negative':
      return `-${inner(tree.of)}`
    case 'not':
      return `非（${expressionInWords(tree.of, around)}）`
    case 'arithmetic':
      return `${inner(tree.left)} ${tree.op.replace('*', '×').replace('/', '÷')} ${inner(tree.right)}`
    case 'compare':
      return `${comparedWith(tree.left, tree.right)} ${sign(tree.op)} ${comparedWith(tree.right, tree.left)}`
    case 'and':
    case 'or': {
      const side = (one: Expression) =>
        one.kind === tree.kind || (one.kind !== 'and' && one.kind !== 'or') ? expressionInWords(one, around) : inner(one)
      return `${side(tree.left)} ${tree.kind === 'and' ? '且' : '或'} ${side(tree.right)}`
    }
    case 'call': {
      const of = expressionInWords(tree.of, around)
      if (tree.seconds === undefined)
        return tree.name === 'any' ? `任一${of}` : tree.name === 'all' ? `各${of}` : `${of}的${windows[tree.name]}`
      const within = `${duration(tree.seconds)}内`
      return tree.name === 'any' || tree.name === 'all' ? `${within}${windows[tree.name]} ${of}` : `${within}${of}${windows[tree.name]}`
    }
  }
}

/** Text of a level for pages: 力矩百分比 ≥ 90 %，持续 2 秒，回落 85 % 解除. */
export function inWords(level: Pick<RuleLevel, 'condition' | 'forSeconds' | 'clear'> & { level?: number }, around: Wording): string {
  const c = level.condition
  const parts = [conditionInWords(c, around)]
  if (level.forSeconds) parts.push(`持续 ${duration(level.forSeconds)}`)
  if (level.clear) parts.push(`${conditionInWords(level.clear, around)} 时解除`)
  else if (c.type === 'threshold') {
    const clear = clearLimitOf(c, around)
    if (clear !== undefined && clear !== limitOf(c, around)) {
      parts.push(`${c.op.includes('<') ? '回升' : '回落'} ${rounded(clear)}${` ${around.unitOf(c.metric) ?? ''}`.trimEnd()} 解除`)
    }
  }
  return parts.join('，')
}
