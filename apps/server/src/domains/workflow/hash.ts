import { createHash } from 'node:crypto'
import type { WorkDocument } from './model.ts'

/** SHA-256 of a document in canonical order: equal documents have equal hashes, whatever the order of their values. */
export function documentHash(about: { kind: string; objectId: string; title: string }, document: WorkDocument): string {
  const said = [
    about.kind,
    about.objectId,
    about.title,
    document.fields.map((f) => [f.label, f.value]),
    (document.changes ?? []).map((c) => [c.label, c.before, c.after]),
    document.files ?? [],
  ]
  return createHash('sha256').update(JSON.stringify(said)).digest('hex')
}

/** Differences between the submitted document and the current one. */
export function differencesOf(was: WorkDocument, now: WorkDocument): { label: string; before: string | null; after: string | null }[] {
  const flat = (d: WorkDocument) =>
    new Map<string, string | null>([
      ...d.fields.map((f) => [f.label, f.value] as const),
      ...(d.changes ?? []).map((c) => [c.label, `${c.before ?? '空'} → ${c.after ?? '空'}`] as const),
      [
        '附件',
        d.files?.length ? `${d.files.length} 个（${documentHash(nothing, { fields: [], files: d.files }).slice(0, 8)}）` : null,
      ] as const,
    ])
  const [before, after] = [flat(was), flat(now)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((label) => ({ label, before: before.get(label) ?? null, after: after.get(label) ?? null }))
    .filter((d) => d.before !== d.after)
}
const nothing = { kind: '', objectId: '', title: '' }
