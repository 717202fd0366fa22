/** How far the check of one object is. */
export const objectStates = { unchecked: '未检', fine: '合格', problem: '有问题', mended: '已整改', skipped: '不涉及' } as const
export type ObjectState = keyof typeof objectStates

export interface ObjectFacts {
  /** A submitted check has looked at it. */
  checked: boolean
  /** The last check says that it does not apply. */
  skipped: boolean
  problemCount: number
  /** Problems that are not closed. */
  openCount: number
}

/** An open problem counts most, also where a later check found nothing: closing it is another matter. */
export function objectState({ checked, skipped, problemCount, openCount }: ObjectFacts): ObjectState {
  if (!checked) return 'unchecked'
  if (openCount > 0) return 'problem'
  if (problemCount > 0) return 'mended'
  return skipped ? 'skipped' : 'fine'
}

interface ThemeFacts {
  title: string
  themeName: string
  startDate: string
  endDate: string
  persons: readonly string[]
  objects: readonly { name: string; state: ObjectState }[]
  problems: readonly { objectName: string; description: string; corpName: string; closed: boolean }[]
}
/** Problems that the draft of a report names one by one. */
const mostNamed = 10

/** The draft of a report from what was found; its author goes over it. */
export function reportOf({ title, themeName, startDate, endDate, persons, objects, problems }: ThemeFacts): string {
  const count = (...states: ObjectState[]) => objects.filter((one) => states.includes(one.state)).length
  const open = problems.filter((one) => !one.closed)
  const lines = [
    `${startDate} 至 ${endDate}，按“${title}”要求开展${themeName}专项检查，检查人：${persons.join('、')}。`,
    `应检对象 ${objects.length} 个，已检 ${objects.length - count('unchecked')} 个，其中合格 ${count('fine')} 个，不涉及 ${count('skipped')} 个，发现问题 ${count('problem', 'mended')} 个。`,
    problems.length === 0
      ? '检查未发现问题。'
      : `共发现问题 ${problems.length} 个，已整改闭合 ${problems.length - open.length} 个${open.length ? `，未闭合 ${open.length} 个` : ''}：`,
    ...problems
      .slice(0, mostNamed)
      .map((one, i) => `${i + 1}. ${one.objectName}：${one.description}（${one.corpName}，${one.closed ? '已闭合' : '整改中'}）`),
    ...(problems.length > mostNamed ? [`另有 ${problems.length - mostNamed} 个问题见问题清单。`] : []),
  ]
  return lines.join('\n')
}
