/**
 * The language of `expression` conditions: numbers, metrics, `param.x`, arithmetic, comparisons, and / or / not, and the window functions
 * avg, max, min, any, all. An expression is parsed to a tree and interpreted; it is never run as code.
 */
export type Comparator = '>=' | '>' | '<=' | '<' | '==' | '!='
export type Windowed = 'avg' | 'max' | 'min' | 'any' | 'all'

export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'flag'; value: boolean }
  | { kind: 'text'; value: string }
  | { kind: 'name'; name: string }
  | { kind: 'param'; name: string }
  | { kind: 'negative' | 'not'; of: Expression }
  | { kind: 'arithmetic'; op: '+' | '-' | '*' | '/'; left: Expression; right: Expression }
  | { kind: 'compare'; op: Comparator; left: Expression; right: Expression }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'call'; name: Windowed; of: Expression; seconds: number | undefined }

export class ExpressionError extends Error {}

const maxLength = 500
const maxDepth = 40
const calls: ReadonlySet<string> = new Set(['avg', 'max', 'min', 'any', 'all'])
const tokens =
  /\s*(?:(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|('[^']*'|"[^"]*")|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)|(>=|<=|==|!=|&&|\|\||[-+*/<>()!,]))/y

interface Token {
  kind: 'number' | 'text' | 'word' | 'sign' | 'end'
  text: string
}

function tokenize(source: string): Token[] {
  const found: Token[] = []
  tokens.lastIndex = 0
  const end = source.trimEnd().length
  while (tokens.lastIndex < end) {
    const at = tokens.lastIndex
    const hit = tokens.exec(source)
    if (!hit) throw new ExpressionError(`表达式第 ${at + 1} 个字符起无法识别`)
    const [, number, text, word, sign] = hit
    if (number !== undefined) found.push({ kind: 'number', text: number })
    else if (text !== undefined) found.push({ kind: 'text', text: text.slice(1, -1) })
    else if (word !== undefined) found.push({ kind: 'word', text: word })
    else found.push({ kind: 'sign', text: sign ?? '' })
  }
  found.push({ kind: 'end', text: '' })
  return found
}

class Parser {
  private readonly all: Token[]
  private at = 0
  private depth = 0
  constructor(source: string) {
    this.all = tokenize(source)
  }

  private get next(): Token {
    return this.all[this.at] as Token
  }
  private is(...texts: string[]): boolean {
    return (this.next.kind === 'sign' || this.next.kind === 'word') && texts.includes(this.next.text)
  }
  private take(): Token {
    return this.all[this.at++] as Token
  }
  private expect(text: string): void {
    if (!this.is(text)) throw new ExpressionError(`表达式缺少“${text}”`)
    this.at++
  }

  whole(): Expression {
    const tree = this.or()
    if (this.next.kind !== 'end') throw new ExpressionError(`表达式中“${this.next.text}”的位置不正确`)
    return tree
  }

  private or(): Expression {
    if (++this.depth > maxDepth) throw new ExpressionError('表达式嵌套过深')
    let left = this.and()
    while (this.is('or', '||')) {
      this.take()
      left = { kind: 'or', left, right: this.and() }
    }
    this.depth--
    return left
  }
  private and(): Expression {
    let left = this.not()
    while (this.is('and', '&&')) {
      this.take()
      left = { kind: 'and', left, right: this.not() }
    }
    return left
  }
  private not(): Expression {
    if (!this.is('not', '!')) return this.comparison()
    if (++this.depth > maxDepth) throw new ExpressionError('表达式嵌套过深')
    this.take()
    const of = this.not()
    this.depth--
    return { kind: 'not', of }
  }
  private comparison(): Expression {
    const left = this.sum()
    if (!this.is('>=', '>', '<=', '<', '==', '!=')) return left
    const op = this.take().text as Comparator
    return { kind: 'compare', op, left, right: this.sum() }
  }
  private sum(): Expression {
    let left = this.product()
    while (this.is('+', '-')) left = { kind: 'arithmetic', op: this.take().text as '+' | '-', left, right: this.product() }
    return left
  }
  private product(): Expression {
    let left = this.unary()
    while (this.is('*', '/')) left = { kind: 'arithmetic', op: this.take().text as '*' | '/', left, right: this.unary() }
    return left
  }
  private unary(): Expression {
    if (!this.is('-')) return this.primary()
    if (++this.depth > maxDepth) throw new ExpressionError('表达式嵌套过深')
    this.take()
    const of = this.unary()
    this.depth--
    return { kind: 'negative', of }
  }
  private primary(): Expression {
    const token = this.take()
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) }
    if (token.kind === 'text') return { kind: 'text', value: token.text }
    if (token.kind === 'sign' && token.text === '(') {
      const inner = this.or()
      this.expect(')')
      return inner
    }
    if (token.kind !== 'word') throw new ExpressionError(token.kind === 'end' ? '表达式不完整' : `表达式中“${token.text}”的位置不正确`)
    if (token.text === 'true' || token.text === 'false') return { kind: 'flag', value: token.text === 'true' }
    if (this.is('(')) return this.call(token.text)
    if (token.text.startsWith('param.')) return { kind: 'param', name: token.text.slice('param.'.length) }
    if (token.text.includes('.')) throw new ExpressionError(`不认识的名称“${token.text}”`)
    return { kind: 'name', name: token.text }
  }
  private call(name: string): Expression {
    if (!calls.has(name)) throw new ExpressionError(`不支持函数“${name}”`)
    this.expect('(')
    const of = this.or()
    let seconds: number | undefined
    if (this.is(',')) {
      this.take()
      const token = this.take()
      seconds = token.kind === 'number' ? Number(token.text) : Number.NaN
      if (!(seconds > 0 && seconds <= 31 * 86_400)) throw new ExpressionError('窗口秒数应为 1 秒至 31 天')
    }
    this.expect(')')
    if (seconds === undefined && name !== 'any' && name !== 'all') throw new ExpressionError(`函数“${name}”须给出窗口秒数`)
    return { kind: 'call', name: name as Windowed, of, seconds }
  }
}

/** @throws ExpressionError with a message for the author */
export function parseExpression(source: string): Expression {
  if (source.length > maxLength) throw new ExpressionError(`表达式最多 ${maxLength} 个字符`)
  if (!source.trim()) throw new ExpressionError('请填写表达式')
  return new Parser(source).whole()
}

/** Names in an expression: metrics, or parameters written without `param.`. */
export function namesIn(tree: Expression): string[] {
  switch (tree.kind) {
    case 'name':
      return [tree.name]
    case 'negative':
    case 'not':
    case 'call':
      return namesIn(tree.of)
    case 'arithmetic':
    case 'compare':
    case 'and':
    case 'or':
      return [...namesIn(tree.left), ...namesIn(tree.right)]
    default:
      return []
  }
}

const partsOf = (tree: Expression): Expression[] => ('of' in tree ? [tree.of] : 'left' in tree ? [tree.left, tree.right] : [])
/** A call without seconds is evaluated over the three phases, not over past readings. */
const isWindow = (tree: Expression) => tree.kind === 'call' && tree.seconds !== undefined

export const hasWindow = (tree: Expression): boolean => isWindow(tree) || partsOf(tree).some(hasWindow)
/** Whether a window function is inside another. */
export const hasNestedWindow = (tree: Expression): boolean => partsOf(tree).some(isWindow(tree) ? hasWindow : hasNestedWindow)

/** The longest window in the expression, in seconds. */
export function windowIn(tree: Expression): number {
  switch (tree.kind) {
    case 'call':
      return (tree.seconds ?? 0) + windowIn(tree.of)
    case 'negative':
    case 'not':
      return windowIn(tree.of)
    case 'arithmetic':
    case 'compare':
    case 'and':
    case 'or':
      return Math.max(windowIn(tree.left), windowIn(tree.right))
    default:
      return 0
  }
}
