import { type Expression, namesIn, parseExpression, windowIn } from '@zhugong/contract/rules/expression'
import { settled } from './digits.ts'
import type { Moment } from './moment.ts'

/** Undefined: unknown. */
export type Evaluated = number | boolean | string | undefined

const trees = new Map<string, Expression>()
const mostTrees = 5_000

/** Parses an expression; the result is cached. */
export function treeOf(source: string): Expression {
  let tree = trees.get(source)
  if (!tree) {
    tree = parseExpression(source)
    if (trees.size >= mostTrees) trees.clear()
    trees.set(source, tree)
  }
  return tree
}

/**
 * Names that stand for one metric per phase; `any` and `all` without seconds iterate over the phases. A Map, because a name may be any
 * word.
 */
const phases: ReadonlyMap<string, readonly string[]> = new Map([
  ['v', ['voltageA', 'voltageB', 'voltageC']],
  ['i', ['currentA', 'currentB', 'currentC']],
])

export const expressionMetrics = (tree: Expression): string[] => [...new Set(namesIn(tree).flatMap((name) => phases.get(name) ?? [name]))]
export const expressionLookBack = (tree: Expression): number => windowIn(tree)

interface Run {
  moment: Moment
  windowOf(metric: string | undefined, seconds: number, minCoverage: number, absolute: boolean, m: Moment): number[] | undefined
  /** Compares with a limit slightly inside, to decide whether an open alarm may close. */
  easier: boolean
  /** Phase to evaluate. */
  phase?: number
  /** Time of a past reading to evaluate instead of the current one. */
  at?: number
}

const minCoverage = 0.75
const margin = 0.05

export function evaluateExpression(tree: Expression, run: Run): Evaluated {
  run.moment.budget.spend(1)
  switch (tree.kind) {
    case 'number':
    case 'flag':
      return tree.value
    case 'text':
      return tree.value
    case 'name':
      return named(tree.name, run)
    case 'param':
      return plain(run.moment.params[tree.name])
    case 'negative': {
      const of = numeric(evaluateExpression(tree.of, run))
      return of === undefined ? undefined : -of
    }
    case 'not': {
      const of = evaluateExpression(tree.of, { ...run, easier: false })
      return typeof of === 'boolean' ? !of : undefined
    }
    case 'arithmetic':
      return arithmetic(tree.op, numeric(evaluateExpression(tree.left, run)), numeric(evaluateExpression(tree.right, run)))
    case 'compare':
      return compare(tree, run)
    case 'and':
    case 'or': {
      const wins = tree.kind === 'or'
      const [left, right] = [evaluateExpression(tree.left, run), evaluateExpression(tree.right, run)]
      if (left === wins || right === wins) return wins
      return typeof left === 'boolean' && typeof right === 'boolean' ? !wins : undefined
    }
    case 'call':
      return tree.seconds === undefined ? overPhases(tree, run) : overWindow(tree, tree.seconds, run)
  }
}

/** Parameters and codes arrive as text; numeric text becomes a number. */
function plain(value: unknown): Evaluated {
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined
}
const numeric = (value: Evaluated): number | undefined => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)

function named(name: string, run: Run): Evaluated {
  const m = run.moment
  const metric = run.phase === undefined ? name : (phases.get(name)?.[run.phase] ?? name)
  if (run.at !== undefined) {
    const { series, to } = m.memory.window(metric, run.at - 1, run.at)
    return plain(series.values[to - 1])
  }
  const known = m.memory.value(metric, m.time, m.maxGapMs)
  // A value that is not measured may be a parameter, for example the design depth of a bored pile or a meter's number of phases.
  return known ? plain(known.value) : plain(m.params[metric])
}

function arithmetic(op: '+' | '-' | '*' | '/', a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return undefined
  const value = op === '+' ? a + b : op === '-' ? a - b : op === '*' ? a * b : a / b
  return Number.isFinite(value) ? value : undefined
}

const isNumber = (tree: Expression): boolean => tree.kind === 'number' || (tree.kind === 'negative' && isNumber(tree.of))

/** Calculated values are rounded to significant digits before comparing (digits.ts). */
const isWorkedOut = (tree: Expression): boolean =>
  tree.kind === 'arithmetic' || tree.kind === 'call' || (tree.kind === 'negative' && isWorkedOut(tree.of))
function side(tree: Expression, run: Run): Evaluated {
  const value = evaluateExpression(tree, run)
  return typeof value === 'number' && isWorkedOut(tree) ? settled(value) : value
}

function compare(tree: Extract<Expression, { kind: 'compare' }>, run: Run): boolean | undefined {
  const left = side(tree.left, run)
  let right = side(tree.right, run)
  if (left === undefined || right === undefined) return undefined
  if (tree.op === '==') return left === right
  if (tree.op === '!=') return left !== right
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  if (run.easier && isNumber(tree.right)) right = settled(right - (tree.op.startsWith('>') ? 1 : -1) * Math.abs(right) * margin)
  return tree.op === '>=' ? left >= right : tree.op === '>' ? left > right : tree.op === '<=' ? left <= right : left < right
}

function overPhases(tree: Extract<Expression, { kind: 'call' }>, run: Run): boolean | undefined {
  const single = plain(run.moment.params.phase) === 1
  const used = namesIn(tree.of).find((name) => phases.has(name))
  const n = !used || single ? 1 : (phases.get(used)?.length ?? 1)
  const truths = Array.from({ length: n }, (_, phase) => evaluateExpression(tree.of, { ...run, phase }))
  const wins = tree.name === 'any'
  if (truths.includes(wins)) return wins
  return truths.every((t) => typeof t === 'boolean') ? !wins : undefined
}

function overWindow(tree: Extract<Expression, { kind: 'call' }>, seconds: number, run: Run): Evaluated {
  const m = run.moment
  if (tree.name === 'any' || tree.name === 'all') {
    const metric = expressionMetrics(tree.of)[0]
    const { series, from, to } = m.memory.window(metric ?? '', Math.max(m.time - seconds * 1000, m.periodStart - 1), m.time)
    const wins = tree.name === 'any'
    const truths = Array.from({ length: to - from }, (_, i) =>
      evaluateExpression(tree.of, { ...run, at: series.times[from + i] as number }),
    )
    if (truths.includes(wins)) return wins
    const covered =
      run.windowOf(metric, seconds, minCoverage, false, m) !== undefined || truths.length * m.intervalMs >= minCoverage * seconds * 1000
    return covered && truths.every((t) => typeof t === 'boolean') ? !wins : undefined
  }
  if (tree.of.kind !== 'name') return undefined
  const values = run.windowOf(tree.of.name, seconds, minCoverage, false, m)
  if (!values) return undefined
  if (tree.name === 'avg') return values.reduce((a, b) => a + b, 0) / values.length
  return tree.name === 'max' ? values.reduce((a, b) => Math.max(a, b)) : values.reduce((a, b) => Math.min(a, b))
}
