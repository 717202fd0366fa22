import { findingKinds, findingName } from '@zhugong/contract/monitoring/finding-kinds'
import { time } from '#kit/format.ts'
import type { AlarmColumn } from './alarm-columns.tsx'

/** Column with the latest finding or decision at an alarm of this family. */
export function findingColumn(family: string): AlarmColumn {
  const kind = findingKinds[family]
  return {
    key: 'finding',
    title: kind?.title,
    width: 108,
    filter: 'checkbox-empty',
    options: Object.entries(kind?.codes ?? {}).map(([value, label]) => ({ value, label })),
    value: ({ finding }) =>
      finding && <span title={`${finding.text}（${finding.byName} ${time(finding.at)}）`}>{findingName(family, finding.code)}</span>,
  }
}
