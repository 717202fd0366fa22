/** Words that gates send for people they do not know by number: strangers, a card that was compared with a face, somebody without a mask. */
const reservedIds: ReadonlySet<string> = new Set(['STRANGERBABY', 'STRANGER', 'IDCARD', 'NOMASK', 'UNKNOWN'])
const known = '1'
const stranger = '3'

/** The person's number; none for whom the gate does not know by one. */
export function personOf(raw: unknown): string | undefined {
  const text = typeof raw === 'number' ? String(raw) : typeof raw === 'string' ? raw.trim() : ''
  return text !== '' && !reservedIds.has(text.toUpperCase()) && !/^(0|-1)$/.test(text) ? text : undefined
}

/** How like the face is, out of a hundred; some gates tell it out of one. */
function withPercent(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { score } = data
  return typeof score === 'number' && score > 0 && score <= 1 ? { ...data, score: Math.round(score * 1000) / 10 } : data
}

/** A passage, whichever way it came in: a word that stands for nobody is no worker, and whom it called known is a stranger. */
export function passageOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const data = withPercent(given)
  const { workerId, ...rest } = data
  if (workerId === undefined || workerId === null || workerId === '' || personOf(workerId) !== undefined) return data
  return { ...rest, personType: String(data.personType ?? known) === known ? stranger : data.personType }
}
