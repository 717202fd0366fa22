// node scripts/house.mjs [folder]: figures of the code that say whether the next page is cheap. Another checkout's folder gives its own, to compare.
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
const isTest = (file) => /\.test\.tsx?$|-for-test\.ts$/.test(file)
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
const bound = (file) => /from '#kit\/form-of\.ts'/.test(read(file))
const fields = (files) => count(files, /<Field\b(?!\w)/g)
console.log(`form fields by a loose name      ${fields(webDomains.filter((f) => !bound(f)))} of ${fields(webDomains)}`)
const exports = server.filter((file) => /exportOf|ExportOf/.test(read(file)))
console.log(`export cells that repeat the key ${count(exports, /^\s+(\w+): \((\w+)\) => \2\.\1,$/gm)}`)
console.log(`mapper lines \`x: row.x\`          ${count(server, /^\s+(\w+): \w+\.\1,$/gm)}`)
console.log(`\`version + 1\` by hand            ${count(server, /version \+ 1/g)}`)
const owners = read('apps/server/test/table-owners.test.ts')
console.log(
  `tables that no tables.ts declares ${owners.slice(owners.indexOf('const undeclared'), owners.indexOf('\n}\n')).match(/^ {2}\w+: '/gm)?.length ?? 0}`,
)
const long = all.filter((file) => lines(file) > longFile)
console.log(`files over ${longFile} lines             ${long.length}${long.map((file) => `\n  ${lines(file)} ${file}`).join('')}`)

/** Which room of the server takes from which, types included. */
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
