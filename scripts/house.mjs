// node scripts/house.mjs [folder]: prints figures of the code base that show how much work the next page is. Run it for another checkout's
// folder to compare.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..'))
const longFile = 400

const walk = (folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/node_modules|dist/.test(entry.parentPath))
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    : []
const isTest = (file) => /\.test\.tsx?$|(\.fixtures|-for-test)\.ts$/.test(file)
const text = new Map()
const read = (file) => text.get(file) ?? text.set(file, readFileSync(join(root, file), 'utf8')).get(file)
const lines = (file) => read(file).split('\n').length
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
const count = (files, pattern) => files.reduce((sum, file) => sum + (read(file).match(pattern)?.length ?? 0), 0)

const webDomains = walk('apps/web/src/domains').filter((file) => !isTest(file))
const server = walk('apps/server/src/domains').filter((file) => !isTest(file))
const all = [...walk('apps'), ...walk('packages')].filter((file) => !isTest(file) && !/\/(test|bench|faults|demo)\//.test(file))

const pages = webDomains.filter((file) => /-page\.tsx$/.test(file))
const kinds = {
  list: /-list-page|records?-page|global-page/,
  form: /-form-page|-edit-page/,
  detail: /-detail-page|-info-page/,
  monitor: /monitor-page|environment-page/,
}
for (const [kind, pattern] of Object.entries(kinds)) {
  const own = pages.filter((file) => pattern.test(file)).map(lines)
  console.log(`${kind.padEnd(8)} ${own.length} pages, median ${median(own)} lines, longest ${Math.max(...own)}`)
}
console.log(
  `casts \`as never\` in the web     ${count(
    walk('apps/web/src').filter((f) => !isTest(f)),
    /as never\b/g,
  )}`,
)
console.log(`codes as bare digits in the web ${count(webDomains, /[!=]== '\d+'/g)}`)
console.log(`spreads of a condition          ${count(all, /\.\.\.\([^()\n]*\?[^\n]*: \{\}\)/g)}`)
const isLoose = (file) => /import \{[^}]*\bField\b[^}]*\} from '#kit\/form\.tsx'/.test(read(file))
const fields = (files) => count(files, /<Field\b(?!\w)/g)
console.log(`form fields by a loose name      ${fields(webDomains.filter(isLoose))} of ${fields(webDomains)}`)
const exports = server.filter((file) => /exportOf|ExportOf/.test(read(file)))
console.log(`export cells that repeat the key ${count(exports, /^\s+(\w+): \((\w+)\) => \2\.\1,$/gm)}`)
console.log(`mapper lines \`x: row.x\`          ${count(server, /^\s+(\w+): \w+\.\1,$/gm)}`)
const privateWords =
  /\b(?:const|let|function|interface|type|class|private)\s+(?:told|held|asked|asking|hats?|sittings?|offers?|standings?|Told|Held|Asked|Asking|Asker|Hat|Sitting|Offer|Afterwards|Standing)\b/g
console.log(`declared private words           ${count([...walk('apps'), ...walk('packages'), ...walk('e2e')], privateWords)}`)
// Writes of one row that `changeRow` does: not those of several rows, with a further condition, or that insert the row when it is missing.
const countedByHand =
  /`update \w+ set [^`]*version = version \+ 1[^`]*where id = \$\{[^}]*\}(?: and version = \$\{[^}]*\})?(?: returning [^`]*)?`/g
const guessedVersions = /\bversion: (?!body)\w+\.version \+ 1/g
console.log(`versions counted by hand        ${count(server, countedByHand) + count(server, guessedVersions)}`)
const long = all.filter((file) => lines(file) > longFile)
console.log(`files over ${longFile} lines             ${long.length}${long.map((file) => `\n  ${lines(file)} ${file}`).join('')}`)

/** For each domain of the server, the domains it imports from, including type imports. */
const rooms = new Map()
for (const file of server) {
  const from = file.split('/')[4]
  for (const [, to] of read(file).matchAll(/from '(?:\.\.\/)+([a-z-]+)\/[^']*'/g))
    if (to !== from && existsSync(join(root, 'apps/server/src/domains', to))) rooms.set(from, (rooms.get(from) ?? new Set()).add(to))
}
const reaches = (from, to, seen = new Set()) =>
  [...(rooms.get(from) ?? [])].some((next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))))
const circles = [...rooms.keys()].filter((room) => reaches(room, room))
console.log(`rooms of the server in circles  ${circles.length}${circles.length ? `: ${circles.join(', ')}` : ''}`)

/**
 * Finds files that import each other, including type imports and dynamic imports: files that import no remaining file, or that no remaining
 * file imports, are removed until nothing changes. What remains is in a circle, or between two circles.
 */
const folders = { '@zhugong/contract/': 'packages/contract/src/', '@zhugong/simulator/': 'packages/simulator/src/' }
const places = (file, path) => {
  if (path.startsWith('.')) return [join(dirname(file), path)]
  const alias = path.startsWith('#') ? `${file.split('/').slice(0, 2).join('/')}/src/${path.slice(1)}` : undefined
  const shared = Object.keys(folders).find((name) => path.startsWith(name))
  return alias ? [alias, `${alias}.ts`] : shared ? [`${folders[shared]}${path.slice(shared.length)}.ts`] : []
}
const imports = new Map(all.map((file) => [file, new Set()]))
for (const file of all)
  for (const [, path] of read(file).matchAll(/(?:from|import\() ?'([.#@][^']*)'/g))
    for (const target of places(file, path)) if (imports.has(target)) imports.get(file).add(target)
for (;;) {
  const wanted = new Set([...imports.values()].flatMap((targets) => [...targets]))
  const free = [...imports].filter(([file, targets]) => targets.size === 0 || !wanted.has(file)).map(([file]) => file)
  if (!free.length) break
  for (const file of free) imports.delete(file)
  for (const targets of imports.values()) for (const file of free) targets.delete(file)
}
console.log(`files in circles                ${imports.size}`)
