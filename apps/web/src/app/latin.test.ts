import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

/** User-facing texts are Chinese: latin words of four or more letters must be names, file types, units or literals to type. */

const root = join(import.meta.dirname, '../../../..')
/** Sources to scan: pages, and display names in the contract. Messages for programs may contain field names. */
const files = ['apps/web/src/**/*.{ts,tsx}', 'packages/contract/src/**/{codes,menus*,model,catalogue,dictionaries}.ts'].flatMap((glob) =>
  globSync(glob, { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path)),
)

const han = /\p{Script=Han}/u
const word = /(?<![\w./@:#{$%=&?-])[A-Za-z]{4,}(?![\w/@:=]|[.-]\w)/g
/** Attributes whose text is displayed even if it contains no Chinese. */
const shown = new Set(['placeholder', 'label', 'title', 'remark', 'hint', 'extra', 'unit', 'alt', 'aria-label', 'ariaLabel'])

/** The fixed parts of a template literal. */
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

/** Latin words that Chinese texts use as they are. */
const names = new Set(
  [
    'Excel GeoJSON JSON HTTP HTTPS https POST MQTT Modbus HMAC HEVC CORS WebP GLONASS Galileo',
    'Microsoft Project Authenticator FreeOTP Ctrl Shift Enter',
    // Placeholder: search by initials.
    'bjyy',
  ].flatMap((line) => line.split(' ')),
)
/** Pages for integrators, which show field names and topics literally. */
const forIntegrators =
  /equipment\/(connect-guide|family-wire|gate-push|station-fields|docking-[\w-]+)\.tsx|rules\/(condition-words|exec-edit-page)\.tsx?/
test('no latin word stands in a text but those that have no Chinese', () => {
  const rest = [...found].filter(([one, at]) => !names.has(one) && !at.every((where) => forIntegrators.test(where)))
  expect(files.length).toBeGreaterThan(700)
  expect(rest.map(([one, at]) => `${one} (${at.length}) ${at[0]}`).sort()).toEqual([])
})
