// Compares the row type of each hand-written statement (`sql<Row>`, `query<Row>`) with the columns that the database returned while the
// server's tests ran (recorded by `apps/server/test/seen-rows.ts`). Every field of the type must be a column of the result, with the same
// type. --all lists the statements that no test runs.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { root } from './bootstrap.mjs'

const server = join(root, 'apps/server')
const folder = join(root, '.cache/sql-rows')

function program() {
  const { config } = ts.readConfigFile(join(server, 'tsconfig.json'), ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, server)
  const shipped = fileNames.filter((name) => name.startsWith(join(server, 'src')) && !/(\.test|\.fixtures|-for-test)\.ts$/.test(name))
  return ts.createProgram(shipped, { ...options, noEmit: true })
}

const { isTaggedTemplateExpression, isCallExpression, isPropertyAccessExpression, isIdentifier } = ts

const isSql = (node) => isTaggedTemplateExpression(node) && isIdentifier(node.tag) && node.tag.text === 'sql'
const isQuery = (node) => isCallExpression(node) && isPropertyAccessExpression(node.expression) && node.expression.name.text === 'query'

/** Returns the literal texts of a template between its placeholders, as the running program sees them. */
function partsOf({ template }) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text]
  return [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]
}

/** Returns the complete expression, `sql<Row>`...`.execute(db)`: the stack position that the running program records is inside it. */
function whole(node) {
  let at = node
  while (isPropertyAccessExpression(at.parent) || isCallExpression(at.parent) || ts.isParenthesizedExpression(at.parent)) {
    if (isCallExpression(at.parent) && at.parent.expression !== at) break
    at = at.parent
  }
  return at
}

function statementsOf(source, checker) {
  const found = []
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1
  const visit = (node) => {
    const [given, ...more] = (isSql(node) || isQuery(node)) && node.typeArguments ? node.typeArguments : []
    const type = given && more.length === 0 ? checker.getTypeFromTypeNode(given) : undefined
    if (type && isRow(type, checker)) {
      const around = whole(node)
      found.push({
        file: relative(root, source.fileName),
        line: lineAt(node.getStart()),
        last: lineAt(around.getEnd()),
        parts: isSql(node) ? partsOf(node) : null,
        fields: fieldsOf(type, node, checker),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const objectLike = ts.TypeFlags.Object | ts.TypeFlags.Intersection

/** True for an object type with fields of its own: not for a scalar, a Date, an array, or a branded scalar. */
function isRow(type, checker) {
  if (!(type.flags & objectLike) || named(type) || checker.isArrayType(type) || checker.isTupleType(type)) return false
  return !(type.flags & ts.TypeFlags.Intersection && type.types.some((part) => !(part.flags & ts.TypeFlags.Object)))
}

function fieldsOf(type, node, checker) {
  return checker.getPropertiesOfType(type).map((property) => ({
    name: property.name,
    optional: Boolean(property.flags & ts.SymbolFlags.Optional),
    type: checker.getTypeOfSymbolAtLocation(property, node),
  }))
}

function named(type) {
  const name = type.symbol?.name
  if (name === 'Date') return 'Date'
  return name === 'Buffer' || name === 'Uint8Array' ? 'bytes' : undefined
}

const scalars = [
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.BigIntLike, 'bigint'],
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter, 'any'],
]
const nothing = ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Void | ts.TypeFlags.Never

/** Returns the kinds of value that a field may hold: number, string, boolean, Date, bytes, object, any; arrays as `number[]`. */
function kindsOf(type, checker) {
  if (type.isUnion()) return [...new Set(type.types.flatMap((part) => kindsOf(part, checker)))]
  if (type.flags & nothing) return []
  const scalar = scalars.find(([flag]) => type.flags & flag)
  if (scalar) return [scalar[1]]
  if (type.isIntersection()) {
    const part = type.types.flatMap((one) => kindsOf(one, checker)).find((kind) => kind !== 'object')
    return [part ?? 'object']
  }
  if (named(type)) return [named(type)]
  if (!checker.isArrayType(type) && !checker.isTupleType(type)) return ['object']
  const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
  return kindsOf(element, checker).map((kind) => `${kind}[]`)
}

/** Returns the path of a Date or bytes inside the type of a JSON column, if any: JSON has neither, so the program receives text. */
function notInJson(type, checker, path = [], seen = new Set()) {
  if (type.isUnion()) return firstOf(type.types, (part) => notInJson(part, checker, path, seen))
  if (named(type)) return path.join('.') || '.'
  if (!(type.flags & objectLike) || seen.has(type)) return undefined
  seen.add(type)
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return notInJson(checker.getIndexTypeOfType(type, ts.IndexKind.Number), checker, path, seen)
  return firstOf(checker.getPropertiesOfType(type), (property) => {
    if (!property.valueDeclaration) return undefined
    return notInJson(checker.getTypeOfSymbol(property), checker, [...path, property.name], seen)
  })
}

function firstOf(list, find) {
  for (const one of list) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

const namesShown = 8
const shownOf = (names) => (names.length > namesShown ? `${names.slice(0, namesShown).join('、')} 等 ${names.length} 列` : names.join('、'))

/** Reports the fields that have no column in the result. */
function missingOf(fields, columns) {
  const missing = fields.filter(({ name, optional }) => !optional && !columns.has(name)).map(({ name }) => name)
  if (missing.length === 0) return []
  return [
    `语句没有 ${shownOf(missing)}（查出的是 ${shownOf([...columns.keys()])}）。请在语句中查出（as ${missing[0]}），或从行类型中去掉（Pick、Omit）`,
  ]
}

/** Reports a field whose type differs from the type of its column. */
function faultOf({ name, type }, columns, checker) {
  const kind = columns.get(name)
  const kinds = kindsOf(type, checker)
  if (kind === undefined || kind === 'null' || kinds.includes('any') || kinds.length === 0 || kinds.includes(kind)) return []
  if (kind.startsWith('json')) {
    const wrong = notInJson(type, checker)
    return wrong ? [`${name} 是 JSON，其中的 ${wrong} 到手是文字而不是 Date 或字节。请把类型写成 string`] : []
  }
  if (kind.endsWith('[]') && kinds.includes('any[]')) return []
  return [`${name} 到手是 ${kind}，类型却写着 ${kinds.join(' | ')}。请在语句中转换（例如 ::int、::float8、::text），或改正行类型`]
}

/** Returns a function that finds the statement of a record: by its text, or by its position if several statements have the same text. */
function finderOf(statements) {
  const key = (parts) => parts.join('\0')
  const byParts = Map.groupBy(
    statements.filter(({ parts }) => parts),
    ({ parts }) => key(parts),
  )
  const around =
    ({ file, line }) =>
    (one) =>
      one.file === file && one.line <= line && line <= one.last
  return (record) => {
    if (record.parts === null) return statements.filter(({ parts }) => parts === null).find(around(record))
    const same = byParts.get(key(record.parts)) ?? []
    return same.length === 1 ? same[0] : same.find(around(record))
  }
}

function records() {
  const lines = globSync('*.jsonl', { cwd: folder }).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  return [...new Set(lines)].filter(Boolean).map((line) => JSON.parse(line))
}

if (!existsSync(folder)) {
  console.log('还没有测试运行的记录：请先运行服务器的测试')
  process.exit(1)
}
const parsed = program()
const checker = parsed.getTypeChecker()
const statements = parsed
  .getSourceFiles()
  .filter(({ fileName }) => dirname(fileName).startsWith(join(server, 'src')))
  .flatMap((source) => statementsOf(source, checker))
const find = finderOf(statements)
const run = new Set()
const faults = new Set()
for (const record of records()) {
  const statement = find(record)
  if (!statement) continue
  run.add(statement)
  const columns = new Map(record.columns)
  const found = [...missingOf(statement.fields, columns), ...statement.fields.flatMap((field) => faultOf(field, columns, checker))]
  for (const fault of found) faults.add(`${statement.file}:${statement.line}  ${fault}`)
}
for (const fault of faults) console.log(fault)
if (process.argv.includes('--all'))
  for (const statement of statements) if (!run.has(statement)) console.log(`未运行 ${statement.file}:${statement.line}`)
console.log(`手写行类型的语句 ${statements.length} 条，测试中运行并核对 ${run.size} 条，不符 ${faults.size} 处`)
process.exitCode = faults.size ? 1 : 0
