import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** Texts people read are Chinese: words of four letters and more in them are names, file types, units or things typed as they stand. */

const root = join(import.meta.dirname, '../../../..')
/** Pages, and of the contract the names it gives things; what it answers to programs names their fields as they are. */
const files = ['apps/web/src/**/*.{ts,tsx}', 'packages/contract/src/**/{codes,menus*,model,catalogue,dictionaries}.ts'].flatMap((glob) =>
  globSync(glob, { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path)),
)

const han = /\p{Script=Han}/u
const word = /(?<![\w./@:#{$%=&?-])[A-Za-z]{4,}(?![\w/@:=]|[.-]\w)/g
/** What a page shows even where no Chinese stands beside it. */
const shown = new Set(['placeholder', 'label', 'title', 'remark', 'hint', 'extra', 'unit', 'alt', 'aria-label', 'ariaLabel'])

/** A literal without what is filled in. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node)) return node.text
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) return node.text
  return undefined
}
const nameOf = (node: ts.Node): string | undefined =>
  ts.isJsxAttribute(node) ? node.name.getText() : ts.isPropertyAssignment(node) ? node.name.getText().replaceAll("'", '') : undefined

const found = new Map<string, string[]>()
for (const path of files) {
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
  const walk = (node: ts.Node, named: string | undefined): void => {
    const text = textOf(node)
    if (text !== undefined && (han.test(text) || (named !== undefined && shown.has(named))))
      for (const [one] of text.matchAll(word)) found.set(one, [...(found.get(one) ?? []), `${path}: ${text.trim().slice(0, 60)}`])
    ts.forEachChild(node, (child) => walk(child, nameOf(node) ?? (ts.isJsxExpression(node) ? named : undefined)))
  }
  walk(source, undefined)
}

/** Written so in Chinese too. */
const names = new Set(
  [
    'Excel GeoJSON JSON HTTP HTTPS https POST MQTT Modbus HMAC HEVC CORS WebP GLONASS Galileo',
    'Microsoft Authenticator FreeOTP Ctrl Shift Enter',
    // A search by initials, shown as it is typed.
    'bjyy',
  ].flatMap((line) => line.split(' ')),
)
/** Pages for whoever connects machines and programs: fields and topics stand there as they are sent. */
const forIntegrators =
  /equipment\/(connect-guide|family-wire|gate-push|station-fields|docking-[\w-]+)\.tsx|rules\/(condition-words|exec-edit-page)\.tsx?/
test('no latin word stands in a text but those that have no Chinese', () => {
  const rest = [...found].filter(([one, at]) => !names.has(one) && !at.every((where) => forIntegrators.test(where)))
  expect(files.length).toBeGreaterThan(700)
  expect(rest.map(([one, at]) => `${one} (${at.length}) ${at[0]}`).sort()).toEqual([])
})
